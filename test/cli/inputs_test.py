#!/usr/bin/env python3
"""Options about inputs, on models: each does what it says, and refuses what it does not know."""
import re
import unittest

from harness import HeddleTest

# Three paths; the middle one fails.
THREE_PATHS = """shared int x;
thread t {
  int v = input();
  if (v > 10) {
    if (v < 20) assert(v != 15);
  }
}
"""

# A thread and inputs: the assertion needs v == 7 and the right order.
RACE = """shared int x = 0;
thread setter {
  int v = input();
  if (v == 7) x = 1;
}
thread reader {
  assert(x == 0);
}
"""

# x * y is 2^31 - 1 + 2^31 of two odd factors of 16 bits each or more: no cheap pass helps.
HARD = """thread t {
  int a = input();
  int b = input();
  assume(a > 1 && b > 1 && a < 65536 && b < 65536);
  if (a * b == 1073676289) {
    if (a * a + b * b * b == 77) assert(0);
  }
}
"""


class Inputs(HeddleTest):
    def result(self, text, *options, expect=None):
        self.write("p.hed", text)
        return self.heddle("run", "p.hed", *options, expect=expect).stdout

    def refused(self, *options, says):
        self.write("p.hed", THREE_PATHS)
        self.assertIn(says, self.heddle("run", "p.hed", *options, expect=3).stderr)

    def test_inputs(self):
        self.assertIn(" 4 classes", self.result(THREE_PATHS, "--all"))
        drawn = self.result(THREE_PATHS, "--all", "--inputs=random:7")
        self.assertIn(" 1 class", drawn)
        self.assertIn("random", drawn)
        self.assertEqual(re.sub(r"[\d.]+ s$", "", drawn), re.sub(r"[\d.]+ s$", "", self.result(THREE_PATHS, "--all", "--inputs=random:7")))
        self.refused("--inputs=guessed", says='"guessed" is neither explore nor random[:SEED]')

    def test_check(self):
        divides = "thread t { int v = input(); int q = 100 / v; }\n"
        self.assertIn("division", self.result(divides, expect=1))
        self.result(divides, "--check=none", expect=0)
        adds = "thread t { int v = input(); int q = v + 1; }\n"
        self.result(adds, expect=0)
        self.assertIn("overflow", self.result(adds, "--check=overflow", expect=1))
        index = "shared int a[3];\nthread t { int v = input(); a[v] = 1; }\n"
        self.result(index, expect=1)
        self.result(index, "--check=none", expect=0)
        self.refused("--check=dive", says="dive")

    def first_path(self, *options):
        """The inputs of the first execution's file."""
        self.write("p.hed", THREE_PATHS)
        self.heddle("run", "p.hed", "--max-executions=1", "--tests=first", *options)
        (file,) = (self.folder / "first").glob("*.schedule")
        text = file.read_text()
        file.unlink()
        return int(re.search(r"^input .*=(-?\d+)$", text, re.M).group(1))

    def test_branches(self):
        for order in ("dfs", "random:1", "random:2", "new-coverage"):
            self.assertIn(" 4 classes", self.result(THREE_PATHS, "--all", f"--branches={order}"), order)
        # Depth first goes where the inputs at hand (0) lead; some seed begins elsewhere.
        self.assertEqual(self.first_path("--branches=dfs"), 0)
        self.assertTrue(any(self.first_path(f"--branches=random:{seed}") > 10 for seed in range(8)))
        self.refused("--branches=bfs", says='"bfs" is none of dfs, random, new-coverage')

    def executions(self, shown):
        return int(re.search(r"(\d+) execution", shown[shown.rindex("optimal-dpor"):]).group(1))

    def test_new_coverage_finds_new_lines_first(self):
        # The second turn must differ from the first. Depth first goes through the 2^8 ways of the later turns before that; an
        # outcome that has not been seen at this place is tried at once.
        loop = ("thread t {\n  int n = 0;\n  for (int i = 0; i < 10; i = i + 1) {\n"
                "    if (input() > 5) {\n      if (i == 1) error(\"reached\");\n    }\n  }\n}\n")
        self.assertEqual(self.executions(self.result(loop, "--branches=new-coverage", expect=1)), 1)
        self.assertEqual(self.executions(self.result(loop, "--branches=dfs", expect=1)), 257)

    def test_solver(self):
        for how in ("staged", "incremental", "scratch"):
            self.assertIn(" 4 classes", self.result(THREE_PATHS, "--all", f"--solver={how}"), how)
        shown = self.result(THREE_PATHS, "--all", "--solver=scratch", "--stats")
        self.assertRegex(shown, r"without a solver 0 \(0.0 %\)")
        self.assertRegex(shown, r"Z3 [1-9]\d* \(100.0 %\)")
        self.assertRegex(self.result(THREE_PATHS, "--all", "--stats"), r"median solver call [\d.]+ ms, 95 % within [\d.]+ ms")
        self.refused("--solver=oracle", says='"oracle" is none of staged, incremental, scratch')

    def test_an_undecided_path_is_named(self):
        shown = self.result(HARD, "--solver-limit=1", "--all", expect=2)
        self.assertIn("inconclusive", shown)
        self.assertRegex(shown, r"p\.hed:\d+:\d+: ")
        self.refused("--solver-limit=soon", says='"soon" is not a whole number')

    def test_tests_replay(self):
        self.write("p.hed", THREE_PATHS)
        self.heddle("run", "p.hed", "--all", "--tests=made", expect=1)
        files = sorted((self.folder / "made").glob("*.schedule"))
        self.assertEqual(len(files), 4)
        self.assertEqual(sorted(self.heddle("replay", "--quiet", str(f)).returncode for f in files), [1, 2, 2, 2])
        self.write("blocked", "a file")
        self.refused("--tests=blocked/made", says="blocked/made")

    def test_coverage(self):
        self.result(THREE_PATHS, "--all", "--coverage=out.info", expect=1)
        text = (self.folder / "out.info").read_text()
        self.assertIn("SF:p.hed", text)
        self.assertRegex(text, r"DA:5,[1-9]")
        self.assertRegex(text, r"BRDA:4,\d+,0,[1-9]")
        self.refused("--coverage=nowhere/out.info", says="nowhere/out.info")

    def test_symbolic_reads(self):
        table = ("shared int t[8] = {0, 1, 4, 9, 16, 25, 36, 49};\n"
                 "thread a { int i = input() & 7; int v = t[i]; assert(v != 25); }\n")
        self.assertIn(" 8 classes", self.result(table, "--all", expect=1))
        shown = self.result(table, "--all", "--symbolic-reads=8", "--save=bug.schedule", expect=1)
        self.assertIn(" 2 classes", shown)
        self.assertIn(" 8 classes", self.result(table, "--all", "--symbolic-reads=7", expect=1))
        text = (self.folder / "bug.schedule").read_text()
        self.assertIn("symbolic-reads=8", text)
        self.assertIn("v != 25", self.heddle("replay", "bug.schedule", expect=1).stdout)
        self.write("bug.schedule", text.replace("symbolic-reads=8", "symbolic-reads=many"))
        self.assertIn('"many" is not a whole number', self.heddle("replay", "bug.schedule", expect=3).stderr)
        self.refused("--symbolic-reads=70000", says='"70000" is more than 65536 elements')

    def test_native_options_are_not_for_models(self):
        for option in ("--symbolic-args=1", "--symbolic-env=X", "--symbolic-stdin=3", "--symbolic"):
            self.refused(option, says=option.split("=")[0])

    def test_sizes(self):
        self.refused("--symbolic-args=0", says='"0" is not between 1 and 64 arguments')
        self.refused("--symbolic-args=2:0", says='"0" is not between 1 and 4096 bytes')
        self.refused("--symbolic-args=two", says='"two" is not a whole number')
        self.refused("--symbolic-env==:3", says="is not of the form NAME or NAME:LENGTH")
        self.refused("--symbolic-env=A", "--symbolic-env=A:3", says="names a variable that is named already")
        self.refused("--symbolic-stdin=99999", says='"99999" is not between 1 and 4096 bytes')

    def test_a_bug_of_order_and_inputs_is_explained(self):
        shown = self.result(RACE, "--save=bug.schedule", expect=1)
        self.assertIn("input[setter,1] = 7", shown)
        self.assertIn("shortest way there: 0 pre-emptions", shown)
        self.assertIn("why:", shown)
        self.assertIn("input[setter,1] = 7", self.heddle("replay", "bug.schedule", expect=1).stdout)


if __name__ == "__main__":
    unittest.main()
