"""Line and branch coverage of native programs (--coverage), by parsing what is written.

Usage: coverage_test.py HEDDLE HEDDLE_CC
"""
import os
import subprocess
import sys
import tempfile
import unittest

HEDDLE, HEDDLE_CC = sys.argv[1:3]

# Lines by number: 9 needs both threads and an input, 16 is never run, 13 has a switch of three ways and a default.
PROGRAM = """#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include "twice.h"
static atomic_int flag;
static int n;
static void *worker(void *unused) {
  if (atomic_load(&flag) == 1 && n > 5)
    atomic_store(&flag, 2);
  return unused;
}
static int kind(int k) {
  switch (k) {
    case 1: return 10;
    case 2: case 3: return 20;
    case 4: return heddle_choose(1);
    default: return 0;
  }
}
int main(void) {
  n = heddle_input_int("n");
  heddle_assume(n > 0 && n != 4);
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  atomic_store(&flag, 1);
  pthread_join(thread, 0);
  for (int i = 0; i < 2; i++)
    twice(i);
  return kind(n) > 100;
}
"""
TWICE = "static inline int twice(int x) {\n  return x > 0 ? other() + x : x;\n}\n"


def run(*arguments, expect=None):
    done = subprocess.run([HEDDLE, *arguments], capture_output=True, text=True, timeout=600)
    if expect is not None and done.returncode != expect:
        raise AssertionError(f"{arguments}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


class Lcov:
    """The records of a tracefile, and whether its sums are right."""

    def __init__(self, path):
        self.lines, self.branches = {}, {}
        with open(path) as file:
            for record in file.read().split("end_of_record\n")[:-1]:
                fields = [line.partition(":")[::2] for line in record.splitlines()]
                (name,) = (os.path.basename(value) for key, value in fields if key == "SF")
                lines = {int(v.split(",")[0]): int(v.split(",")[1]) for k, v in fields if k == "DA"}
                branches = [v.split(",") for k, v in fields if k == "BRDA"]
                sums = {k: int(v) for k, v in fields if k in ("LF", "LH", "BRF", "BRH")}
                assert sums == {"LF": len(lines), "LH": sum(n > 0 for n in lines.values()), "BRF": len(branches),
                                "BRH": sum(b[3] not in ("0", "-") for b in branches)}, (sums, record)
                self.lines[name] = lines
                self.branches[name] = {tuple(map(int, b[:3])): b[3] for b in branches}

    def missed(self, name):
        return [line for line, n in self.lines[name].items() if n == 0]

    def ways(self, name, line):
        return ["".join("-" if n == "-" else "1" if n != "0" else "0"
                        for (at, b, _), n in self.branches[name].items() if at == line and b == block)
                for block in sorted({b for at, b, _ in self.branches[name] if at == line})]


class Coverage(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name
        self.path("p.c", PROGRAM)
        self.path("twice.h", "int heddle_choose(int);\nstatic int other(void) { return heddle_choose(1); }\n" + TWICE)

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w") as file:
                file.write(text)
        return path

    def coverage(self, *arguments, expect=0):
        out = self.path("out.info")
        if os.path.exists(out):
            os.unlink(out)
        run("run", self.path("p.c"), "--all", f"--coverage={out}", *arguments, expect=expect)
        return Lcov(out)

    def check(self, found):
        self.assertEqual(found.missed("p.c"), [16])
        self.assertEqual(found.ways("p.c", 8), ["11", "11"])
        self.assertEqual(found.ways("p.c", 13), ["11110"])   # default, 1, 2, 3, 4
        self.assertEqual(found.ways("p.c", 27), ["11"])
        self.assertEqual(found.missed("twice.h"), [])
        self.assertEqual(found.ways("twice.h", 4), ["11"])
        self.assertNotIn("heddle.h", found.lines)

    def test_every_way_of_executing(self):
        for options in ([], ["--isolation=process"], ["--algorithm=dpor"], ["--", "-O0"], ["--", "-O2"]):
            self.check(self.coverage(*options))

    def test_what_was_not_explored_is_missed(self):
        found = self.coverage("--max-executions=1", "--inputs=explore", expect=2)
        self.assertGreater(len(found.missed("p.c")), 2)   # 16, and what the other inputs lead to

    def test_the_search_is_the_same(self):
        # Where the optimiser leaves the branches alone: counters keep it from removing any.
        without = run("run", self.path("p.c"), "--all", "--", "-O0", expect=0).stdout
        counted = run("run", self.path("p.c"), "--all", f"--coverage={self.path('out.info')}", "--", "-O0", expect=0).stdout
        self.assertEqual(without.rpartition(",")[0], counted.rpartition(",")[0])

    def test_executables(self):
        plain, counting = self.path("plain"), self.path("counting")
        subprocess.run([HEDDLE_CC, "-O1", self.path("p.c"), "-o", plain], check=True)
        refused = run("run", plain, f"--coverage={self.path('out.info')}", expect=3)
        self.assertIn("compile it with --heddle-coverage", refused.stderr)
        # Two objects that have the same inline function: one of them is linked.
        inline = "inline int sign(int x) {\n  if (x < 0)\n    return -1;\n  return 1;\n}\n"
        self.path("sign.h", inline)
        other = self.path("other.cpp", '#include "sign.h"\nint other(int x) { return sign(x); }\n')
        main = self.path("main.cpp", '#include "sign.h"\nint other(int);\nint main() { return sign(1) + other(-1); }\n')
        compiler = os.path.join(os.path.dirname(HEDDLE_CC), "heddle-c++")
        objects = []
        for source in (main, other):
            objects.append(source + ".o")
            subprocess.run([compiler, "--heddle-coverage", "-O0", "-c", source, "-o", objects[-1]], check=True)
        subprocess.run([compiler, *objects, "-o", counting], check=True)
        run("run", counting, f"--coverage={self.path('out.info')}", expect=0)
        found = Lcov(self.path("out.info"))
        self.assertEqual(found.missed("sign.h"), [])
        self.assertEqual(found.ways("sign.h", 2), ["11"])

    def test_tests_have_files_of_their_own(self):
        source = self.path("t.cpp", "#include <heddle/heddle.hpp>\nint seen;\nHEDDLE_TEST(one) {\n  seen = 1;\n}\n"
                           "HEDDLE_TEST(two) {\n  seen = 2;\n}\n")
        run("run", source, f"--coverage={self.path('t.info')}", expect=0)
        self.assertIn(7, Lcov(self.path("t-one.info")).missed("t.cpp"))
        self.assertIn(4, Lcov(self.path("t-two.info")).missed("t.cpp"))

    def test_replay_of_what_was_found_meanwhile(self):
        source = self.path("bug.c", '#include <heddle/heddle.h>\nint main(void) {\n  heddle_assert(heddle_input_int("n") != 7);\n  return 0;\n}\n')
        saved = self.path("bug.schedule")
        run("run", source, f"--coverage={self.path('bug.info')}", f"--save={saved}", expect=1)
        shown = run("replay", saved, expect=1)
        self.assertIn("n[main,1] = 7", shown.stdout)
        self.assertNotIn("has changed", shown.stdout + shown.stderr)

    def test_refused(self):
        out = self.path("out.info")
        self.assertIn("--instrument=tsan", run("run", self.path("p.c"), f"--coverage={out}", "--instrument=tsan", expect=3).stderr)
        self.assertIn("-j", run("run", self.path("p.c"), f"--coverage={out}", "-j", "2", expect=3).stderr)
        self.assertIn("nowhere", run("run", self.path("p.c"), "--coverage=nowhere/out.info", expect=3).stderr)
        self.assertIn("--heddle-instrument=tsan", subprocess.run(
            [HEDDLE_CC, "--heddle-coverage", "--heddle-instrument=tsan", "-c", self.path("p.c"), "-o", self.path("p.o")],
            capture_output=True, text=True).stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
