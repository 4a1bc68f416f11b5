"""Findings that are left out: data races by a file of suppressions or a mark in the source, matters of taste by --ignore.

Usage: suppressions_test.py HEDDLE
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

HEDDLE = sys.argv[1]

# Two races: on `hits`, which everybody knows, and on `sum`.
TWO_RACES = """
    #include <heddle/heddle.h>
    #include <pthread.h>
    static int hits, sum;
    MARK void count(void) { hits = hits + 1; }
    static void add(void) { sum = sum + 1; }
    static void* act(void* unused) {
      count();
      if (SECOND) add();
      return unused;
    }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, act, 0);
      act(0);
      pthread_join(t, 0);
      return hits + sum == 0;
    }
    """
EXITS = """
    #include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    static atomic_int x;
    static void* act(void* unused) { atomic_fetch_add(&x, 1); return unused; }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, act, 0);
      if (JOIN) pthread_join(t, 0);
      assert(!FAIL || atomic_load(&x) == 0);
      return CODE;
    }
    """


class SuppressionsTest(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp())
        (self.dir / "two_races.c").write_text(textwrap.dedent(TWO_RACES))
        (self.dir / "exits.c").write_text(textwrap.dedent(EXITS))

    def run_heddle(self, *arguments, code):
        done = subprocess.run([HEDDLE, "run", *arguments], cwd=self.dir, text=True, capture_output=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def races(self, suppressions, second=1, options=(), mark="", code=None):
        (self.dir / "known").write_text(textwrap.dedent(suppressions))
        expected = code if code is not None else 1
        done = self.run_heddle("two_races.c", f"-DSECOND={second}", "--json=-", "--suppressions=known", *options, "--",
                               f"-DMARK={mark}", code=expected)
        result = json.loads(done.stdout)
        return result, [f["message"].split()[1] for f in result["findings"]]

    def left_out(self, result):
        return [a["text"] for a in result["assumptions"] if a["kind"] == "suppressed-races"]

    def test_by_function_file_library_and_object(self):
        for pattern in "race:count", "race:^count$", "race:co*nt", "race:^hits$", "race_top:count", "race:h?ts\nrace:hits":
            with self.subTest(pattern=pattern):
                result, objects = self.races(pattern)
                self.assertEqual(objects, ["sum"])
                self.assertTrue(self.left_out(result))
        for pattern in "race:two_races.c", "race:*races*", "race_top:two_races", "race:act", "race:main":
            with self.subTest(pattern=pattern):
                result, objects = self.races(pattern, code=0)
                self.assertEqual(objects, [])
                self.assertEqual((result["verdict"], result["exhausted"]), ("no bug", True))

    def test_what_does_not_fit_stays(self):
        for pattern in "race:^ount", "race:coun$", "race:other.c", "race_top:act", "mutex:count", "# race:count":
            with self.subTest(pattern=pattern):
                result, objects = self.races(pattern, second=0)
                self.assertEqual(objects, ["hits"])
                self.assertEqual(self.left_out(result), [])

    def test_all_of_them(self):
        result, objects = self.races("race:hits", options=["--all"])
        self.assertEqual(set(objects), {"sum"})
        self.assertEqual(result["exhausted"], True)

    def test_one_that_is_left_out_is_explored_and_said(self):
        result, _ = self.races("# known since long\n\n  race:hits  \n", second=0, code=0)
        self.assertGreater(result["classes"], 1)
        [text] = self.left_out(result)
        self.assertIn("left out", text)
        done = self.run_heddle("two_races.c", "-DSECOND=0", "--suppressions=known", "--", "-DMARK=", code=0)
        self.assertIn("assuming: ", done.stdout)
        self.assertIn("left out", done.stdout)

    def test_bad_lines_have_their_place(self):
        for text, said in ("race:a\nrase:b\n", 'known:2: "rase:b" is no suppression'), \
                          ("race\n", "known:1: "), ("# x\n\nrace_top:\n", "known:3: the pattern is empty"):
            with self.subTest(text=text):
                (self.dir / "known").write_text(text)
                done = self.run_heddle("two_races.c", "-DSECOND=0", "--suppressions=known", code=3)
                self.assertIn(said, done.stderr)
        done = self.run_heddle("two_races.c", "--suppressions=nowhere", code=3)
        self.assertIn("nowhere", done.stderr)

    def test_marked_in_the_source(self):
        for options in [], ["--instrument=tsan"], ["--isolation=process"]:
            with self.subTest(options=options):
                result, objects = self.races("", mark="HEDDLE_NO_RACE", options=options)
                self.assertEqual(objects, ["sum"])
                result, objects = self.races("", second=0, mark="HEDDLE_NO_RACE", options=options, code=0)
                self.assertTrue(self.left_out(result))

    def exits(self, join, fail, exit_code, *options, code):
        done = self.run_heddle("exits.c", f"-DJOIN={join}", f"-DFAIL={fail}", f"-DCODE={exit_code}", "--json=-", *options,
                               code=code)
        return [f["kind"] for f in json.loads(done.stdout)["findings"]]

    def test_matters_of_taste_are_left_out(self):
        self.assertEqual(self.exits(1, 0, 3, code=1), ["exit-code"])
        self.assertEqual(self.exits(0, 0, 0, code=1), ["exit-with-threads"])
        for algorithm in "optimal-dpor", "source-dpor", "unfolding", "exhaustive":
            with self.subTest(algorithm=algorithm):
                options = [f"--algorithm={algorithm}"]
                self.assertEqual(self.exits(1, 0, 3, "--ignore=exit-code", *options, code=0), [])
                self.assertEqual(self.exits(0, 0, 0, "--ignore=exit-with-threads,exit-code", *options, code=0), [])
        self.assertEqual(self.exits(1, 0, 3, "--ignore=exit-with-threads", code=1), ["exit-code"])
        self.assertEqual(self.exits(1, 1, 3, "--ignore=exit-code,exit-with-threads", code=1), ["assertion"])

    def test_matters_of_taste_come_last(self):
        kinds = self.exits(0, 1, 3, "--all", code=1)
        self.assertEqual(set(kinds), {"assertion", "exit-code"})

    def test_kinds_are_checked(self):
        done = self.run_heddle("exits.c", "--ignore=exit-cod", code=3)
        self.assertIn('did you mean "exit-code"?', done.stderr)
        done = self.run_heddle("exits.c", "--ignore=deadlock", code=3)
        self.assertIn("no matter of taste", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
