#!/usr/bin/env python3
"""Each command and option does what docs/commands.md says; results have the fields of docs/formats.md."""
import json
import os
import pathlib
import pty
import re
import subprocess
import unittest

from harness import HEDDLE, LOST_UPDATE, SAFE, SOURCE, SPIN, HeddleTest

FIELDS = {"verdict": str, "exhausted": bool, "reason": str, "algorithm": str, "program": str, "executions": int,
          "classes": int, "asleep": int, "deadlocked": int, "failed": int, "cut": int, "infeasible": int,
          "states": int, "events": int, "steps": int, "seconds": (int, float), "cpu_seconds": (int, float),
          "assumptions": list, "findings": list}
FINDING = {"kind": str, "message": str, "where": str, "thread": (str, type(None)), "step": int, "count": int,
           "schedule": str, "trace": list}
STEP = {"thread": str, "operation": str, "text": str, "where": str}


class Json(HeddleTest):
    def check_fields(self, value, fields):
        for name, kind in fields.items():
            self.assertIn(name, value)
            self.assertIsInstance(value[name], kind, name)

    def test_every_field_is_there_and_of_its_type(self):
        r = self.result(self.write("lost.hed", LOST_UPDATE), "--all", expect=1)
        self.check_fields(r, FIELDS)
        self.assertEqual(set(r), set(FIELDS))
        self.assertEqual((r["verdict"], r["exhausted"], r["classes"], r["failed"]), ("bug", True, 4, 2))
        self.assertEqual(len(r["findings"]), 1)
        finding = r["findings"][0]
        self.check_fields(finding, FINDING)
        self.assertEqual((finding["kind"], finding["count"], finding["thread"]), ("assertion", 2, "checker"))
        self.assertTrue(finding["where"].endswith("lost.hed:8:3"), finding["where"])
        for step in finding["trace"]:
            self.check_fields(step, STEP)
        racing = [s for s in finding["trace"] if s.get("racing")]
        self.assertEqual(len(racing), 2)
        self.assertEqual({s["object"] for s in racing}, {"x"})
        self.assertEqual({s["thread"] for s in racing}, {"worker[0]", "worker[1]"})

    def test_no_bug(self):
        r = self.result(self.write("safe.hed", SAFE), expect=0)
        self.assertEqual((r["verdict"], r["exhausted"], r["reason"], r["findings"]), ("no bug", True, "", []))
        self.assertEqual(r["classes"], 2)

    def test_negative_values(self):
        r = self.result(self.write("m.hed", "shared int x = 0;\nthread t { x = 0 - 5; assert(x == 5); }\n"), expect=1)
        self.assertEqual(r["findings"][0]["trace"][0]["after"], -5)
        self.assertEqual(r["findings"][0]["trace"][0]["text"], "write x = -5")

    def test_deadlock_says_who_waits(self):
        r = self.result(str(SOURCE / "examples/two_locks.hed"), "--all", expect=1)
        self.assertEqual((r["deadlocked"], r["classes"]), (1, 3))
        waiting = r["findings"][0]["waiting"]
        self.assertEqual(len(waiting), 2)
        self.assertIn("there waits to lock lock_b", waiting[0])
        self.assertIn("held by back", waiting[0])

    def test_to_a_file_beside_the_report(self):
        done = self.heddle("run", self.write("lost.hed", LOST_UPDATE), "--json=out.json", expect=1)
        self.assertIn("verdict: bug", done.stdout)
        self.check_fields(json.loads((self.folder / "out.json").read_text()), FIELDS)


