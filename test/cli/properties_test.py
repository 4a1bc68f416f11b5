#!/usr/bin/env python3
"""Properties of global states on models: exit codes, what is said, what is saved, and what is refused."""
import json
import unittest

from harness import HeddleTest

TRANSFER = """shared int from = 10, to = 0;
lock m;
thread mover {
  lock(m);
  from = from - 1;
  to = to + 1;
  unlock(m);
}
thread other {
  moving: to = to;
}
"""

INPUTS = """shared int X, Y;
thread one { int a = input(); if (a > 10) X = a; }
thread two { int b = input(); if (b > 10) Y = b; }
"""

ALGORITHMS = ["optimal-dpor", "source-dpor", "dpor", "exhaustive", "unfolding", "contextual-unfolding",
              "stateful", "stateful-unfolding"]


class Properties(HeddleTest):
    def result(self, *arguments, expect):
        done = self.heddle("run", *arguments, "--json=-", expect=expect)
        return json.loads(done.stdout)

    def test_every_algorithm_answers(self):
        model = self.write("m.hed", TRANSFER)
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm):
                bug = self.result(model, "--never=from + to == 9", f"--algorithm={algorithm}", expect=1)
                self.assertEqual([f["kind"] for f in bug["findings"]], ["property"])
                self.assertEqual(bug["findings"][0]["state"], "from = 9, to = 0")
                self.assertEqual(bug["properties"][0]["answer"], "violated")
                none = self.result(model, "--reachable=from + to == 8", f"--algorithm={algorithm}", expect=0)
                self.assertEqual(none["properties"][0]["answer"], "unreachable")
                shown = self.result(model, "--reachable=at(other, moving) && ended(mover)", f"--algorithm={algorithm}",
                                    expect=1)
                self.assertEqual(shown["properties"][0]["answer"], "reachable")

    def test_heddle_checks_itself(self):
        """A state that the execution which was found does not pass itself is another execution's, which replays."""
        for text, condition in [(TRANSFER, "from + to == 9"), (INPUTS, "X > 40 && Y == 15")]:
            model = self.write("m.hed", text)
            for algorithm in ALGORITHMS:
                with self.subTest(algorithm + condition):
                    bug = self.result(model, f"--never={condition}", f"--algorithm={algorithm}", "--check", "--all", expect=1)
                    self.assertEqual([f["kind"] for f in bug["findings"]], ["property"])

    def test_a_search_that_stopped_is_not_undecided(self):
        model = self.write("m.hed", INPUTS)
        for algorithm in ALGORITHMS:
            bug = self.result(model, "--never=X == 4711 && Y == 15", f"--algorithm={algorithm}", expect=1)
            self.assertEqual(bug["reason"], "stopped at the first bug")

    def test_every_algorithm_refuses_alike(self):
        model = self.write("m.hed", TRANSFER)
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm):
                done = self.heddle("run", model, "--never=to > 1", "--reachable=from + too > 1", f"--algorithm={algorithm}",
                                   expect=3)
                self.assertIn("--reachable: there is no shared variable 'too'; did you mean 'to'?", done.stderr)

    def test_each_of_several_is_answered(self):
        model = self.write("m.hed", TRANSFER)
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm):
                told = self.result(model, "--never=from + to == 9", "--always=to >= 0", "--reachable=from == 8", "--all",
                                   f"--algorithm={algorithm}", expect=1)
                self.assertEqual({p["text"]: p["answer"] for p in told["properties"]},
                                 {"from + to == 9": "violated", "to >= 0": "holds in every reachable state",
                                  "from == 8": "unreachable"})

    def test_several_explorers_give_the_same_answers(self):
        model = self.write("m.hed", TRANSFER)
        bug = self.result(model, "--never=from + to == 9", "-j", "2", "--all", expect=1)
        self.assertEqual([f["kind"] for f in bug["findings"]], ["property"])
        self.assertEqual(bug["properties"][0]["answer"], "violated")
        none = self.result(model, "--reachable=from + to == 8", "-j", "2", expect=0)
        self.assertEqual(none["properties"][0]["answer"], "unreachable")

    def test_when_restricts_the_states(self):
        model = self.write("m.hed", TRANSFER.replace("to = to;", "lock(m); to = to; unlock(m);").replace("moving:", ""))
        self.result(model, "--always=from + to == 10", expect=1)
        self.result(model, "--always=from + to == 10", "--when=!locked(m)", expect=0)

    def test_an_invariant_of_the_text_is_checked(self):
        model = self.write("m.hed", "invariant from + to >= 10;\n" + TRANSFER)
        bug = self.result(model, expect=1)
        self.assertEqual(bug["findings"][0]["where"].rsplit("/", 1)[-1], "m.hed:1:11")
        wrong = self.write("w.hed", "invariant from + too >= 10;\n" + TRANSFER)
        self.assertIn("w.hed:1:18: there is no shared variable 'too'; did you mean 'to'?",
                      self.heddle("run", wrong, expect=3).stderr)

    def test_a_saved_schedule_shows_it_again(self):
        model = self.write("m.hed", TRANSFER)
        self.heddle("run", model, "--never=from + to == 9 && locked(m)", "--save=bug.schedule", expect=1)
        done = self.heddle("replay", "bug.schedule", expect=1)
        self.assertIn("property: never: from + to == 9 && locked(m)", done.stdout)

    def test_inputs_are_found_and_saved(self):
        model = self.write("m.hed", INPUTS)
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm):
                self.heddle("run", model, "--reachable=X > 40 && Y == 15", f"--algorithm={algorithm}", "--save=s", expect=1)
                self.assertIn("Y = 15", self.heddle("replay", "s", expect=1).stdout)
                self.heddle("run", model, "--reachable=X > 0 && X <= 10", f"--algorithm={algorithm}", expect=0)

    def test_the_formula_gives_the_same_answers(self):
        for text, condition, code in [(TRANSFER, "from + to == 9", 1), (TRANSFER, "from + to == 8", 0),
                                      (INPUTS, "X > 40 && Y == 15", 1), (INPUTS, "X > 0 && X <= 10", 0)]:
            for algorithm in ["unfolding", "contextual-unfolding", "stateful-unfolding"]:
                with self.subTest(condition + algorithm):
                    self.heddle("run", self.write("m.hed", text), f"--reachable={condition}", f"--algorithm={algorithm}",
                                "--global=smt", expect=code)

    def test_what_makes_no_sense_is_refused(self):
        model = self.write("m.hed", TRANSFER)
        for arguments, said in [
                (["--never=from + too > 1"], "did you mean 'to'?\n  from + too > 1\n         ^"),
                (["--never="], "has no value"),
                (["--never= "], "the condition is empty"),
                (["--when=from > 1"], "--when goes with --reachable, --never or --always"),
                (["--never=from > 1", "--global=smt"], "--global is for algorithms that unfold"),
                (["--never=from > 1", "--global=smt", "--algorithm=stateful"], "--global is for algorithms that unfold"),
                (["--never=from > 1", "--global=sat"], "neither search nor smt"),
                (["--never=in(mover, 3)"], "no thread does anything on line 3"),
                (["--never=in(mover, x.hed:5)"], "the model is m.hed"),
                (["--never=in(T9, nofile.cpp:3)"], "there is no thread 'T9'; there are mover, other\n  in(T9, nofile.cpp:3)\n     ^"),
                (["--never=from ++ 3"], "a property changes nothing; leave out ++, or write the signs apart\n  from ++ 3\n       ^"),
                (["--never=from && && to"], "expected a value, found '&'"),
                (["--never=deadlock()"], "leave out the brackets"),
                (["--never=locked(from)"], "'from' is a shared variable, not a lock"),
                (["--never=mover > 1"], "'mover' is a thread, not a shared variable"),
                (["--never=ended(m)"], "'m' is a lock, not a thread"),
                (["--never=to > 1", "--always=from >"], "--always: expected a value, found the end\n  from >\n        ^"),
        ]:
            with self.subTest(arguments):
                self.assertIn(said, self.heddle("run", model, *arguments, expect=3).stderr)


if __name__ == "__main__":
    unittest.main()
