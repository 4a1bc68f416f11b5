#!/usr/bin/env python3
"""Memory models on the command line: which one is used, what it finds, what is said about it, and what is refused."""
import pathlib
import unittest

from harness import SOURCE, HeddleTest

EXAMPLES = f"{SOURCE}/examples/"
DEKKER = EXAMPLES + "dekker.hed"
RING = EXAMPLES + "spsc_ring.cpp"
LOAD_BUFFERING = """shared int x, y;
thread a { int r = x.load(relaxed); y.store(1, relaxed); }
thread b { int r = y.load(relaxed); x.store(1, relaxed); }
"""
RACE = """shared int data, flag;
thread producer { data.store(42, plain); flag.store(1, relaxed); }
thread consumer { if (flag.load(acquire) == 1) data.load(plain); }
"""


class Memory(HeddleTest):
    def test_orders_decide(self):
        weak = self.result(DEKKER, "--all", expect=1)
        self.assertEqual((weak["algorithm"], weak["classes"]), ("trust --memory=c++20", 7))
        strong = self.result(EXAMPLES + "bank.hed", expect=1)
        self.assertEqual(strong["algorithm"], "optimal-dpor")

    def test_models_differ(self):
        for memory, classes, code in (("sc", 3, 0), ("tso", 7, 1), ("c++20", 7, 1)):
            r = self.result(DEKKER, "--all", "--algorithm=trust", f"--memory={memory}", expect=code)
            self.assertEqual((r["classes"], r["exhausted"]), (classes, True), memory)
        self.assertEqual(self.result(EXAMPLES + "dekker_fixed.hed", expect=0)["classes"], 3)

    def test_what_was_not_looked_at_is_said(self):
        kinds = [a["kind"] for a in self.result(DEKKER, "--memory=sc", expect=0)["assumptions"]]
        self.assertEqual(kinds, ["sequential-consistency"])
        path = self.write("lb.hed", LOAD_BUFFERING)
        r = self.result(path, expect=0)
        self.assertEqual([a["kind"] for a in r["assumptions"]], ["no-load-buffering"])
        self.assertEqual(r["classes"], 3)
        self.assertEqual(self.result(EXAMPLES + "message_passing_fixed.hed", expect=0)["assumptions"], [])

    def test_races_of_plain_accesses(self):
        path = self.write("race.hed", RACE)
        self.assertEqual([f["kind"] for f in self.result(path, "--all", expect=1)["findings"]], ["data-race"])
        mended = self.write("mended.hed", RACE.replace("(1, relaxed)", "(1, release)"))
        self.assertEqual(self.result(mended, "--all", expect=0)["findings"], [])

    def test_schedules_replay(self):
        schedule = str(self.folder / "dekker.schedule")
        self.heddle("run", DEKKER, f"--save={schedule}", expect=1)
        out = self.heddle("replay", schedule, expect=1).stdout
        self.assertIn("(stale: from the start, 1 newer)", out)
        self.assertIn("both are inside", out)
        self.assertIn("--prefix-only", self.heddle("replay", schedule, "--prefix-only", expect=3).stderr)

    def test_refused(self):
        def refusal(*args):
            return self.heddle("run", *args, expect=3).stderr
        self.assertIn("explores interleavings", refusal(DEKKER, "--memory=tso", "--algorithm=dpor"))
        self.assertIn("does not explore inputs", refusal(EXAMPLES + "limit.hed", "--memory=c++20"))
        self.assertIn("properties", refusal(DEKKER, "--memory=c++20", "--never=inside > 1"))
        self.assertIn("drop -j", refusal(DEKKER, "--memory=c++20", "-j2"))
        self.assertIn("sc, tso, c++20", refusal(DEKKER, "--memory=weak"))
        self.assertIn("--races=ignore", refusal(RING, "--memory=c++20", "--races=ignore"))
        self.assertIn("properties", refusal(RING, "--memory=c++20", "--never=ring.begin_ > 3"))

    def test_native_schedules_replay(self):
        schedule = str(self.folder / "ring.schedule")
        found = self.result(RING, "--memory=c++20", "--all", expect=1)["findings"]
        self.assertEqual([f["kind"] for f in found], ["data-race", "assertion"])
        self.heddle("run", RING, "--memory=c++20", f"--save={schedule}", expect=1)
        self.assertIn("memory=c++20", pathlib.Path(schedule).read_text())
        self.assertIn("data-race", self.heddle("replay", schedule, expect=1).stdout)

    def test_native_stale_reads_are_shown(self):
        out = self.heddle("run", EXAMPLES + "peterson.cpp", "--memory=c++20", "--all", expect=1).stdout
        self.assertRegex(out, r"read wants\[[01]\] = (0|false) \(stale: from the start, \d newer\)")
        out = self.heddle("run", EXAMPLES + "peterson.cpp", "--memory=sc", expect=0).stdout
        self.assertIn("hint: what weaker orders allow is explored with --memory=c++20", out)

    def test_native_orders_decide(self):
        schedule = str(self.folder / "peterson.schedule")
        self.heddle("run", EXAMPLES + "peterson.cpp", f"--save={schedule}", expect=1)
        self.assertIn("memory=c++20", pathlib.Path(schedule).read_text())
        self.assertIn("data-race", self.heddle("replay", schedule, expect=1).stdout)
        # A bug that needs no weak memory is one of interleavings, and all of them are there with --all.
        self.assertIn("optimal-dpor:", self.heddle("run", EXAMPLES + "lost_update.cpp", expect=1).stdout)
        self.assertEqual(len(self.result(RING, "--all", expect=1)["findings"]), 2)
        # What graphs do not model is answered by interleavings, and that is said.
        mixed = self.write("mixed.cpp", """
            #include <thread>
            static union { unsigned both; unsigned short half; } word;
            int main() {
              std::thread t([] { __atomic_store_n(&word.half, 1, __ATOMIC_RELEASE); });
              unsigned seen = __atomic_load_n(&word.both, __ATOMIC_ACQUIRE);
              t.join();
              return seen > 1;
            }""")
        out = self.heddle("run", mixed, expect=0).stdout
        self.assertIn("assuming: sequential consistency, as execution graphs leave the question open", out)
        self.assertNotIn("hint:", out)

    def test_native_by_several_processes(self):
        fixed = EXAMPLES + "spsc_ring_fixed.cpp"
        alone, together = (self.result(fixed, "--memory=c++20", f"-j{n}", expect=0) for n in (1, 3))
        for key in ("executions", "classes", "infeasible", "exhausted"):
            self.assertEqual(alone[key], together[key], key)

    def test_stronger_orders_are_told(self):
        def orders(*args):
            explanation = self.result(*args, expect=1)["findings"][0]["explanation"]
            return [(o["where"].split(":", 1)[1].split(":")[0], o["own"], o["wanted"]) for o in explanation["stronger_orders"]]
        self.assertEqual(orders(DEKKER), [("6", "release", "seq_cst"), ("7", "acquire", "seq_cst")])
        self.assertEqual(orders(RING, "--memory=c++20"), [("16", "relaxed", "release"), ("21", "relaxed", "acquire")])
        always = self.write("always.hed", "shared int x; thread a { x.store(1, relaxed); assert(x.load(relaxed) == 0); }")
        self.assertEqual(orders(always), [])
        self.assertIn("stronger memory orders do not prevent it", self.heddle("run", always, expect=1).stdout)

    def test_which_store_is_read_is_said(self):
        model = "shared int x, f; thread a { x.store(1, relaxed); x.store(2, relaxed); f.store(1, relaxed); }\n" \
                "thread b { if (f.load(relaxed) == 1) assert(x.load(relaxed) != 1); }\n"
        path = self.write("older.hed", model)
        trace = self.result(path, expect=1)["findings"][0]["trace"]
        stale = [s for s in trace if "newer" in s]
        self.assertEqual([(s["text"], s["newer"], s["reads_from"]) for s in stale],
                         [("read x = 1 (stale: from step 1, 1 newer)", 1, 0)])
        start = self.result(self.write("start.hed", model.replace("!= 1", "!= 0")), expect=1)["findings"][0]["trace"]
        self.assertEqual([(s["newer"], s["reads_from"]) for s in start if "newer" in s], [(2, None)])

    def test_fences_are_told_where_they_are_fewer(self):
        def fences(path):
            explanation = self.result(path, "--memory=c++20", expect=1)["findings"][0]["explanation"]
            return [(f["before"].split(":")[-2], f["order"]) for f in explanation.get("fences", [])]
        self.assertEqual(fences(DEKKER), [("7", "seq_cst")])
        self.assertEqual(fences(f"{SOURCE}/test/programs/memory/dekker.cpp"), [("28", "seq_cst")])
        self.assertEqual(fences(f"{SOURCE}/test/programs/memory/seqlock.cpp"), [("24", "release"), ("35", "acquire")])
        self.assertEqual(fences(RING), [])
        self.assertIn("Or put a seq_cst fence before the load", " ".join(self.heddle("run", DEKKER, expect=1).stdout.split()))

    def test_how_stale_is_said_wherever_the_program_lies(self):
        text = pathlib.Path(DEKKER).read_text()
        for length in range(1, 80, 3):
            (self.folder / ("d" * length)).mkdir()
            out = self.heddle("run", self.write("d" * length + "/dekker.hed", text), expect=1).stdout
            self.assertIn("(stale: from the start, 1 newer)", out)


if __name__ == "__main__":
    unittest.main()
