#!/usr/bin/env python3
"""Whatever a user gets wrong: one clear message on standard error, exit code 3, nothing else."""
import os
import pathlib
import unittest

from harness import LOST_UPDATE, SAFE, HeddleTest


class BadInput(HeddleTest):
    def refused(self, *arguments, says):
        done = self.heddle(*arguments, expect=3)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("heddle: "), done.stderr)
        self.assertEqual(done.stderr.count("heddle: "), 1, done.stderr)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, done.stderr)
        return done.stderr

    def setUp(self):
        super().setUp()
        self.program = self.write("safe.hed", SAFE)

    def test_syntax_error_shows_place_and_line(self):
        path = self.write("bad.hed", "shared int x = 0;\nthread t {\n  x = = 1;\n}\n")
        self.refused("run", path, says=["bad.hed:3:7", "x = = 1;", "^"])

    def test_hostile_models(self):
        for number, text in enumerate((b"", b"\x00\xff\xfe", b"(" * 100000, b"thread t { " * 5000)):
            path = self.write(f"hostile{number}.hed", text)
            self.refused("run", path, says=f"hostile{number}.hed")

    def test_missing_file(self):
        self.refused("run", "nowhere/nothing.hed", says='there is no file "nowhere/nothing.hed"')
        self.refused("run", "safee.hed", says=['"safee.hed"', 'did you mean "safe.hed"'])
        self.refused("replay", "nothing.schedule", says='there is no file "nothing.schedule"')

    def test_wrong_kind_of_file(self):
        self.refused("run", str(self.folder), says="is a directory")
        self.refused("run", self.write("notes.txt", "hello"), says="neither a model")

    def test_unknown_option(self):
        self.refused("run", self.program, "--sleepsets", says=["unknown option --sleepsets", "did you mean --sleep-sets?"])
        self.refused("run", self.program, "--frobnicate-wildly=3", says=["unknown option --frobnicate-wildly", "--help"])
        self.refused("replay", "x.schedule", "--al", says="unknown option --al")
        self.refused("--frob", says="unknown option --frob")

    def test_unknown_command(self):
        self.refused("rnu", "x.hed", says=["unknown command rnu", "did you mean run?"])
        self.refused(says="no command")

    def test_what_is_read_is_not_written_over(self):
        before = pathlib.Path(self.program).read_text()
        for option in ("--html", "--json", "--junit", "--sarif", "--save", "--coverage"):
            self.refused("run", self.program, f"{option}={self.program}", says=[option, "would write over"])
            self.refused("run", self.program, f"{option}=./{os.path.relpath(self.program, self.folder)}", says="would write over")
            self.refused("run", f"{option}=", self.program, says=[f"{option}= has no value"])
        self.assertEqual(pathlib.Path(self.program).read_text(), before)

    def test_unknown_algorithm_and_order(self):
        self.refused("run", self.program, "--algorithm=optimal-dopr", says='did you mean "optimal-dpor"?')
        self.refused("run", self.program, "--algorithm=contextual", says='did you mean "contextual-unfolding"?')
        self.refused("run", self.program, "--algorithm=zzzzzzzzzzzz", says="`heddle algorithms` lists them")
        self.refused("run", self.program, "--order=sideways", says=["--order", "sideways", "bit-reversal"])
        self.refused("run", self.program, "--order=stride:x", says="bad seed")

    def test_bad_numbers(self):
        for option in ("--max-executions", "--max-steps", "--preemptions", "--seed", "--pct-depth"):
            for value in ("abc", "-1", "1.5", "", "99999999999999999999999"):
                self.refused("run", self.program, f"{option}={value}", says=option)
        for value in ("abc", "-1", "nan", ""):
            self.refused("run", self.program, f"--max-seconds={value}", says="--max-seconds")

    def test_bad_defines(self):
        self.refused("run", self.program, "-D", "n", says="name=value")
        self.refused("run", self.program, "-D", "n=x", says="whole number")
        self.refused("run", self.program, "-D", "nosuch=1", says="nosuch")
        self.refused("run", self.program, "-Dn=1", "-Dn=2", says="contradicts")

    def test_contradictions(self):
        run = ["run", self.program]
        self.refused(*run, "--algorithm=random", "--sleep-sets", says="sampling")
        self.refused(*run, "--algorithm=pct", "--preemptions=2", says="sampling")
        self.refused(*run, "--algorithm=pos", "--order=stride", says="samples")
        self.refused(*run, "--pct-depth=2", says="--algorithm=pct")
        self.refused(*run, "--algorithm=pct", "--pct-depth=0", says="at least 1")
        self.refused(*run, "--sleep-sets", "--preemptions=1", "--algorithm=dpor", says="drop")
        self.refused(*run, "--algorithm=race-flip", "--preemptions=1", says="race-flip")
        self.refused(*run, "--max-steps=0", says="at least 1")
        self.refused(*run, "--json=out", "--save=out", says="same file")
        self.refused(*run, "--save=-", says="--json=-")
        self.refused(*run, "--seed=1", "--seed=2", says="more than once")
        self.refused(*run, "--races=ignore", says=["--races", "is a model"])
        self.refused(*run, "--", "-O2", says="is a model")
        self.refused("replay", "x.schedule", "--", "y", says="`heddle run`")
        self.refused("run", "x.cpp", "--check", "--memory=c++20", says="--check compares interleavings")

    def test_missing_and_surplus_arguments(self):
        self.refused("run", says="needs a program")
        self.refused("replay", says="needs a schedule")
        self.refused("run", self.program, "other.hed", says='unexpected argument "other.hed"')
        self.refused("algorithms", "all", says="takes no arguments")
        self.refused("run", self.program, "--json", says="--json")

    def test_unwritable_outputs(self):
        self.refused("run", self.program, "--json=no/such/folder/x.json", says='cannot write "no/such/folder/x.json"')
        self.refused("run", self.program, "--save=no/such/folder/x.schedule", says="cannot write")

    def test_corrupt_schedules(self):
        lost = self.write("lost.hed", LOST_UPDATE)
        self.heddle("run", lost, "--save=good.schedule", expect=1)
        good = (self.folder / "good.schedule").read_text()
        for name, text, says in (
            ("empty", "", "empty"),
            ("binary", bytes(range(256)), "line 1"),
            ("version", good.replace("heddle-schedule 1", "heddle-schedule 9"), "another version"),
            ("truncated", good[: len(good) // 2], "line"),
            ("no_end", good.replace("end\n", ""), "truncated"),
            ("thread", good.replace("steps ", "steps 4000 "), "bad thread id"),
            ("huge", good.replace("steps ", "steps 0*99999999999 "), "too many steps"),
            ("program", good.replace("lost.hed", "gone.hed"), "there is no file"),
            ("nameless", "heddle-schedule 1\nsteps 0\nend\n", "names no program"),
        ):
            path = self.write(f"{name}.schedule", text)
            self.refused("replay", path, says=says)
        self.refused("replay", str(self.folder), says="not a schedule file")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable_program(self):
        os.chmod(self.program, 0)
        self.refused("run", self.program, says="cannot be read")


if __name__ == "__main__":
    unittest.main()
