#!/usr/bin/env python3
"""`heddle run --relax`: exact tables for small programs, and that they say the truth: the program with the orders of the table,
written into its text, does not fail, and with any of them weaker it does."""
import re
import unittest

from harness import SOURCE, HeddleTest

EXAMPLES = f"{SOURCE}/examples/"
PROGRAMS = SOURCE / "test/programs/relax"

MESSAGE_PASSING = """shared int data, flag;
thread producer {
  data.store(42, relaxed);
  flag.store(1, seq_cst);
}
thread consumer {
  if (flag.load(seq_cst) == 1)
    assert(data.load(relaxed) == 42);
}
"""
SPIN_LOCK = """shared int held, count;
thread worker[2] {
  while (held.exchange(1, seq_cst) != 0) { }
  int old = count.load(plain);
  count.store(old + 1, plain);
  held.store(0, seq_cst);
}
thread checker {
  join worker;
  assert(count.load(plain) == 2);
}
"""
DEKKER = """shared int x, y, inside;
thread a {
  x.store(1, seq_cst);
  if (y.load(seq_cst) == 0) inside.store(1, plain);
}
thread b {
  y.store(1, seq_cst);
  if (x.load(seq_cst) == 0) inside.store(2, plain);
}
"""
FENCES = """shared int x, y, inside;
thread a {
  x.store(1, relaxed);
  fence(seq_cst);
  fence(acq_rel);
  if (y.load(relaxed) == 0) inside.store(1, plain);
}
thread b {
  y.store(1, relaxed);
  fence(seq_cst);
  if (x.load(relaxed) == 0) inside.store(2, plain);
}
"""
# Data in two relaxed objects; everything about the sequence seq_cst, with the fences that make it right.
SEQLOCK = """shared int sequence, low, high;
thread writer {
  sequence.store(1, seq_cst);
  fence(seq_cst);
  low.store(1, relaxed);
  high.store(1, relaxed);
  sequence.store(2, seq_cst);
}
thread reader {
  int before = sequence.load(seq_cst);
  int a = low.load(relaxed);
  int b = high.load(relaxed);
  fence(seq_cst);
  int after = sequence.load(seq_cst);
  if (before == after && before % 2 == 0) assert(a == b);
}
"""
# Either of two flags would do: the one that comes first in the text is given up.
EITHER = """shared int data, one, two;
thread producer {
  data.store(1, relaxed);
  one.store(1, release);
  two.store(1, release);
}
thread consumer {
  if (one.load(acquire) == 1 && two.load(acquire) == 1)
    assert(data.load(relaxed) == 1);
}
"""
WEAKER = {"seq_cst": ["acq_rel", "acquire", "release", "relaxed"], "acq_rel": ["acquire", "release", "relaxed"],
          "acquire": ["relaxed"], "release": ["relaxed"], "relaxed": []}


def may_have(operation, order):
    return order not in {"load": ("release", "acq_rel"), "store": ("acquire", "acq_rel")}.get(operation, ())


