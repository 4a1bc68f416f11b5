#!/usr/bin/env python3
"""Every command that README.md and docs/ show is run, and what they show is what comes out.

In a fenced ```console block a line `$ command` is run in a copy of the repository's examples, with `heddle` on the
path; the lines below it, up to the next command, must appear in its output in that order (`...` stands for
anything; times are ignored). Lines that begin with `> ` continue the command. `(exit code N)` as the last line states the exit code, 0 if absent. A block whose
opening line says ```console no-test shows commands about building, which other tests cover."""
import os
import re
import shutil
import subprocess
import unittest

from harness import HEDDLE, SOURCE, HeddleTest

FENCE = re.compile(r"^```(\w*)(.*)$")
SECONDS = re.compile(r"\d+\.\d+ s\b")
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
            for start, lines in blocks(document):
                for command, shown, code in commands(lines):
                    count += 1
                    with self.subTest(document=document.name, line=start, command=command):
                        self.check(f"{document.name}:{start}", command, shown, code)
        self.assertGreater(count, 15, "too few commands found: is the extraction right?")

    def test_links_lead_somewhere(self):
        documents = [*SOURCE.glob("*.md"), *sorted((SOURCE / "docs").rglob("*.md"))]
        for document in documents:
            for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text()):
                if "://" not in target:
                    self.assertTrue((document.parent / target).exists(), f"{document.name}: {target}")


if __name__ == "__main__":
    unittest.main()
