"""Inputs of native programs, from the outside.

Usage: inputs_test.py HEDDLE HEDDLE_CC

Random expressions: the runtime compares, at every branch on inputs, what the machine computed with what the term comes to, and
says so in the result if they differ; the solvers choose the values. Random programs: C against the same program as a model.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

HEDDLE, HEDDLE_CC = sys.argv[1:3]
TYPES = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"]


def run(*arguments, expect=None):
    done = subprocess.run([HEDDLE, *arguments], capture_output=True, text=True, timeout=600)
    if expect is not None and done.returncode != expect:
        raise AssertionError(f"{arguments}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def explore(path, *options):
    done = run("run", path, "--json=-", "--all", *options)
    if not done.stdout.startswith("{"):
        raise AssertionError(f"{path}: {done.stderr}")
    return json.loads(done.stdout)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


class Expressions:
    """C expressions without undefined behaviour: arithmetic on unsigned, shifts masked, divisors made odd."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def expression(self, depth):
        r = self.random
        if depth == 0:
            return r.choice(["x", "y", "z", str(r.choice([0, 1, 2, 3, 7, 10, 255, 4096, 65535, 2147483647])) + "u"])
        kind = r.randrange(9)
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        unsigned = r.choice(["unsigned", "unsigned long", "unsigned char", "unsigned short"])
        any_type = r.choice(TYPES)
        if kind < 3:
            return f"({unsigned})((unsigned long)({a}) {r.choice(['+', '-', '*'])} (unsigned long)({b}))"
        if kind == 3:
            return f"(({unsigned})({a}) {r.choice(['&', '|', '^'])} ({unsigned})({b}))"
        if kind == 4:
            return f"(({any_type})({a}) {r.choice(['<', '<=', '==', '!=', '>', '>='])} ({any_type})({b}))"
        if kind == 5:
            return f"((unsigned)({a}) {r.choice(['<<', '>>'])} (({b}) & 31u))"
        if kind == 6:
            return f"(({any_type})({a}) >> (({b}) & 3u))"
        if kind == 7:
            return f"((unsigned)({a}) {r.choice(['/', '%'])} ((unsigned)({b}) | 1u))"
        return f"(({any_type})({a}))"

    def program(self, count):
        lines = ["#include <heddle/heddle.h>", "static volatile int sink;", "int main(void) {"]
        for name in "xyz":
            lines.append(f"  const {self.random.choice(TYPES)} {name} = heddle_input(\"{name}\", "
                         f"{self.random.choice([8, 16, 32])}, {self.random.randrange(2)});")
        lines.append(f"  switch (heddle_choose({count})) {{")
        for case in range(count):
            wanted = self.random.choice([0, 1, 3, 200])
            lines.append(f"    case {case}: if (({self.expression(3)}) == {wanted}u) sink = 1; break;")
        return "\n".join(lines + ["  }", "  return 0;", "}"])


