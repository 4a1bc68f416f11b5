#!/usr/bin/env python3
"""Every command that README.md and docs/ show is run, and what they show is what comes out.

In a fenced ```console block a line `$ command` is run in a copy of the repository's examples, with `heddle` on the
path; the lines below it, up to the next command, must appear in its output in that order (`...` stands for
anything; times are ignored). Lines that begin with `> ` continue the command. `(exit code N)` as the last line states the
exit code, 0 if absent. A block whose opening line says ```console no-test shows commands about building, which
other tests cover.

Links lead somewhere, every page is in the index, every reason why a search is not exhausted has its answer, and the
pictures of the algorithms come out of scripts/pictures as they are."""
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from harness import HEDDLE, SOURCE, HeddleTest

FENCE = re.compile(r"^```(\w*)(.*)$")
SECONDS = re.compile(r"\d+\.\d+ s\b")
LINK = re.compile(r"\]\(([^)#\s]*)(#([^)\s]*))?\)")
REASONS = [re.compile(r'Cause::k\w+:\s*return "([^"]{8,})"'),
           re.compile(r'\b(?:stop|leave_open|concretise|try_emplace|ask_to_stop)\([^;]*?"([^"]{8,})"')]
EXIT_CODE = re.compile(r"^\(exit code (\d)\)$")


def blocks(path):
    """(first line number, lines) of each console block to be run."""
    inside, start, lines = None, 0, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if fence and inside is None:
            inside, start, lines = (fence.group(1), fence.group(2).strip()), number, []
        elif fence:
            if inside == ("console", ""):
                yield start, lines
            inside = None
        elif inside is not None:
            lines.append(line)


def commands(lines):
    """(command, lines shown, exit code) in order."""
    current = None
    for line in lines:
        if line.startswith("$ "):
            if current:
                yield current
            current = [line[2:], [], 0]
        elif current and not current[1] and (line == ">" or line.startswith("> ")):
            current[0] += "\n" + line[2:]
        elif current and EXIT_CODE.match(line):
            current[2] = int(EXIT_CODE.match(line).group(1))
        elif current:
            current[1].append(line)
    if current:
        yield current


def normal(line):
    return SECONDS.sub("? s", line.rstrip())


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


def anchors(text):
    """Of the headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


class Documentation(HeddleTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(SOURCE / "examples", self.folder / "examples")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "heddle").symlink_to(HEDDLE)
        for folder in ("bench/programs",):
            if (SOURCE / folder).exists():
                shutil.copytree(SOURCE / folder, self.folder / folder)

    def check(self, place, command, shown, code):
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=self.folder,
                              env=environment, timeout=300)
        self.assertEqual(done.returncode, code, f"{place}: $ {command}\n{done.stdout}{done.stderr}")
        actual = iter([normal(line) for line in (done.stdout + done.stderr).splitlines()])
        for line in shown:
            if line.strip() in ("...", ""):
                continue
            self.assertTrue(any(normal(line) == other for other in actual),
                            f"{place}: $ {command}\nthis line is shown but not printed (or not there): {line}\n"
                            f"{done.stdout}{done.stderr}")

    def test_every_command(self):
        documents = [SOURCE / "README.md", *sorted((SOURCE / "docs").rglob("*.md"))]
        count = 0
        for document in documents:
            (Path(self.folder) / "heddle.toml").unlink(missing_ok=True)  # settings of one page are not those of the next
            for start, lines in blocks(document):
                for command, shown, code in commands(lines):
                    count += 1
                    with self.subTest(document=document.name, line=start, command=command):
                        self.check(f"{document.name}:{start}", command, shown, code)
        self.assertGreater(count, 15, "too few commands found: is the extraction right?")

    def test_links_lead_somewhere(self):
        documents = [*SOURCE.glob("*.md"), *sorted((SOURCE / "docs").rglob("*.md"))]
        linked = set()
        for document in documents:
            for target, _, anchor in (m.groups() for m in LINK.finditer(without_code(document.read_text()))):
                if "://" in target:
                    continue
                file = (document.parent / target).resolve() if target else document
                linked.add(file)
                with self.subTest(document=document.name, target=target + "#" + (anchor or "")):
                    self.assertTrue(file.exists())
                    if anchor and file.suffix == ".md":
                        self.assertIn(anchor, anchors(file.read_text()))
        for image in (SOURCE / "docs/images").iterdir():
            self.assertIn(image.resolve(), linked, "no page shows it")
        index = SOURCE / "docs/README.md"
        pages = {(index.parent / m.group(1)).resolve() for m in LINK.finditer(index.read_text())}
        for page in (SOURCE / "docs").rglob("*.md"):
            if page.parent.name != "adr" and page != index:
                self.assertIn(page.resolve(), pages, "not in docs/README.md")

    def test_every_reason_is_answered(self):
        """Why a search is not exhausted: each sentence in the sources that says so is in the table of the FAQ."""
        faq = " ".join((SOURCE / "docs/faq.md").read_text().split())
        reasons = set()
        for file in (SOURCE / "src").rglob("*.cpp"):
            text = re.sub(r'"\s*\n\s*"', "", file.read_text())
            reasons |= {reason for pattern in REASONS for reason in pattern.findall(text) if " " in reason}
        self.assertGreater(len(reasons), 20, "too few reasons found: is the extraction right?")
        for reason in reasons:
            with self.subTest(reason=reason):
                self.assertIn(reason.split(";")[0].split(" (")[0].strip(' ,:\\"'), faq)

    def test_pictures_are_true(self):
        """The pictures of the algorithms are what this heddle does."""
        drawn = self.folder / "drawn"
        drawn.mkdir()
        subprocess.run([SOURCE / "scripts/pictures", HEDDLE, drawn], check=True, timeout=300)
        for picture in drawn.iterdir():
            self.assertTrue(picture.read_text() == (SOURCE / "docs/images" / picture.name).read_text(),
                            f"{picture.name} has changed; draw it again with scripts/pictures, and look at it")


if __name__ == "__main__":
    unittest.main()
