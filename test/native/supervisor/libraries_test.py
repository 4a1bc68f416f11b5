"""Code that is not seen: a shared library without instrumentation is an assumption of the verdict, and so is what a compiler
that cannot load the pass made of the source.

Usage: libraries_test.py HEDDLE HEDDLE_CC
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

HEDDLE, HEDDLE_CC = sys.argv[1:3]

LIBRARY = """
    static int count;
    double add_to_count(int n, double a, double b) { count += n; return a - b; }
    int look_at_count(void) { return count; }
    """
PROGRAM = """
    #include <assert.h>
    #include <pthread.h>
    double add_to_count(int, double, double);
    int look_at_count(void);
    static void* act(void* unused) {
      assert(add_to_count(1, 2.5, 0.5) == 2.0);
      return unused;
    }
    int main(void) {
      pthread_t t;
      look_at_count();
      pthread_create(&t, 0, act, 0);
      act(0);
      pthread_join(t, 0);
      return look_at_count() == 2 ? 0 : 1;
    }
    """

# Called in a loop, the look at the flag and the lock taken because of it come from one place.
ONCE = """
    #include <pthread.h>
    static pthread_once_t once[2];
    static int count;
    static void initialise(void) {}
    static void begin(void) {
      for (int i = 0; i < 4; ++i) pthread_once(&once[i / 2], initialise);
    }
    double add_to_count(int n, double a, double b) { begin(); count += n; return a - b; }
    int look_at_count(void) { begin(); return count; }
    """
# A lock whose atomics nobody sees; who waits for it does so in the kernel.
LOCK = """
    #include <linux/futex.h>
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    struct lock { int taken; };
    struct lock* make_lock(void) { return calloc(1, sizeof(struct lock)); }
    void take(struct lock* l) {
      while (__atomic_exchange_n(&l->taken, 1, __ATOMIC_ACQUIRE) != 0) syscall(SYS_futex, &l->taken, FUTEX_WAIT, 1, 0, 0, 0);
    }
    void give(struct lock* l) {
      __atomic_store_n(&l->taken, 0, __ATOMIC_RELEASE);
      syscall(SYS_futex, &l->taken, FUTEX_WAKE, 1, 0, 0, 0);
    }
    """
LOCKED = """
    #include <pthread.h>
    #include <sched.h>
    struct lock* make_lock(void);
    void take(struct lock*);
    void give(struct lock*);
    static struct lock* lock;
    static int count, other;
    static void* act(void* unused) {
      take(lock);
      ++count;
      sched_yield();
      ++count;
      give(lock);
    #ifdef BUG
      ++other;
    #endif
      return unused;
    }
    int main(void) {
      pthread_t t;
      lock = make_lock();
      pthread_create(&t, 0, act, 0);
      act(0);
      pthread_join(t, 0);
      return count == 4 ? 0 : 1;
    }
    """

# A thread of the library's own runs what it is given. How it is handed over nobody sees.
POOL = """
    #include <linux/futex.h>
    #include <pthread.h>
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    struct pool { pthread_t thread; void (*work[2])(void); int posted, done; };
    static void await_change(int* word, int from) {
      while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == from) syscall(SYS_futex, word, FUTEX_WAIT, from, 0, 0, 0);
    }
    static void count_up(int* word) {
      __atomic_fetch_add(word, 1, __ATOMIC_RELEASE);
      syscall(SYS_futex, word, FUTEX_WAKE, 1, 0, 0, 0);
    }
    static void* serve(void* argument) {
      struct pool* pool = argument;
      for (int i = 0; i < 2; ++i) {
        await_change(&pool->posted, i);
        pool->work[i]();
        count_up(&pool->done);
      }
      return 0;
    }
    struct pool* make_pool(void) {
      struct pool* pool = calloc(1, sizeof *pool);
      pthread_create(&pool->thread, 0, serve, pool);
      pthread_detach(pool->thread);
      return pool;
    }
    void post(struct pool* pool, void (*work)(void)) {
      pool->work[pool->posted] = work;
      count_up(&pool->posted);
    }
    void finish(struct pool* pool) {
      for (int i = 0; i < 2; ++i) await_change(&pool->done, i);
    }
    """
POSTED = """
    #include <assert.h>
    #include <stdatomic.h>
    struct pool* make_pool(void);
    void post(struct pool*, void (*)(void));
    void finish(struct pool*);
    static atomic_int looked_at;
    static int given, result;
    static void first(void) { ++looked_at; }
    static void second(void) { result = given + 1; }
    int main(void) {
      struct pool* pool = make_pool();
      post(pool, first);
      ++looked_at;
      given = 1;
      post(pool, second);
      finish(pool);
      return result >= 1 ? 0 : 1;
    }
    """


class LibrariesTest(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp())
        (self.dir / "count.c").write_text(textwrap.dedent(LIBRARY))
        (self.dir / "main.c").write_text(textwrap.dedent(PROGRAM))

    def explored(self, compiler, *options):
        subprocess.run([compiler, "-shared", "-fPIC", "-o", "libcount.so", "count.c"], cwd=self.dir, check=True)
        done = subprocess.run([HEDDLE, "run", "main.c", "--json=-", *options, "--", "-L.", "-lcount"], cwd=self.dir,
                              text=True, capture_output=True, env={**os.environ, "LD_LIBRARY_PATH": str(self.dir)})
        self.assertNotEqual(done.returncode, 3, done.stderr)
        return json.loads(done.stdout)

    def test_one_that_is_not_instrumented_is_said(self):
        for options in [], ["--instrument=tsan"], ["--isolation=process"], ["--races=explore"]:
            with self.subTest(options=options):
                result = self.explored("gcc", *options)
                self.assertEqual((result["verdict"], result["exhausted"]), ("no bug", True))
                [assumption] = result["assumptions"]
                self.assertEqual(assumption["kind"], "code-not-seen")
                self.assertIn("calls into libcount.so were not looked at", assumption["text"])
                # Each function where it was first called beside another thread.
                self.assertIn("main.c:7", ",".join(assumption["places"]))
                self.assertNotIn("main.c:12", ",".join(assumption["places"]))

    def test_a_lock_inside_one_orders_what_is_under_it(self):
        (self.dir / "lock.c").write_text(textwrap.dedent(LOCK))
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", "liblock.so", "lock.c"], cwd=self.dir, check=True)
        (self.dir / "locked.c").write_text(textwrap.dedent(LOCKED))
        for flags, races in ([], set()), (["-DBUG"], {"on other (4 bytes)"}):
            done = subprocess.run([HEDDLE, "run", "locked.c", "--all", "--json=-", "--", *flags, "-L.", "-llock"], cwd=self.dir,
                                  text=True, capture_output=True, env={**os.environ, "LD_LIBRARY_PATH": str(self.dir)})
            result = json.loads(done.stdout)
            self.assertEqual({f["message"].splitlines()[0] for f in result["findings"]}, races)
            self.assertIn("orders calls that are given the same object and nothing else", result["assumptions"][0]["text"])
            for finding in result["findings"]:
                self.assertIn("nothing that was looked at orders the two", finding["explanation"]["decisive"])

    def test_one_with_threads_of_its_own_orders_what_it_calls(self):
        (self.dir / "pool.c").write_text(textwrap.dedent(POOL))
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", "libpool.so", "pool.c"], cwd=self.dir, check=True)
        (self.dir / "posted.c").write_text(textwrap.dedent(POSTED))
        for flags in [], ["-O0"]:
            done = subprocess.run([HEDDLE, "run", "posted.c", "--all", "--json=-", "--", *flags, "-L.", "-lpool"], cwd=self.dir,
                                  text=True, capture_output=True, env={**os.environ, "LD_LIBRARY_PATH": str(self.dir)})
            self.assertNotEqual(done.returncode, 3, done.stderr)
            result = json.loads(done.stdout)
            self.assertEqual(result["findings"], [])

    def test_one_that_initialises_once_is_no_livelock(self):
        (self.dir / "count.c").write_text(textwrap.dedent(ONCE))
        (self.dir / "main.c").write_text(textwrap.dedent(PROGRAM))
        result = self.explored("gcc")
        self.assertEqual(result["findings"], [])
        self.assertTrue(result["exhausted"])

    def test_one_that_is_instrumented_is_seen(self):
        result = self.explored(HEDDLE_CC)
        self.assertEqual([f["kind"] for f in result["findings"]], ["data-race"])
        self.assertEqual(result["assumptions"], [])

    def test_a_compiler_without_the_pass_is_said(self):
        (self.dir / "alone.c").write_text("int main(void) { return 0; }")
        (self.dir / "both.c").write_text(textwrap.dedent(LIBRARY + PROGRAM).replace("count += n", "(void)n"))
        sources = lambda result: [(a["kind"], a["text"].split(",")[0], "optimiser" in a["text"])
                                  for a in result["assumptions"]]
        for compiler, level, program, expected in [
                ("gcc", "-O2", "both.c", [("as-compiled", "both.c", True)]),
                ("gcc", "-O0", "both.c", [("as-compiled", "both.c", False)]),
                ("gcc", "-O2", "alone.c", []),   # no threads
                ("clang-19", "-O2", "both.c", [])]:
            for options in [], ["--isolation=process"]:
                with self.subTest(compiler=compiler, level=level, program=program, options=options):
                    done = subprocess.run([HEDDLE, "run", program, "--json=-", "--instrument=tsan", *options, "--ignore=exit-code",
                                           "--", level], cwd=self.dir, text=True, capture_output=True,
                                          env={**os.environ, "HEDDLE_CC": compiler})
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(sources(json.loads(done.stdout)), expected)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
