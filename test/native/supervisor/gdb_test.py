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

    def save(self, program, *options, cwd=SOURCE):
        done = subprocess.run([HEDDLE, "run", program, f"--save={self.schedule}", "--quiet", *options], cwd=cwd,
                              text=True, capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 1, done.stderr)

    def gdb(self, *commands, cwd=SOURCE):
        """What each command printed, after what gdb printed on its own."""
        marked = "".join(f"echo ---\\n\n{command}\n" for command in commands)
        done = subprocess.run([HEDDLE, "replay", self.schedule, "--gdb"], cwd=cwd, text=True, capture_output=True,
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
        for name in ("main", "T1", "T2"):
            self.assertIn(f'"{name}"', threads)
        self.assertEqual(len(re.findall(r"\(LWP \d+\)|LWP \d+", threads)), 4)   # and the engine's own
        self.assertIn("main () at", stacks)
        self.assertEqual(len(re.findall(r"enter \(\) at", stacks)), 2)

    def test_a_deadlock_is_stopped_at(self):
        self.save("examples/dining.cpp")
        start, threads, kernel, failure = self.gdb("heddle threads", "info threads", "heddle until failure")
        self.assertRegex(start, r"failure after step \d+: deadlock: .*T1 waits to lock forks\[1\], held by T2")
        self.assertRegex(start, r"in T[123]:\n#\d+ +(0x\w+ in )?dine \(.*dining\.cpp:15\n15\t")
        self.assertNotIn("No such file", start)
        self.assertRegex(threads, r"\* +\d+  T[123] +waits to lock")
        self.assertRegex(kernel, r'\* \d+ .*"T[123]"')
        self.assertEqual(failure, start[start.index("failure after"):])

    def test_a_lost_wakeup_is_stopped_at_in_the_one_that_sleeps(self):
        self.save("examples/lost_wakeup.cpp")
        start, threads = self.gdb("heddle threads")
        self.assertRegex(start, r"in T1:\n#.*lost_wakeup\.cpp:16\n16\t")
        self.assertRegex(threads, r"\* +\d+  T1 +waits for a signal of arrived")

    def test_a_data_race_with_memory_that_became_visible(self):
        self.save("test/programs/c/plain_lost_update.c")
        start, back = self.gdb("heddle back")
        self.assertIn("data race", start)
        self.assertIn("plain_lost_update.c:10", start)
        self.assertRegex(back, r"step \d+, T\d: (read|write) x")

    def test_a_crash_is_stopped_at(self):
        self.save("test/programs/findings/crash.c")
        start, backtrace, threads, trace, back, on, failure = self.gdb(
            "backtrace", "heddle threads", "heddle trace", "heddle back", "heddle until 3", "heddle until failure")
        self.assertIn("crash.c:16", start)
        self.assertIn("after step 4\n", start)
        self.assertIn("crash.c:", backtrace)
        self.assertRegex(threads, r"\* +\d+  T2 +nothing more in this run")
        self.assertRegex(threads, r"main +step 5: join T1")
        self.assertIn("=>     !  crash", trace)
        self.assertIn("step 4, T2: read pointer", back)
        self.assertIn("step 3, T1: write pointer", on)
        self.assertIn("after step 4\n", failure)

    def test_breakpoints_of_the_users_own(self):
        self.save("test/programs/findings/crash.c")
        _, _, _, hit, threads, on, _, failure = self.gdb(
            "heddle until 2", "break right", "continue", "heddle threads", "heddle next", "delete", "continue")
        self.assertIn("hit Breakpoint 1, right", hit)
        self.assertRegex(threads, r"T1 +step 3: write")
        self.assertIn("step 3, T1: write pointer", on)
        self.assertIn("SIGSEGV", failure)
        self.assertNotIn("step 4,", failure)

    def test_a_project_whose_sources_are_spelled_like_heddles(self):
        project = self.schedule.parent / "project"
        for folder in ("src/native", "build"):
            (project / folder).mkdir(parents=True)
        (project / "src/native/x.cpp").write_text((SOURCE / "examples/lost_update.cpp").read_text())
        self.save("../src/native/x.cpp", cwd=project / "build")
        start, until = self.gdb("heddle until 4", cwd=project / "build")
        self.assertIn("../src/native/x.cpp:18\n18\t", start)
        self.assertIn("../src/native/x.cpp:11\n11\t", until)

    def test_bad_commands_say_what_is_wrong(self):
        self.save("examples/lost_update.cpp")
        done = subprocess.run([HEDDLE, "replay", self.schedule, "--gdb"], cwd=SOURCE, text=True, capture_output=True,
                              input="heddle until\nheddle next x\nheddle back 100\nheddle until 99\nheddle failure\nheddle\nquit\n",
                              timeout=300)
        self.assertRegex(done.stderr, r"the run has \d+ steps")
        self.assertIn('there is no command "heddle failure"', done.stderr)
        self.assertIn("heddle until failure        to the failure", done.stdout)
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
