"""Every finding's schedule, saved and replayed in a new process, leads through the same steps to the same finding.

Usage: replay_test.py HEDDLE
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HEDDLE = sys.argv[1]
SOURCE = pathlib.Path(__file__).resolve().parents[3]

# Among them: plain memory that became visible during the search, and a loop that was seen to spin.
PROGRAMS = ["test/programs/c/plain_lost_update.c", "test/programs/c/mixed_size_race.c", "test/programs/c/memcpy_race.c",
            "test/programs/findings/deadlock_mutexes.c", "test/programs/findings/livelock.c",
            "test/programs/findings/use_after_free.c", "examples/bank.cpp", "examples/ms_queue.cpp"]


def heddle(*arguments):
    return subprocess.run([HEDDLE, *map(str, arguments)], cwd=SOURCE, text=True, capture_output=True, timeout=300)


def steps(finding):
    """Up to the failure: what comes after it is not in the schedule."""
    return [(s["thread"], s["text"], s["where"]) for s in finding["trace"]][:finding["step"]]


class ReplayTest(unittest.TestCase):
    def replays(self, finding, folder):
        file = folder / "finding.schedule"
        file.write_text(finding["schedule"])
        done = heddle("replay", file, "--json=-")
        self.assertEqual(done.returncode, 1, done.stderr)
        again = json.loads(done.stdout)
        self.assertNotIn("could not be followed", again["reason"])
        self.assertEqual(again["classes"], 1)
        self.assertEqual(again["findings"][0]["kind"], finding["kind"])
        same = [f for f in again["findings"] if (f["kind"], f["message"]) == (finding["kind"], finding["message"])]
        self.assertEqual([steps(f) for f in same], [steps(finding)])

    def test_every_finding_replays(self):
        for program in PROGRAMS:
            with self.subTest(program), tempfile.TemporaryDirectory() as folder:
                done = heddle("run", program, "--all", "--max-executions=2000", "--json=-")
                self.assertEqual(done.returncode, 1, done.stderr)
                for finding in json.loads(done.stdout)["findings"]:
                    with self.subTest(finding=finding["kind"]):
                        self.replays(finding, pathlib.Path(folder))

    def test_every_finding_of_two_processes_replays(self):
        for program in PROGRAMS[:4]:
            with self.subTest(program), tempfile.TemporaryDirectory() as folder:
                done = heddle("run", program, "--all", "-j", "2", "--max-executions=2000", "--json=-")
                self.assertEqual(done.returncode, 1, done.stderr)
                findings = json.loads(done.stdout)["findings"]
                self.assertNotEqual(findings, [])
                for finding in findings:
                    with self.subTest(finding=finding["kind"]):
                        self.replays(finding, pathlib.Path(folder))

    def test_the_value_of_a_plain_write_is_in_the_trace(self):
        done = heddle("run", PROGRAMS[0], "--all", "--json=-")
        for finding in json.loads(done.stdout)["findings"]:
            written = [s["after"] for s in finding["trace"] if s["operation"] == "write"]
            self.assertEqual(written[0], 1, finding["trace"])

    def test_a_bad_setting_is_refused(self):
        done = heddle("run", PROGRAMS[0], "--json=-")
        good = json.loads(done.stdout)["findings"][0]["schedule"]
        self.assertRegex(good, r"setting visible=[0-9a-f]+/[0-9a-f]+\n")
        for bad in ("visible=", "visible=12", "visible=xy/f", "visible=12/fff", "mixed=", "spin=ffffffffffffffff",
                    "barrier=", "barrier=0", "barrier=0/81", "barrier=100000000/1", "compared=", "compared=x"):
            with self.subTest(bad), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "bad.schedule"
                file.write_text(re.sub(r"visible=\S+", bad, good))
                done = heddle("replay", file)
                self.assertEqual(done.returncode, 3, done.stdout)
                self.assertIn("is not of the form", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
