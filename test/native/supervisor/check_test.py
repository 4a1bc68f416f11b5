"""--check of C and C++ programs: it changes no count, and a failed invariant says so with its schedule.

Usage: check_test.py HEDDLE
"""
import json
import pathlib
import unittest

from heddle_case import HeddleCase

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = ["c/mutex.c", "c/rwlock.c", "c/semaphore.c", "c/condition.c", "c/barrier.c", "c/futex.c", "c/mutex_robust.c",
            "findings/destroyed_spinlock.c", "findings/destroyed_barrier.c", "known_steps/rounds.c", "waiting/event_count.cpp",
            "known_steps/operands.c"]
COUNTS = ("verdict", "exhausted", "classes", "executions", "steps", "deadlocked", "failed")

# What a system call in assembly does to its own memory is not seen.
BEHIND_ITS_BACK = """
    #include <pthread.h>

    static _Alignas(4096) char page[4096];
    static int x;

    static void *work(void *argument) {
      __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
      return argument;
    }

    int main(void) {
      long result;
      __asm__ volatile("syscall" : "=a"(result) : "a"(10L), "D"(page), "S"(4096L), "d"(3L) : "rcx", "r11", "memory");
      ++page[0];
      pthread_t t[2];
      for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, work, 0);
      for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
      return 0;
    }
"""


class Check(HeddleCase):
    def result(self, *arguments):
        out = self.dir / "out.json"
        self.heddle("run", *arguments, f"--json={out}", "--quiet", code=self.code)
        result = json.loads(out.read_text())
        return {k: result[k] for k in COUNTS} | {"findings": [(f["kind"], f["message"], f["count"]) for f in result["findings"]]}

    def test_counts_stay(self):
        for name in PROGRAMS:
            for options in ([], ["--algorithm=source-dpor"], ["--isolation=process"]) if name == "c/mutex.c" else ([],):
                with self.subTest(program=name, options=options):
                    self.code = 1 if name.startswith("findings") else 0
                    words = [ROOT / "test/programs" / name, "--all", *options]
                    if not options:
                        words.append("--algorithm=optimal-dpor")
                    self.assertEqual(self.result(*words, "--check"), self.result(*words, "--memory=sc"))

    def test_an_invariant_that_does_not_hold_shows_its_schedule(self):
        self.write("behind.c", BEHIND_ITS_BACK)
        self.heddle("run", "behind.c", "--all", code=0)
        done = self.heddle("run", "behind.c", "--all", "--check", code=2)
        self.assertRegex(done.stdout, r"internal error: SLOW_INVARIANT\(.*world\.is_at_start\(\)")
        self.assertIn("please report it", done.stdout)
        self.assertIn("heddle: the execution at hand was\nheddle-schedule 1\n", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=["check_test.py"])
