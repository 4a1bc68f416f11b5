"""Steps that are known are not run again, and nobody can tell: test/programs/known_steps with and without.

A program's head says how many executions of the default search are followed, of how many, and with which options.

Usage: known_steps_test.py HEDDLE
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HEDDLE = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[3]
WAYS = [[], ["--algorithm=dpor-cr"], ["--algorithm=source-dpor"], ["--algorithm=dpor", "--sleep-sets"], ["--preemptions=1"],
        ["--races=ignore"], ["-j", "2"]]
COUNTS = ("verdict", "exhausted", "classes", "executions", "steps", "states", "deadlocked", "failed")


class KnownSteps(unittest.TestCase):
    def explore(self, program, *options):
        with tempfile.NamedTemporaryFile() as out:
            done = subprocess.run([HEDDLE, "run", program, "--all", "--max-executions=20000", "--stats", f"--json={out.name}",
                                   *options], text=True, capture_output=True, timeout=300)
            self.assertIn(done.returncode, (0, 1, 2), done.stdout + done.stderr)
            result = json.loads(pathlib.Path(out.name).read_text())
        followed = re.search(r"known steps: (\d+) of (\d+) executions", done.stdout)
        self.assertIsNotNone(followed, done.stdout)
        return result, (int(followed[1]), int(followed[2]))

    def same(self, program, way):
        results = []
        for mode in ("on", "off"):
            result, followed = self.explore(program, f"--known-steps={mode}", *way)
            counts = {k: result[k] for k in COUNTS}
            counts["findings"] = [(f["kind"], f["message"], f["count"], f["schedule"]) for f in result["findings"]]
            if "-j" in way:   # who meets what first depends on the machine
                counts = {k: counts[k] for k in ("verdict", "exhausted", "classes", "deadlocked", "failed")}
            results.append((counts, followed))
        self.assertEqual(results[0][0], results[1][0])
        self.assertEqual(results[1][1][0], 0, "--known-steps=off follows nothing")
        return results[0][1]


def test_of(program):
    def test(self):
        text = program.read_text()
        head = re.search(r"^// followed: (\d+) of (\d+)$", text, re.M)
        options = [o for line in re.findall(r"^// options: (.*)", text, re.M) for o in line.split()]
        for way in WAYS:
            with self.subTest(way=way):
                followed = self.same(program, [*options, *way])
                if not way:
                    self.assertEqual(followed, (int(head[1]), int(head[2])))
    return test


for path in sorted((ROOT / "test/programs/known_steps").iterdir()):
    setattr(KnownSteps, f"test_{path.stem}", test_of(path))

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
