#!/usr/bin/env python3
"""The default search of native programs: small searches are what they were, bugs of large ones are found early, and whoever
ends first gives the verdict."""
import json
import unittest

from harness import SOURCE, HeddleTest

BUGS, NATIVE = f"{SOURCE}/bench/bugs/", f"{SOURCE}/bench/native/programs/"


class Auto(HeddleTest):
    def explored(self, program, *options, flags, expect):
        done = self.heddle("run", program, "--quiet", "--no-minimize", "--json=-", *options, "--", *flags, expect=expect)
        return json.loads(done.stdout)

    def test_a_bug_that_comes_late_depth_first_is_found_by_samples(self):
        result = self.explored(BUGS + "reorder.cpp", flags=["-DN=100"], expect=1)
        self.assertLess(result["executions"], 194)
        self.assertEqual(result["parts"][0]["algorithm"], "optimal-dpor")

    def test_a_small_search_is_what_it_was(self):
        by_default, by_name = (self.explored(NATIVE + "updates.c", "--all", *options, flags=["-DN=3", "-DK=1"], expect=0)
                               for options in ([], ["--algorithm=optimal-dpor"]))
        for result in (by_default, by_name):
            del result["seconds"], result["cpu_seconds"]
        self.assertEqual(by_default, by_name)
        self.assertEqual(by_default["executions"], 36)

    def test_the_verdict_says_what_is_complete_where_nothing_ends(self):
        result = self.explored(NATIVE + "updates.c", "--all", "--max-executions=300000", flags=["-DN=6", "-DK=2"],
                               expect=2)
        self.assertEqual(result["algorithm"], "auto")
        self.assertEqual(sum(part["executions"] for part in result["parts"]), 300_000)
        self.assertGreaterEqual(result["complete_preemptions"], 0)
        self.assertIn("samples", result["reason"])
        self.assertGreater(result["estimate"]["total"], 300_000)

    def test_an_unfolding_beside_gives_the_verdict_where_reads_abound(self):
        result = self.explored(NATIVE + "readers.c", "--all", flags=["-DN=18"], expect=0)
        self.assertTrue(result["exhausted"])
        self.assertEqual((result["algorithm"], result["executions"]), ("contextual-unfolding", 2))

    def test_several_processes_begin_where_one_does_not_end(self):
        result = self.explored(NATIVE + "updates.c", "-j2", "--all", flags=["-DN=3", "-DK=2"], expect=0)
        self.assertEqual(result["classes"], 7134)


if __name__ == "__main__":
    unittest.main()
