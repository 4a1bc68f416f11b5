"""Tests inside a program, each explored on its own: HEDDLE_TEST and GoogleTest.

Usage: tests_test.py HEDDLE
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

HEDDLE = sys.argv[1]
TESTS = pathlib.Path(__file__).resolve().parent / "tests"
GTEST = [str(TESTS / "queue_gtest.cpp")]
GTEST_FLAGS = ["--", "-lgtest", "-lgtest_main"]
OWN = str(TESTS / "tests_only.cpp")
NAMES = ["Counter.LosesAnUpdate", "Counter.CountsUnderALock", "Thrower.Throws", "Skipper.Skips",
         "Some/Times.IsPositive/0", "Some/Times.IsPositive/1"]


class Tests(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.dir)

    def heddle(self, *arguments, code):
        done = subprocess.run([HEDDLE, *map(str, arguments)], cwd=self.dir, text=True, capture_output=True, timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def gtest(self, *options, code):
        return self.heddle("run", *GTEST, *options, *GTEST_FLAGS, code=code)

    # Catch2 and doctest

    def test_other_frameworks(self):
        for source in "queue_catch2.cpp", "queue_doctest.cpp":
            names = self.heddle("run", TESTS / source, "--list-tests", code=0).stdout.splitlines()
            self.assertEqual(names, ["loses an update, now and then", "counts under a lock"])
            found = json.loads(self.heddle("run", TESTS / source, f"--test={names[0]}", "--json=-", code=1).stdout)
            self.assertEqual([f["kind"] for f in found["findings"]], ["assertion"])
            self.assertIn("the test failed", found["findings"][0]["message"])
            # That exit codes are left out is not said of tests.
            shown = self.heddle("run", TESTS / source, f"--test={names[0]}", "--ignore=exit-code", code=1).stdout
            self.assertIn("main: join T1", shown)
            self.assertNotRegex(shown, r"(doctest\.h|catch\.hpp):\d+:\d+ +o ")  # its own steps are folded
            found = json.loads(self.heddle("run", TESTS / source, f"--test={names[1]}", "--json=-", code=0).stdout)
            self.assertTrue(found["exhausted"])

    # GoogleTest

    def test_lists(self):
        self.assertEqual(self.gtest("--list-tests", code=0).stdout.splitlines(), NAMES)
        some = self.gtest("--list-tests", "--filter=*Times*:Counter.*-*Loses*", code=0).stdout.splitlines()
        self.assertEqual(some, [NAMES[1], NAMES[4], NAMES[5]])

    def test_an_expectation_fails_in_some_interleaving(self):
        found = json.loads(self.gtest("--test=Counter.LosesAnUpdate", "--json=-", "--save=bug.schedule", code=1).stdout)
        finding = found["findings"][0]
        self.assertEqual(finding["kind"], "assertion")
        self.assertIn("a GoogleTest expectation failed", finding["message"])
        self.assertRegex(finding["where"], r"queue_gtest\.cpp:26")
        self.assertEqual(finding["explanation"]["pattern"], "lost update")
        again = self.heddle("replay", "bug.schedule", code=1).stdout
        self.assertIn("Which is: 1", again)   # what GoogleTest says about it
        self.assertIn("a GoogleTest expectation failed", again)

    def test_all_interleavings_of_a_good_one(self):
        found = json.loads(self.gtest("--test=Counter.CountsUnderALock", "--json=-", code=0).stdout)
        self.assertTrue(found["exhausted"])
        self.assertGreaterEqual(found["classes"], 2)

    def test_an_exception_is_a_finding(self):
        found = json.loads(self.gtest("--test=Thrower.Throws", "--json=-", code=1).stdout)
        self.assertEqual(found["findings"][0]["kind"], "uncaught-exception")

    def test_each_on_its_own(self):
        out = self.gtest("--junit=all.xml", "--html=page.html", code=1).stdout
        self.assertIn("6 tests: 2 with a bug, 1 without, 0 inconclusive, 2 without a second thread, 1 skipped", out)
        self.assertEqual([line[5:] for line in out.splitlines() if line.startswith("test ")], NAMES)
        suites = xml.parse(self.dir / "all.xml").getroot()
        self.assertEqual((suites.get("tests"), suites.get("failures")), ("6", "2"))
        self.assertEqual([case.get("name") for case in suites.iter("testcase") if case.find("skipped") is not None],
                         ["Skipper.Skips"])
        self.assertEqual([case.get("name") for case in suites.iter("testcase")], NAMES)
        self.assertTrue((self.dir / "page-Counter.LosesAnUpdate.html").exists())
        self.assertTrue((self.dir / "page-Some_Times.IsPositive_0.html").exists())

    def test_what_cannot_be_run_does_not_stop_the_others(self):
        # Of the program under test: one that cannot be run, one that GoogleTest leaves out and that would fail, and one that passes.
        (self.dir / "mixed.cpp").write_text("""#include <gtest/gtest.h>