class Relax(HeddleTest):
    def table(self, path, *options):
        result = self.result(path, "--relax", *options, expect=0)
        relaxation = result["relaxation"]
        self.assertEqual(relaxation["open"], "")
        self.places = relaxation["places"]
        return [(int(p["where"].split(":")[-2]), p["operation"], p["order"], p["alone"], p["together"]) for p in self.places]

    def rewritten(self, text, places, orders):
        """The text with these orders at these places; a fence of none is gone."""
        lines = text.splitlines(keepends=True)
        for place, order in sorted(zip(places, orders), key=lambda p: int(p[0]["where"].split(":")[-1]), reverse=True):
            line, column = (int(n) - 1 for n in place["where"].split(":")[-2:])
            head, tail = lines[line][:column], lines[line][column:]
            if order in ("none", "relaxed") and place["operation"] == "fence":
                tail = re.sub(r"^fence\(\w+\);", "", tail)
            else:
                tail = tail.replace(place["order"], order, 1)
            lines[line] = head + tail
        return "".join(lines)

    def fails(self, text):
        return self.heddle("run", self.write("changed.hed", text), "--memory=c++20", "--quiet").returncode == 1

    def check_truth(self, text):
        together = [p["together"] for p in self.places]
        self.assertFalse(self.fails(self.rewritten(text, self.places, together)), "what is said to go together")
        for i, place in enumerate(self.places):
            own = [p["order"] for p in self.places]
            alone = own[:i] + [place["alone"]] + own[i + 1:]
            self.assertFalse(self.fails(self.rewritten(text, self.places, alone)), (place, "alone"))
            for base, order in ((own, place["alone"]), (together, place["together"])):
                for weaker in WEAKER["relaxed" if order == "none" else order]:
                    if may_have(place["operation"], weaker):
                        tried = base[:i] + [weaker] + base[i + 1:]
                        self.assertTrue(self.fails(self.rewritten(text, self.places, tried)), (place, weaker))

    def check(self, text, expected):
        self.assertEqual(self.table(self.write("model.hed", text)), expected)
        self.check_truth(text)

    def test_message_passing(self):
        self.check(MESSAGE_PASSING, [(4, "store", "seq_cst", "release", "release"),
                                     (7, "load", "seq_cst", "acquire", "acquire")])

    def test_spin_lock(self):
        self.check(SPIN_LOCK, [(3, "read-modify-write", "seq_cst", "acquire", "acquire"),
                               (6, "store", "seq_cst", "release", "release")])

    def test_dekker_needs_all(self):
        self.check(DEKKER, [(3, "store", "seq_cst", "seq_cst", "seq_cst"), (4, "load", "seq_cst", "seq_cst", "seq_cst"),
                            (7, "store", "seq_cst", "seq_cst", "seq_cst"), (8, "load", "seq_cst", "seq_cst", "seq_cst")])

    def test_fences_that_could_go(self):
        self.check(FENCES, [(4, "fence", "seq_cst", "seq_cst", "seq_cst"), (5, "fence", "acq_rel", "none", "none"),
                            (10, "fence", "seq_cst", "seq_cst", "seq_cst")])

    def test_seqlock(self):
        self.check(SEQLOCK, [(3, "store", "seq_cst", "relaxed", "relaxed"), (4, "fence", "seq_cst", "release", "release"),
                             (7, "store", "seq_cst", "release", "release"), (10, "load", "seq_cst", "acquire", "acquire"),
                             (13, "fence", "seq_cst", "acquire", "acquire"), (14, "load", "seq_cst", "relaxed", "relaxed")])

    def test_one_of_two(self):
        self.check(EITHER, [(4, "store", "release", "relaxed", "relaxed"), (5, "store", "release", "relaxed", "release"),
                            (8, "load", "acquire", "relaxed", "relaxed"), (8, "load", "acquire", "relaxed", "acquire")])

    def test_native(self):
        ring = self.table(str(PROGRAMS / "ring.cpp"))
        self.assertEqual(ring, [(13, "load", "seq_cst", "relaxed", "relaxed"), (14, "load", "seq_cst", "acquire", "acquire"),
                                (16, "store", "seq_cst", "release", "release"), (20, "load", "seq_cst", "relaxed", "relaxed"),
                                (21, "load", "seq_cst", "acquire", "acquire"), (23, "store", "seq_cst", "release", "release")])
        # Both threads have a copy of lock(), and they are one place.
        lock = self.table(str(PROGRAMS / "spin_lock.cpp"))
        self.assertEqual(lock, [(10, "read-modify-write", "seq_cst", "acquire", "acquire"),
                                (13, "store", "seq_cst", "release", "release")])
        # A failed exchange keeps the weaker order that it has.
        exchange = self.table(str(PROGRAMS / "exchange.cpp"))
        self.assertEqual(exchange, [(11, "store", "seq_cst", "release", "release"),
                                    (16, "read-modify-write", "seq_cst", "acquire", "acquire")])

    def test_table(self):
        out = self.heddle("run", self.write("dekker.hed", DEKKER), "--relax", expect=0).stdout
        self.assertRegex(out, r"weaker orders, for this test \(\d+ searches, \d+ executions, all that there are\):")
        self.assertRegex(out, r"dekker\.hed:3:\d+ +store +seq_cst +needed +needed")
        self.assertIn("another test may show what an order is there for", out)
        nothing = self.write("relaxed.hed", "shared int x; thread a { x.store(1, relaxed); } thread b { x.load(relaxed); }")
        self.assertIn("none of the program's own is stronger than relaxed",
                      self.heddle("run", nothing, "--relax", expect=0).stdout)

    def test_refused(self):
        self.assertIn("drop it, or --memory=sc", self.heddle("run", EXAMPLES + "dekker_fixed.hed", "--relax", "--memory=sc", expect=3).stderr)
        self.assertIn("drop -j", self.heddle("run", EXAMPLES + "dekker_fixed.hed", "--relax", "-j2", expect=3).stderr)
        failing = self.heddle("run", EXAMPLES + "dekker.hed", "--relax", expect=1)
        self.assertIn("--relax tries weaker orders only where nothing fails", failing.stdout)
        self.assertNotIn("relaxation", self.result(EXAMPLES + "dekker.hed", "--relax", expect=1))
        cut = self.heddle("run", EXAMPLES + "dekker_fixed.hed", "--relax", "--max-executions=1", expect=2)
        self.assertIn("every execution was looked at", cut.stdout)


if __name__ == "__main__":
    unittest.main()
