#!/usr/bin/env python3
"""heddle.toml: settings of a project, of some of its tests, and what is wrong with them; and --watch, which reads them again."""
import json
import pathlib
import random
import signal
import subprocess
import tempfile
import unittest

from harness import HEDDLE, HeddleTest

MODEL = """shared int x;
thread t[2] { int r = x; x = r + 1; }
thread last { join t; assert(x == 2); }
"""
TESTS = """#include <atomic>
#include <thread>
#include <heddle/heddle.hpp>
std::atomic<int> x;
void race() { std::thread t([] { x = x + 1; }); x = x + 1; t.join(); }
HEDDLE_TEST(queue_grows) { race(); }
HEDDLE_TEST(queue_shrinks) { race(); }
HEDDLE_TEST(stack_grows) { race(); }
"""
SETTINGS = """[run]
all = true
no-minimize = false
ignore = ["exit-code", "exit-with-threads"]
max-executions = 100

[test."queue*"]
max-executions = 1

[test."*shrinks"]
max-executions = 2
"""


class Settings(HeddleTest):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "inner").mkdir()
        self.write("inner/model.hed", MODEL)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def heddle(self, *words, code, folder="inner"):
        done = subprocess.run([HEDDLE, *words], cwd=self.folder / folder, text=True, capture_output=True, timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def result(self, *words, code):
        return json.loads(self.heddle("run", "model.hed", "--json=-", *words, code=code).stdout)

    def test_defaults_of_a_project(self):
        first = self.result(code=1)
        self.write("heddle.toml", SETTINGS)
        self.assertLess(first["executions"], self.result(code=1)["executions"])  # all = true, found in the folder above
        self.assertEqual(self.result("--settings=none", code=1)["executions"], first["executions"])
        self.assertEqual(self.result("--max-executions=1", code=2)["executions"], 1)  # the command line wins
        shown = self.heddle("run", "model.hed", code=1).stdout
        self.assertIn("note: by the project's settings: --all --max-executions=100\n", shown)  # --ignore is not for models
        self.write("inner/other.toml", '[run]\nmax-executions = 3\nsave = "saved"\n')
        self.assertEqual(self.result("--settings=other.toml", "--algorithm=random", code=1)["algorithm"], "random")
        self.assertTrue((self.folder / "inner/saved").exists())
        # A repository ends the search for settings.
        (self.folder / "inner/.git").mkdir()
        self.assertEqual(self.result(code=1)["executions"], first["executions"])

    def test_settings_of_tests(self):
        self.write("heddle.toml", SETTINGS)
        self.write("tests.cpp", TESTS)
        shown = self.heddle("run", "tests.cpp", code=2, folder=".").stdout
        self.assertRegex(shown, r"queue_grows +1 +\d\.\d+  the budget of 1 ")
        self.assertRegex(shown, r"queue_shrinks +2 +\d\.\d+  the budget of 2 ")  # the last that matches
        self.assertRegex(shown, r"no bug  stack_grows ")
        one = self.heddle("run", "tests.cpp", "--test=queue_grows", "--json=-", code=2, folder=".").stdout
        self.assertEqual(json.loads(one)["executions"], 1)

    def test_what_is_wrong_with_them(self):
        for text, complaint in [("[run]\nmax-secs = 1\n", "heddle.toml:2:1: `heddle run` has no option --max-secs"),
                                ("[runs]\n", 'heddle.toml:1:2: "runs" is not known here'),
                                ("[run\n", "heddle.toml:1:5: "),
                                ("[run]\nall = [[1]]\n", "heddle.toml:2:7: the value of all"),
                                ("[run]\nmax-seconds = true\n", "the value of max-seconds"),
                                ("[run]\nsettings = \"x\"\n", "has no option --settings"),
                                ("[test]\nall = true\n", "stand under [test.\"PATTERN\"]"),
                                ("[run]\nmax-seconds = \"x\"\n", "is not a time"),
                                ("[run]\npct-depth = 2\n", "heddle.toml says --pct-depth=2")]:
            self.write("heddle.toml", text)
            self.assertIn(complaint, self.heddle("run", "model.hed", code=3).stderr)
        self.assertIn("no file \"none.toml\"", self.heddle("run", "model.hed", "--settings=none.toml", code=3).stderr)

    def test_damaged_files(self):
        chance = random.Random(1)
        for _ in range(150):
            damaged = bytearray(SETTINGS.encode())
            for _ in range(chance.randint(1, 6)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            (self.folder / "heddle.toml").write_bytes(damaged)
            done = subprocess.run([HEDDLE, "run", "model.hed", "--quiet"], cwd=self.folder / "inner", capture_output=True,
                                  timeout=60)
            self.assertIn(done.returncode, (1, 2, 3), bytes(damaged))

    def test_watching(self):
        self.write("heddle.toml", "[run]\nall = true\n")
        watching = subprocess.Popen([HEDDLE, "run", "model.hed", "--watch"], cwd=self.folder / "inner", text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(watching.stdout.close)
        seen = []

        def until(text):
            for line in watching.stdout:
                seen.append(line)
                if text in line:
                    return
            self.fail("".join(seen))

        until("watching 2 files")
        self.write("inner/model.hed", MODEL.replace("== 2", ">= 1"))
        until("changed: model.hed")
        until("verdict: no bug")
        until("watching")
        self.write("heddle.toml", "[run]\nmax-executions = 1\n")
        until("changed: ../heddle.toml")
        until("--max-executions=1")
        until("watching")
        watching.send_signal(signal.SIGINT)
        self.assertEqual(watching.wait(timeout=60), 2)  # of the last run


if __name__ == "__main__":
    unittest.main()