TEST(Mixed, Dies) { EXPECT_DEATH(abort(), ""); }
TEST(Mixed, DISABLED_Fails) { FAIL(); }
TEST(Mixed, Holds) { EXPECT_TRUE(true); }
""")
        done = self.heddle("run", "mixed.cpp", *GTEST_FLAGS, code=3)
        self.assertIn("test Mixed.Dies: the program calls fork", done.stderr)
        self.assertIn("2 tests: 0 with a bug, 0 without, 0 inconclusive, 1 without a second thread, 1 could not be run", done.stdout)

    def test_a_budget_for_all(self):
        (self.dir / "budget.cpp").write_text("""#include <atomic>
#include <thread>
#include "heddle/heddle.hpp"
void add(int times) {
  static std::atomic<int> count{0};
  auto work = [=] { for (int i = 0; i < times; ++i) ++count; };
  std::thread one(work), other(work);
  one.join();
  other.join();
}
HEDDLE_TEST(endless) { add(100); }
HEDDLE_TEST(quick) { add(1); }
HEDDLE_TEST(fails) { add(1); heddle_assert(false); }
""")
        done = self.heddle("run", "budget.cpp", "--total-seconds=2000ms", code=1).stdout
        table = done[done.rindex("\n\n"):].split("\n")
        self.assertRegex(table[3], r"^unsure  endless +\d+ +\d\.\d+  the time budget is used up")
        self.assertRegex(table[4], r"^no bug  quick   +2 +\d\.\d+  exhausted$")
        self.assertRegex(table[5], r"^BUG     fails   +1 +\d\.\d+  assertion at budget.cpp:13")
        self.assertEqual(table[6], "3 tests: 1 with a bug, 1 without, 1 inconclusive")
        # The one that needs it comes last.
        self.assertEqual([line[5:] for line in done.splitlines() if line.startswith("test ")], ["quick", "fails", "endless"])
        self.heddle("run", "budget.cpp", "--test=endless", "--total-seconds=0.2", code=2)
        for wrong in "10x", "m", "-1s", "":
            self.assertIn("is not a time" if wrong else "total-seconds",
                          self.heddle("run", "budget.cpp", f"--total-seconds={wrong}", code=3).stderr)

    def test_what_was_printed_is_shown_once(self):
        (self.dir / "prints.cpp").write_text("""#include <gtest/gtest.h>
#include <thread>
static int counter;
TEST(Prints, Once) {
  std::thread t([] { ++counter; });
  ++counter;
  t.join();
}
""")
        shown = self.heddle("run", "prints.cpp", *GTEST_FLAGS, code=1).stdout
        self.assertEqual(shown.count("[ RUN      ] Prints.Once"), 1)
        self.assertNotIn("native/runtime", shown)   # steps of libraries are not those of the runtime that called main

    def test_wrong_names(self):
        self.assertIn('did you mean "Counter.LosesAnUpdate"?', self.gtest("--test=Counter.LosesAnUpdates", code=3).stderr)
        self.assertIn("no test matches --filter=Nothing*", self.gtest("--filter=Nothing*", code=3).stderr)
        self.assertIn("--json=- takes one test", self.gtest("--json=-", code=3).stderr)
        self.assertIn("drop one of them", self.gtest("--test=A", "--filter=B", code=3).stderr)

    # HEDDLE_TEST

    def test_started_without_heddle(self):
        compiler = pathlib.Path(HEDDLE).parent.parent / "bin/heddle-c++"
        (self.dir / "main.cpp").write_text("int main() {}\n")
        subprocess.run([compiler, "main.cpp", "-o", "main"], cwd=self.dir, check=True)
        said = subprocess.run(["./main"], cwd=self.dir, text=True, capture_output=True)
        self.assertEqual((said.returncode, said.stdout), (0, ""))
        self.assertEqual(said.stderr.count("this is one schedule of the program"), 1)
        quiet = subprocess.run(["./main"], cwd=self.dir, capture_output=True, env={**os.environ, "HEDDLE_QUIET": "1"})
        self.assertEqual(quiet.stderr, b"")

    def test_own_tests(self):
        self.assertEqual(self.heddle("run", OWN, "--list-tests", code=0).stdout.split(),
                         ["starts_at_zero", "may_be_seen_early", "is_seen_in_the_end"])
        out = self.heddle("run", OWN, code=1).stdout
        self.assertIn("3 tests: 1 with a bug, 1 without, 0 inconclusive, 1 without a second thread", out)
        one = json.loads(self.heddle("run", OWN, "--test=may_be_seen_early", "--json=-", "--all", code=1).stdout)
        self.assertEqual(one["classes"], 2)
        self.heddle("run", OWN, "--filter=is_*", code=0)

    def test_a_whole_program_has_none(self):
        (self.dir / "main.cpp").write_text("int main() {}\n")
        self.assertIn("note: no second thread was started", self.heddle("run", "main.cpp", code=0).stdout)
        self.assertIn("has no tests", self.heddle("run", "main.cpp", "--list-tests", code=3).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
