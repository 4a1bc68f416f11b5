#!/usr/bin/env python3
"""The buggy examples, explained: as many pre-emptions as the bug needs (stated in each head), the pair that a
person who knows the program would name, and the pattern."""
import json
import re
import unittest

from harness import SOURCE, HeddleTest

# example: kind, pattern, and the pair as (operation, object, line) in the order of the failing run
EXPLAINED = {
    # Checks the balance in one critical section (14, called at 22) and withdraws in another (23); the other thread checks (14) in
    # between, before anything is withdrawn.
    "bank": ("assertion", "check-then-act", ("lock", "alice.mutex_", 14), ("lock", "alice.mutex_", 23)),
    "lost_update": ("assertion", "lost update", ("read", "visitors", 11), ("write", "visitors", 11)),
    # One takes its left fork before its neighbour asks for it as the right one, which then waits for ever.
    "dining": ("deadlock", "lock-order inversion", ("lock", "forks[0]", 14), None),
    "lost_wakeup": ("deadlock", "lost wake-up", ("signal", "arrived", 21), ("wait", "arrived", 16)),
    # The plain pointer is read outside the lock.
    "double_checked_locking": ("data-race", "", ("write", "config", 19), ("read", "config", 17)),
    # A hit is counted under a lock that readers share.
    "rw_cache": ("data-race", "", ("write", "cache.hits_", 16), ("read", "cache.hits_", 16)),
    # A worker looks for tasks (36) after the destructor has set the flag (18).
    "thread_pool_shutdown": ("assertion", "", ("lock", None, 18), ("lock", None, 36)),
    # The top is put back (26) before the other thread's compare-exchange (31), which had read it and what is below it before.
    "treiber_aba": ("assertion", "ABA", ("cas", "top", 26), ("cas", "top", 31)),
    # The owner reads top (22) before the thief moves it (34).
    "work_stealing_deque": ("assertion", "check-then-act", ("read", "deque.top_", 22), ("cas", "deque.top_", 34)),
    # The seat is given back before it is counted, in every schedule: no order is to blame.
    "seats": ("property", "", None, None),
    # A node is read (39) that the other thread frees (46).
    "ms_queue": ("data-race", "use after free by publication", ("read", "(Node of ms_queue.cpp:14).next", 39), ("write", "(Node of ms_queue.cpp:14).next", 46)),
}

# The same of the models, with the pre-emptions.
MODELS = {
    "bank": ("assertion", "lost update", 1, ("read", "balance", 6), ("write", "balance", 7)),
    "limit": ("assertion", "check-then-act", 1, ("write", "limit", 7), ("read", "limit", 13)),
    "two_locks": ("deadlock", "lock-order inversion", 1, ("lock", "lock_b", 17), None),
}

# The lines of what should have been one: check and act.
TORN = {"bank": [14, 23], "lost_update": [11, 11], "treiber_aba": [30, 31], "work_stealing_deque": [32, 34]}


class Examples(HeddleTest):
    def finding(self, name, *options, ending="cpp"):
        return self.result(str(SOURCE / "examples" / f"{name}.{ending}"), *options, expect=1)["findings"]

    def matches(self, finding, index, wanted):
        step = finding["trace"][index]
        operation, thing, line = wanted
        self.assertEqual(step["operation"], operation)
        if thing is not None:
            self.assertEqual(step["object"], thing)
        if line is not None:
            self.assertEqual(int(step["where"].split(":")[-2]), line)

    def test_each_is_explained(self):
        for name, (kind, pattern, first, second) in EXPLAINED.items():
            with self.subTest(name):
                finding = self.finding(name)[0]
                why = finding["explanation"]
                self.assertEqual(finding["kind"], kind)
                self.assertEqual(why["pattern"], pattern)
                self.assertTrue(why["minimized"])
                head = (SOURCE / "examples" / f"{name}.cpp").read_text()
                needed = int(re.search(r"^// pre-emptions: (\d+)$", head, re.M).group(1))
                self.assertEqual(why["shown"]["preemptions"], needed)
                if first is None:
                    self.assertIsNone(why["first"])
                else:
                    self.matches(finding, why["first"], first)
                if name in TORN:
                    self.assertEqual([int(finding["trace"][why[end]]["where"].split(":")[-2]) for end in ("check", "act")],
                                     TORN[name])
                if second is None:
                    self.assertIsNone(why["second"])   # never taken: the thread waits for it
                else:
                    self.matches(finding, why["second"], second)

    def test_each_model_is_explained(self):
        for name, (kind, pattern, needed, first, second) in MODELS.items():
            with self.subTest(name):
                finding = self.finding(name, ending="hed")[0]
                why = finding["explanation"]
                self.assertEqual((finding["kind"], why["pattern"], why["shown"]["preemptions"]), (kind, pattern, needed))
                self.matches(finding, why["first"], first)
                if second is None:
                    self.assertIsNone(why["second"])
                else:
                    self.matches(finding, why["second"], second)

    def test_every_buggy_example_is_listed(self):
        # Those about memory models have their own tests (test/cli/memory_test.py).
        buggy = {p.stem for p in (SOURCE / "examples").glob("*.cpp")
                 if "// expect: none" not in p.read_text() and "// expect: --memory=" not in p.read_text()}
        self.assertEqual(buggy, set(EXPLAINED))

    def test_use_after_free_by_publication(self):
        found = [f for f in self.finding("ms_queue", "--all") if f["kind"] == "use-after-free"]
        self.assertTrue(found)
        for finding in found:
            self.assertEqual(finding["explanation"]["pattern"], "use after free by publication")
            self.assertIn("in the other order the run succeeds", finding["explanation"]["decisive"])

    def test_the_opposite_order_of_a_race_was_run(self):
        finding = self.finding("rw_cache")[0]
        self.assertIn("the opposite order was run as well", finding["explanation"]["decisive"])
        schedule = self.write("opposite.schedule", finding["explanation"]["opposite_schedule"])
        trace = self.result_of_replay(schedule)
        orders = [s["thread"] for s in trace if s.get("object") == "cache.hits_"]
        failing = [s["thread"] for s in finding["trace"] if s.get("object") == "cache.hits_"]
        self.assertNotEqual(orders[:2], failing[:2])

    def result_of_replay(self, schedule):
        done = self.heddle("replay", schedule, "--json=-", expect=1)
        return json.loads(done.stdout)["findings"][0]["trace"]


if __name__ == "__main__":
    unittest.main()
