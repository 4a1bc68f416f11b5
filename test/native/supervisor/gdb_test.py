"""`heddle replay FILE --gdb`, with gdb's commands coming from a pipe.

Usage: gdb_test.py HEDDLE
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HEDDLE = sys.argv[1]
SOURCE = pathlib.Path(__file__).resolve().parents[3]


class GdbTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.schedule = pathlib.Path(folder.name) / "bug.schedule"

    def save(self, program, *options):
        done = subprocess.run([HEDDLE, "run", program, f"--save={self.schedule}", "--quiet", *options], cwd=SOURCE,
                              text=True, capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 1, done.stderr)

    def gdb(self, *commands):
        """What each command printed, after what gdb printed on its own."""
        marked = "".join(f"echo ---\\n\n{command}\n" for command in commands)
        done = subprocess.run([HEDDLE, "replay", self.schedule, "--gdb"], cwd=SOURCE, text=True, capture_output=True,
                              input=marked + "quit\n", timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        parts = re.sub(r"\(gdb\) ", "", done.stdout).split("---\n")
        self.assertEqual(len(parts), len(commands) + 1, done.stdout + done.stderr)
        return parts

    def test_steps_forwards_and_back(self):
        self.save("examples/lost_update.cpp")
        start, back, trace, until, following, forward, threads, failure = self.gdb(
            "heddle back", "heddle trace", "heddle until 4", "heddle next", "heddle next 2", "heddle threads",
            "heddle until failure")
        self.assertIn("failure after step 9: assertion visitors == 2 failed", start)
        self.assertIn("lost_update.cpp:18", start)
        self.assertIn("step 9, main: read visitors = 1", back)
        self.assertRegex(trace, r"=>     9  main +read visitors = 1 +examples/lost_update.cpp:18")
        self.assertIn("!  assertion", trace)
        self.assertIn("step 4, T2: read visitors = 0   <- the critical step", until)
        self.assertIn("lost_update.cpp:11", until)
        self.assertIn("step 5, T2: write visitors = 1", following)
        self.assertIn("step 7, main: join T1", forward)
        self.assertRegex(threads, r"\* +\d+  main +step 7: join T1")
        self.assertRegex(threads, r"  +\d+  T1 +nothing more in this run")
        self.assertIn("failure after step 9", failure)

    def test_the_values_are_those_of_the_step(self):
        self.save("examples/lost_update.cpp")
        _, _, before, _, after = self.gdb("heddle until 6", "print visitors._M_i", "heddle until 7", "print visitors._M_i")
        self.assertIn("= 1", before)
        self.assertIn("= 1", after)
        _, _, first = self.gdb("heddle until 4", "print visitors._M_i")
        self.assertIn("= 0", first)

    def test_gdb_sees_the_threads(self):
        self.save("examples/lost_update.cpp")
        _, _, threads, stacks = self.gdb("heddle until 4", "info threads", "thread apply all -q backtrace")
        self.assertIn('"main"', threads)
        self.assertEqual(len(re.findall(r"\(LWP \d+\)|LWP \d+", threads)), 4)   # and the engine's own
        self.assertIn("main () at", stacks)
        self.assertEqual(len(re.findall(r"enter \(\) at", stacks)), 2)

    def test_a_deadlock_is_stopped_at(self):
        self.save("examples/dining.cpp")
        start, threads = self.gdb("heddle threads")
        self.assertRegex(start, r"failure after step \d+: deadlock")
        self.assertRegex(threads, r"waits to lock")

    def test_a_data_race_with_memory_that_became_visible(self):
        self.save("test/programs/c/plain_lost_update.c")
        start, back = self.gdb("heddle back")
        self.assertIn("data race", start)
        self.assertIn("plain_lost_update.c:10", start)
        self.assertRegex(back, r"step \d+, T\d: (read|write) x")

    def test_a_crash_is_stopped_at(self):
        self.save("test/programs/findings/crash.c")
        start, backtrace = self.gdb("backtrace")
        self.assertIn("crash.c:", start)
        self.assertIn("crash.c:", backtrace)

    def test_bad_commands_say_what_is_wrong(self):
        self.save("examples/lost_update.cpp")
        done = subprocess.run([HEDDLE, "replay", self.schedule, "--gdb"], cwd=SOURCE, text=True, capture_output=True,
                              input="heddle until\nheddle next x\nheddle back 100\nquit\n", timeout=300)
        self.assertIn("needs the number of a step", done.stderr)
        self.assertIn("is not a number from 1 on", done.stderr)
        self.assertIn("there is no step before the first", done.stderr)

    def test_what_cannot_be_debugged_is_refused(self):
        self.schedule.write_text("heddle-schedule 1\nprogram examples/bank.hed\nsteps 0\nend\n")
        done = subprocess.run([HEDDLE, "replay", self.schedule, "--gdb"], cwd=SOURCE, text=True, capture_output=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("is a model", done.stderr)
        done = subprocess.run([HEDDLE, "replay", self.schedule, "--gdb", "--quiet"], cwd=SOURCE, text=True, capture_output=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("does not go with", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