class Terms(unittest.TestCase):
    def test_terms_agree_with_the_machine(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(4):
                path = write(folder, f"expressions{seed}.c", Expressions(seed).program(24))
                for level in ("-O0", "-O2"):
                    result = explore(path, "--solver-limit=10000", "--", level)
                    self.assertEqual((result["reason"], result["verdict"]), ("", "no bug"), (seed, level))
                    self.assertGreater(result["classes"], 24)


class AgainstModels(unittest.TestCase):
    """Random threads that branch on inputs and on what others stored: as many classes in C as in the model.

    Every branch has an effect that the compiler must keep, or it would drop the branch; nor are the variables static."""

    def statements(self, r, depth, indent):
        out = []
        for _ in range(r.randrange(1, 3)):
            v, w, n = r.choice("xy"), r.choice("xy"), r.randrange(4)
            kind = r.randrange(4)
            if kind == 0:
                out.append(("store", v, n))
            elif kind == 1:
                out.append(("keep", v))
            elif depth > 0:
                out.append(("if", r.choice(["==", ">"]), n, w, self.statements(r, depth - 1, indent + 1)))
        return out

    def model(self, body):
        text = ""
        for s in body:
            if s[0] == "store":
                text += f"{s[1]} = {s[2]}; "
            elif s[0] == "keep":
                text += f"{s[1]} = i; "
            else:
                text += f"l = {s[3]}; if (l + i {s[1]} {s[2]}) {{ {self.model(s[4])} }} "
        return text

    def native(self, body):
        text = ""
        for s in body:
            if s[0] == "store":
                text += f"atomic_store(&{s[1]}, {s[2]}); "
            elif s[0] == "keep":
                text += f"atomic_store(&{s[1]}, i); "
            else:
                text += f"l = atomic_load(&{s[3]}); if ((int)((unsigned)l + (unsigned)i) {s[1]} {s[2]}) {{ s = 1; {self.native(s[4])} }} "
        return text

    def test_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(8):
                r = random.Random(1000 + seed)
                bodies = [self.statements(r, 2, 1) for _ in range(2)]
                model = "shared int x, y;\n" + "".join(
                    f"thread t{k} {{ int i = input(); int l = 0; {self.model(b)} }}\n" for k, b in enumerate(bodies))
                native = "#include <heddle/heddle.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n" + "".join(
                    f"static void *t{k}(void *p) {{ int i = heddle_input_int(\"i\"), l = 0; volatile int s = 0; {self.native(b)} (void)l; (void)s; return p; }}\n"
                    for k, b in enumerate(bodies)) + (
                    "int main(void) { pthread_t a, b; pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0);\n"
                    "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n")
                expected = explore(write(folder, f"m{seed}.hed", model))
                found = explore(write(folder, f"m{seed}.c", native))
                for key in ("classes", "executions", "exhausted", "verdict"):
                    self.assertEqual(found[key], expected[key], (key, model))


PARSER = """#include <heddle/heddle.h>
int main(void) {
  const int x = heddle_input_int("x"), y = heddle_input_int("y");
  if (x > y)
    if ((int)((unsigned)x * (unsigned)y) == 1452)
      if (x / 2 == 5) heddle_fail("reached");
  return 0;
}
"""


# Fails only if the other thread is in time, was given the right word, and main the right number.
THREADS = """#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static atomic_int open;
static void *other(void *unused) {
  char name[4];
  heddle_input_bytes(name, sizeof name, "name");
  if (strcmp(name, "key") == 0) atomic_store(&open, 1);
  return unused;
}
int main(void) {
  int amount = heddle_input_int("amount");
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  if (atomic_load(&open)) heddle_assert(amount != 42);
  pthread_join(thread, 0);
  return 0;
}
"""


# Values that an operation needs as plain numbers: a size, and what is compared and swapped elsewhere.
SIZED = """#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_int() & 7;
  char* p = malloc(n + 1);
  assert(n != 5);
  free(p);
  return 0;
}
"""
SWAPPED = """#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int x;
static void* one(void* a) {
  int r = __VERIFIER_nondet_int() & 3, expected = 0;
  __atomic_store_n(&x, r, __ATOMIC_SEQ_CST);
  if (r < 1) assert(!__atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return a;
}
static void* two(void* a) {
  __atomic_store_n(&x, __VERIFIER_nondet_int() & 1, __ATOMIC_SEQ_CST);
  return a;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
"""


class Results(unittest.TestCase):
    def test_values_taken_one_by_one_replay(self):
        for name, text in (("sized.c", SIZED), ("swapped.c", SWAPPED)):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                path, saved = write(folder, name, text), os.path.join(folder, "bug.schedule")
                run("run", path, "--all", f"--save={saved}", expect=1)
                self.assertIn("bug 1: assertion", run("replay", saved, expect=1).stdout)

    def test_inputs_by_name_and_replay(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, "parser.c", PARSER)
            saved = os.path.join(folder, "bug.schedule")
            shown = run("run", path, f"--save={saved}", expect=1).stdout
            self.assertIn("x[main,1] = 10", shown)
            self.assertIn("y[main,2] = -858993314", shown)
            with open(saved) as file:
                self.assertIn("input x[main,1]=10", file.read())
            self.assertIn("reached", run("replay", saved, expect=1).stdout)

    def test_a_file_per_path(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, "parser.c", PARSER)
            tests = os.path.join(folder, "tests")
            run("run", path, "--all", f"--tests={tests}", expect=1)
            schedules = sorted(n for n in os.listdir(tests) if n.endswith(".schedule"))
            self.assertEqual(len(schedules), 4)
            codes = [run("replay", "--quiet", os.path.join(tests, n)).returncode for n in schedules]
            self.assertEqual(sorted(codes), [1, 2, 2, 2])

    def test_the_unit_test_of_the_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            path, tests = write(folder, "threads.c", THREADS), os.path.join(folder, "tests")
            run("run", path, "--all", f"--tests={tests}", expect=1)
            binary = os.path.join(folder, "replay")
            subprocess.run(["c++", "-std=c++17", os.path.join(tests, "replay_test.cpp"), "-o", binary, "-lgtest", "-lgtest_main",
                            "-pthread"], check=True)

            def passes():
                return subprocess.run([binary], env={**os.environ, "HEDDLE": HEDDLE}, capture_output=True).returncode == 0
            self.assertTrue(passes())
            write(folder, "threads.c", THREADS.replace("!= 42", "!= 43"))   # what was to fail does not
            self.assertFalse(passes())

    def test_a_bug_of_threads_and_an_input(self):
        with tempfile.TemporaryDirectory() as folder:
            path, saved, page = write(folder, "threads.c", THREADS), os.path.join(folder, "bug.schedule"), os.path.join(folder, "bug.html")
            done = run("run", path, f"--save={saved}", f"--html={page}", f"--json={os.path.join(folder, 'out.json')}", expect=1)
            for shown in (done.stdout, run("replay", saved, expect=1).stdout):
                self.assertIn("amount[main,1] = 42", shown)
                self.assertIn('name[t1,1..4] = "key\\0"', shown)
            with open(os.path.join(folder, "out.json")) as file:
                (finding,) = json.load(file)["findings"]
            self.assertEqual(finding["inputs"], {"amount[main,1]": 42, **{f"name[t1,{k + 1}]": ord(c) for k, c in enumerate("key\0")}})
            with open(page) as file:
                self.assertIn("amount[main,1] = 42", file.read())

    def test_a_library_function_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, "library.c", "#include <heddle/heddle.h>\n#include <stdlib.h>\nint main(void) {\n"
                         "  volatile int s = 0;\n  if (labs(heddle_input_long(\"n\")) > 5) s = 1;\n"
                         "  if (div(heddle_input_int(\"m\"), 3).quot == 4) s = 2;\n  return 0;\n}\n")
            result = explore(path)
            self.assertEqual((result["exhausted"], result["verdict"]), (False, "inconclusive"))
            self.assertRegex(result["reason"], r"library\.c:6:\d+: an argument of div")

    def test_every_file_or_a_note(self):
        with tempfile.TemporaryDirectory() as folder:
            main = write(folder, "main.c", "#include <heddle/heddle.h>\nint f(int);\nint main(void) { return f(heddle_input_int(\"n\")) == 9 ? 0 : 0; }\n")
            other = write(folder, "other.c", "int f(int n) { volatile int s = 0; if (n > 3) s = 9; return s; }\n")
            result = explore(main, "--", other)
            self.assertIn("compiled without tracking", result["reason"])
            result = explore(main, "--symbolic", "--", other)
            self.assertEqual((result["reason"], result["exhausted"]), ("", True))
            self.assertEqual(result["classes"], 2)

    def test_what_the_program_is_given(self):
        source = os.path.join(os.path.dirname(__file__), "..", "..", "programs", "inputs")
        with tempfile.TemporaryDirectory() as folder:
            for name, option, value in (("arguments", "--symbolic-args=1:3", r'arg1\[main,1\.\.3\] = "-x\d"'),
                                        ("environment", "--symbolic-env=MODE:2", r'MODE\[main,1\.\.2\] = "on"'),
                                        ("standard_input", "--symbolic-stdin=4", r'stdin\[main,1\.\.4\] = ("#|23 )')):
                saved, tests = os.path.join(folder, name), os.path.join(folder, name + "-tests")
                shown = run("run", os.path.join(source, name + ".c"), option, "--all", f"--save={saved}", f"--tests={tests}", expect=1)
                self.assertRegex(shown.stdout, value)
                self.assertRegex(run("replay", saved, expect=1).stdout, value)
                codes = [run("replay", "--quiet", os.path.join(tests, n)).returncode
                         for n in os.listdir(tests) if n.endswith(".schedule")]
                self.assertEqual(sorted(codes), [1, 2, 2, 2, 2])

    def test_standard_input_of_other_code_is_noted(self):
        with tempfile.TemporaryDirectory() as folder:
            c = write(folder, "scanned.c", "#include <stdio.h>\nint main(void) {\n  int n = 0;\n"
                      "  if (scanf(\"%d\", &n) != 1) return 0;\n  return n > 500;\n}\n")
            cxx = write(folder, "streamed.cpp", "#include <iostream>\nint main() {\n  int n = 0;\n  std::cin >> n;\n  return n > 500;\n}\n")
            for path in (c, cxx):
                result = explore(path, "--symbolic-stdin=2")
                self.assertEqual((result["verdict"], result["exhausted"]), ("inconclusive", False), path)
                self.assertIn("standard input read by code without tracking", result["reason"])

    def test_settings_of_a_schedule_are_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, "p.c", "int main(int n, char **v) { return v[n - 1][0] == 'x'; }\n")
            saved = os.path.join(folder, "bug.schedule")
            run("run", path, "--symbolic-args=1:1", f"--save={saved}", expect=1)
            with open(saved) as file:
                text = file.read()
            self.assertIn("symbolic-args=1:1", text)
            for wrong in ("symbolic-args=0:1", "symbolic-args=x", "symbolic-file=1"):
                write(folder, "bug.schedule", text.replace("symbolic-args=1:1", wrong))
                self.assertIn(wrong, run("replay", saved, expect=3).stderr)

    def test_symbolic_reads_replay(self):
        source = os.path.join(os.path.dirname(__file__), "..", "..", "programs", "inputs", "table_locked.c")
        with tempfile.TemporaryDirectory() as folder:
            saved = os.path.join(folder, "bug.schedule")
            run("run", source, "--symbolic-reads=4", f"--save={saved}", expect=1)
            with open(saved) as file:
                self.assertIn("symbolic-reads=4", file.read())
            shown = run("replay", saved, expect=1).stdout
            self.assertIn("weight[main,1] = 77", shown)
            self.assertEqual(int(re.search(r"i\[main,2\] = (\d+)", shown).group(1)) % 4, 2)
            for option in ("--algorithm=dpor", "--algorithm=source-dpor", "--isolation=process"):
                self.assertEqual(explore(source, "--symbolic-reads=4", option)["classes"], 3, option)

    def test_new_coverage_finds_new_lines_first(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, "loop.c", "#include <heddle/heddle.h>\nint main(void) {\n  for (int i = 0; i < 10; i++)\n"
                         "    if (heddle_input_int(\"n\") > 5)\n      heddle_assert(i != 1);\n  return 0;\n}\n")
            for order, executions in (("new-coverage", 1), ("dfs", 257)):
                for isolation in ("in-process", "process"):
                    done = run("run", path, "--json=-", f"--branches={order}", f"--isolation={isolation}", "--", "-O0", expect=1)
                    self.assertEqual(json.loads(done.stdout)["executions"], executions, (order, isolation))

    def test_branch_orders_and_algorithms_agree(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, "parser.c", PARSER)
            for option in ("--branches=random:3", "--branches=new-coverage", "--algorithm=dpor", "--algorithm=source-dpor",
                           "--algorithm=exhaustive", "--isolation=process"):
                self.assertEqual(explore(path, option)["classes"], 4, option)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