class Run(HeddleTest):
    def test_report(self):
        done = self.heddle("run", self.write("lost.hed", LOST_UPDATE), expect=1)
        for text in ("bug 1: assertion", "in thread checker at", "assert(x == 2);", "worker[0]", "worker[1]",
                     "* the decisive pair", "verdict: bug (1 distinct finding), not exhausted: stopped at the first bug"):
            self.assertIn(text, done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertNotIn("\x1b", done.stdout)

    def test_quiet(self):
        done = self.heddle("run", self.write("lost.hed", LOST_UPDATE), "--quiet", expect=1)
        self.assertEqual(done.stdout + done.stderr, "")

    def test_defines(self):
        path = self.write("n.hed", "const n = 2;\nshared int x = 0;\nthread w[n] { x = 1; }\n")
        self.assertEqual(self.result(path, expect=0)["classes"], 2)
        self.assertEqual(self.result(path, "-D", "n=4", expect=0)["classes"], 24)
        self.assertEqual(self.result(path, "-Dn=3", expect=0)["classes"], 6)

    def test_every_algorithm_finds_the_bug(self):
        path = self.write("lost.hed", LOST_UPDATE)
        listed = self.heddle("algorithms", expect=0).stdout.split("\n\n")[0].splitlines()[1:]
        names = [line.split()[0] for line in listed]
        self.assertGreaterEqual(len(names), 12)
        for name in names:
            r = self.result(path, f"--algorithm={name}", "--all", expect=1)
            self.assertEqual(r["failed"], 2, name)
            self.assertEqual(r["classes"], 4, name)
            self.assertEqual(r["exhausted"], name not in ("random", "pct", "pos", "surw", "rff"), name)

    def test_modifiers(self):
        path = self.write("lost.hed", LOST_UPDATE)
        plain = self.result(path, "--algorithm=exhaustive", "--all")
        asleep = self.result(path, "--algorithm=exhaustive", "--sleep-sets", "--all")
        self.assertLess(asleep["executions"], plain["executions"])
        self.assertEqual(asleep["classes"], plain["classes"])
        bounded = self.result(path, "--preemptions=0", "--all", expect=0)
        self.assertEqual((bounded["classes"], bounded["failed"]), (2, 0))
        self.assertIn("pre-emption", bounded["reason"])
        for order in ("dfs", "bit-reversal:7", "round-robin", "stride:3", "conflict-first"):
            self.assertEqual(self.result(path, f"--order={order}", "--all")["classes"], 4, order)

    def test_seeds_are_deterministic(self):
        path = self.write("lost.hed", LOST_UPDATE)
        def once(seed):
            r = self.result(path, "--algorithm=random", f"--seed={seed}", "--max-executions=50", "--all")
            return r["executions"], r["classes"], r["findings"][0]["schedule"], r["findings"][0]["count"]
        self.assertEqual(once(5), once(5))
        self.assertGreater(len({once(s)[3] for s in range(8)}), 1)

    def test_budgets(self):
        path = self.write("lost.hed", LOST_UPDATE)
        r = self.result(path, "--algorithm=exhaustive", "--max-executions=1", expect=2)
        self.assertEqual((r["verdict"], r["exhausted"], r["executions"]), ("inconclusive", False, 1))
        self.assertIn("1 executions", r["reason"])
        r = self.result(self.write("count.hed", "shared int x;\nthread c { while (1) { x = x + 1; } }\n"),
                        "--max-steps=50", expect=2)
        self.assertEqual((r["verdict"], r["cut"]), ("inconclusive", 1))
        self.assertIn("--max-steps", r["reason"])

    def test_waiting_in_vain(self):
        r = self.result(self.write("spin.hed", SPIN), expect=1)
        self.assertEqual((r["exhausted"], r["findings"][0]["kind"]), (False, "livelock"))

    def test_counting_looks(self):
        """How often a loop has looked is left out where it is long, and that is said."""
        model = """shared int x;
thread a {{ for (int i = 0; i < {}; i = i + 1) if (x == 1) break; }}
thread b {{ x = 1; }}
"""
        long = self.write("long.hed", model.format(10000))
        for options in ([], ["-j2"], ["--algorithm=exhaustive"]):
            r = self.result(long, "--all", *options, expect=0)
            self.assertEqual([a["kind"] for a in r["assumptions"]], ["counting-loops"], options)
            self.assertIn("long.hed:2", r["assumptions"][0]["places"][0])
        short = self.result(self.write("short.hed", model.format(6)), "--all", expect=0)
        self.assertEqual((short["classes"], short["assumptions"]), (7, []))

    def test_time_budget(self):
        path = self.write("long.hed", "shared int x = 0;\nthread w[2] { for (int i = 0; i < 14; i = i + 1) { x = i; } }\n")
        r = self.result(path, "--max-seconds=0.2", expect=2)
        self.assertEqual(r["verdict"], "inconclusive")
        self.assertIn("time", r["reason"])

    def test_sampling_ends_by_itself(self):
        r = self.result(self.write("safe.hed", SAFE), "--algorithm=pos", expect=2)
        self.assertEqual((r["executions"], r["exhausted"]), (10000, False))

    def test_check(self):
        for program in (self.write("lost.hed", LOST_UPDATE), str(SOURCE / "examples/two_locks.hed"),
                        str(SOURCE / "bench/programs/bounded_buffer.hed")):
            for algorithm in ("exhaustive", "dpor", "dpor-cr", "race-flip", "source-dpor", "optimal-dpor", "pos"):
                options = (program, f"--algorithm={algorithm}", "--all", "--max-executions=500")
                checked = self.result(*options, "--check")
                plain = self.result(*options)
                for r in (checked, plain):
                    del r["seconds"], r["cpu_seconds"]
                self.assertEqual(checked, plain)

    def test_order_of_executions_is_deterministic(self):
        path = str(SOURCE / "examples/two_locks.hed")
        first, second = (self.result(path, "--all") for _ in range(2))
        for r in (first, second):
            del r["seconds"], r["cpu_seconds"]
        self.assertEqual(first, second)


class Replay(HeddleTest):
    def save(self, name="lost.hed", text=LOST_UPDATE, *options):
        self.write(name, text)
        self.heddle("run", name, "--save=bug.schedule", *options, expect=1)

    def test_same_failure_and_trace(self):
        self.save()
        run = self.result("lost.hed", expect=1)
        replay = json.loads(self.heddle("replay", "bug.schedule", "--json=-", expect=1).stdout)
        self.assertEqual(replay["findings"][0]["trace"], run["findings"][0]["trace"])
        self.assertEqual(replay["findings"][0]["message"], run["findings"][0]["message"])
        self.assertEqual(replay["algorithm"], "replay")
        self.assertIn("decisive pair", self.heddle("replay", "bug.schedule", expect=1).stdout)

    def test_the_schedule_in_the_json_is_a_schedule_file(self):
        self.write("lost.hed", LOST_UPDATE)
        self.write("from_json.schedule", self.result("lost.hed")["findings"][0]["schedule"])
        self.heddle("replay", "from_json.schedule", "--quiet", expect=1)

    def test_defines_and_inputs_travel(self):
        text = "const n = 1;\nshared int x = 0;\nthread t[n] { x = input(); int y = x; assert(y == 0); }\n"
        self.save("input.hed", text, "-D", "n=2", "--seed=9")
        run = self.result("input.hed", "-Dn=2", "--seed=9")
        replay = json.loads(self.heddle("replay", "bug.schedule", "--json=-", expect=1).stdout)
        # A replay keeps its inputs, so its last good point may be another one than that of the search over inputs.
        without_mark = [[{k: v for k, v in step.items() if k != "critical"} for step in r["findings"][0]["trace"]]
                        for r in (replay, run)]
        self.assertEqual(*without_mark)

    def test_several_explorers_find_the_same(self):
        text = "shared int x = 0;\nthread t[4] { x = x + 1; x = 2; }\n"
        self.write("wide.hed", text)
        alone = self.result("wide.hed", "--all")
        together = self.result("wide.hed", "--all", "-j", "3")
        self.assertEqual(together["classes"], alone["classes"])
        self.assertTrue(together["exhausted"])
        self.write("input.hed", "shared int x = 0; thread t { x = input(); if (x == 1) { error(\"one\"); } }\n")
        alone = self.result("input.hed", "--all")
        together = self.result("input.hed", "--all", "-j", "2")
        self.assertEqual([f["inputs"] for f in together["findings"]], [{"input[t,1]": 1}])
        self.assertEqual(together["findings"], alone["findings"])
        samples = ["wide.hed", "--all", "--algorithm=pct", "--max-executions=300", "--seed=3"]
        self.assertEqual(self.result(*samples, "-j", "3")["curve"], self.result(*samples)["curve"])
        self.assertIn("for one explorer", self.heddle("run", "wide.hed", "--algorithm=rff", "-j", "2", expect=3).stderr)
        self.assertIn("-j", self.heddle("run", "wide.hed", "-j", "0", expect=3).stderr)

    def test_found_beside_the_program_from_elsewhere(self):
        self.save()
        self.heddle("replay", str(self.folder / "bug.schedule"), expect=1, cwd="/")

    def test_a_deadlock(self):
        self.save("d.hed", (SOURCE / "examples/two_locks.hed").read_text())
        self.assertIn("deadlock", self.heddle("replay", "bug.schedule", expect=1).stdout)

    def test_nothing_is_saved_without_a_bug(self):
        self.write("safe.hed", SAFE)
        done = self.heddle("run", "safe.hed", "--save=none.schedule", expect=0)
        self.assertIn("no schedule was saved", done.stdout)
        self.assertFalse((self.folder / "none.schedule").exists())

    def test_a_schedule_that_leads_nowhere_is_inconclusive(self):
        self.save()
        text = (self.folder / "bug.schedule").read_text()
        lines = ["steps 0*2 1*2" if line.startswith("steps") else line for line in text.splitlines()]
        self.write("other.schedule", "\n".join(lines) + "\n")
        self.assertIn("did not happen", self.heddle("replay", "other.schedule", expect=2).stdout)

    def test_a_schedule_that_cannot_be_followed_is_inconclusive(self):
        self.save()
        text = (self.folder / "bug.schedule").read_text()
        lines = ["steps 0*9" if line.startswith("steps") else line for line in text.splitlines()]
        self.write("other.schedule", "\n".join(lines) + "\n")
        self.assertIn("could not be followed", self.heddle("replay", "other.schedule", expect=2).stdout)


class Information(HeddleTest):
    def test_help_and_version(self):
        self.assertRegex(self.heddle("--version", expect=0).stdout,
                         r"^heddle \d+\.\d+\.\d+\n  compiler  .*clang.*\n  pass      for LLVM 19\..*\n"
                         r"  solvers   CaDiCaL \S+, Z3 \d.*\n  threads   \d+ .*\n  built by  .*\n$")
        self.assertEqual(self.heddle("version").stdout, self.heddle("--version").stdout)
        self.assertIn("algorithms", self.heddle("--help", expect=0).stdout)
        self.assertEqual(self.heddle("help").stdout, self.heddle("--help").stdout)
        text = self.heddle("run", "--help", expect=0).stdout
        self.assertIn("Usage: heddle run PROGRAM [OPTIONS] [-- FLAGS... [-- ARGUMENTS...]]\n", text)
        self.assertIn("Usage: heddle replay SCHEDULE [PROGRAM] [OPTIONS]\n", self.heddle("help", "replay").stdout)
        for option in ("-D", "--algorithm", "--sleep-sets", "--order", "--preemptions", "--seed", "--pct-depth",
                       "--max-executions", "--max-seconds", "--max-steps", "--all", "--json", "--save", "--check",
                       "--quiet"):
            self.assertIn(option, text)

    def test_every_option_is_in_the_reference(self):
        reference = (pathlib.Path(SOURCE) / "docs" / "commands.md").read_text()
        for command in ("run", "replay", "unfold"):
            text = self.heddle(command, "--help", expect=0).stdout
            options = re.findall(r"^  (?:-\w, ?)?(--[a-z-]+)", text, re.MULTILINE)
            self.assertGreater(len(options), 2, text)
            for option in set(options) - {"--help"}:
                self.assertIn(f"`{option}", reference, f"{option} of `heddle {command}`")

    def test_algorithms_lists_modifiers_too(self):
        out = self.heddle("algorithms", expect=0).stdout
        for name in ("optimal-dpor", "--sleep-sets", "--preemptions=K", "--order=conflict-first"):
            self.assertIn(name, out)


class Terminal(HeddleTest):
    def on_a_terminal(self, environment):
        """The report as it appears on a terminal 80 columns wide."""
        path = self.write("lost.hed", LOST_UPDATE)
        leader, follower = pty.openpty()
        subprocess.run(["stty", "cols", "80"], stdin=follower, check=True)
        process = subprocess.Popen([HEDDLE, "run", path], stdout=follower, stderr=subprocess.DEVNULL,
                                   env={**os.environ, **environment})
        os.close(follower)
        out = b""
        try:
            while chunk := os.read(leader, 65536):
                out += chunk
        except OSError:   # the last writer has closed the terminal
            pass
        process.wait()
        os.close(leader)
        return out.decode()

    def test_colours_only_where_wanted(self):
        self.assertIn("\x1b[", self.on_a_terminal({"NO_COLOR": ""}))
        self.assertNotIn("\x1b[", self.on_a_terminal({"NO_COLOR": "1"}))

    def test_rows_fit_the_width(self):
        table = self.on_a_terminal({"NO_COLOR": "1"}).split("step  line")[1].split("verdict")[0]
        for line in table.splitlines()[1:]:
            self.assertLessEqual(len(line), 80, line)

    def test_columns_without_a_terminal(self):
        path = self.write("lost.hed", LOST_UPDATE)
        widest = {}
        for columns in ("60", "nonsense", "200"):
            shown = subprocess.run([HEDDLE, "run", path], capture_output=True, text=True,
                                   env={**os.environ, "COLUMNS": columns}).stdout
            widest[columns] = max(len(line) for line in shown.split("step  line")[0].splitlines() if "why" in line)
        self.assertLessEqual(widest["60"], 60)
        self.assertLessEqual(widest["nonsense"], 100)
        self.assertGreater(widest["200"], 100)


if __name__ == "__main__":
    unittest.main()
