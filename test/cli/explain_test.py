#!/usr/bin/env python3
"""From a finding to its cause: the explanation in the report, replays of changed programs, exploration behind a prefix,
the corpus, statistics and progress lines."""
import json
import re
import subprocess
import unittest

from harness import ENDLESS, HEDDLE, LOST_UPDATE, SAFE, SOURCE, HeddleTest


class Explanation(HeddleTest):
    def test_report_names_pair_critical_step_and_pattern(self):
        out = self.heddle("run", self.write("p.hed", LOST_UPDATE), expect=1).stdout
        flat = re.sub(r"\s+", " ", out)
        self.assertRegex(flat, r"worker\[\d\] reads `x` \(\S+:3:13\) before worker\[\d\] writes it \(\S+:4:3\); "
                               r"in the other order the run succeeds")
        self.assertIn("every continuation fails", flat)
        self.assertIn("lost update: ", flat)
        self.assertIn("1 pre-emption, ", flat)
        rows = out.splitlines()
        self.assertEqual(sum(r.startswith("*") for r in rows), 2)
        self.assertEqual(sum(r[1:2] == ">" and r[:1] in "*~ " for r in rows), 1)

    def test_json_has_it_too_and_the_good_schedule_is_good(self):
        program = self.write("p.hed", LOST_UPDATE)
        why = self.result(program, expect=1)["findings"][0]["explanation"]
        self.assertEqual(why["pattern"], "lost update")
        self.assertEqual(why["shown"]["preemptions"], 1)
        self.assertTrue(why["minimized"] and why["critical_certain"])
        good = self.write("good.schedule", why["succeeding_schedule"])
        done = self.heddle("replay", good, "--json=-", expect=2)
        self.assertEqual(json.loads(done.stdout)["findings"], [])

    def test_no_minimize_keeps_the_execution_that_was_found(self):
        program = self.write("p.hed", LOST_UPDATE)
        options = (program, "--algorithm=random", "--seed=5")
        raw = self.result(*options, "--no-minimize", expect=1)["findings"][0]
        short = self.result(*options, expect=1)["findings"][0]
        self.assertFalse(raw["explanation"]["minimized"])
        self.assertEqual(raw["explanation"]["found"], raw["explanation"]["shown"])
        self.assertEqual(short["explanation"]["found"], raw["explanation"]["found"])
        self.assertLessEqual(short["explanation"]["shown"]["preemptions"], raw["explanation"]["shown"]["preemptions"])

    def test_a_failure_in_every_order_is_said_to_be_one(self):
        out = self.heddle("run", self.write("p.hed", "shared int x = 0;\nthread t { x = 1; assert(x == 0); }\n"), expect=1)
        self.assertIn("every schedule fails like this", out.stdout)


class Replay(HeddleTest):
    def save(self):
        program = self.write("p.hed", LOST_UPDATE)
        self.heddle("run", program, "--save=bug.schedule", "--quiet", expect=1)
        return program

    def test_a_changed_program_that_still_fits(self):
        program = self.save()
        self.write("p.hed", LOST_UPDATE.replace("x == 2", "x == 2 && x < 3"))
        out = self.heddle("replay", "bug.schedule", expect=1).stdout
        self.assertIn(f'"{program}" has changed since the schedule was saved', out)
        self.assertRegex(out, r"it follows (\d+) of \1 steps")

    def test_a_changed_program_that_does_not(self):
        self.save()
        self.write("p.hed", SAFE)
        out = self.heddle("replay", "bug.schedule", expect=2).stdout
        self.assertRegex(out, r"it follows \d of 7 steps")

    def test_prefix_only_explores_what_follows(self):
        self.save()
        result = json.loads(self.heddle("replay", "bug.schedule", "--prefix-only", "--steps=0", "--json=-", expect=1).stdout)
        self.assertEqual(result["algorithm"], "optimal-dpor")
        steps = json.loads(self.heddle("replay", "bug.schedule", "--prefix-only", "--steps=1", "--json=-", expect=1).stdout)
        self.assertTrue(steps["findings"][0]["schedule"])
        self.heddle("replay", self.write("again.schedule", steps["findings"][0]["schedule"]), "--quiet", expect=1)

    def test_prefix_only_of_a_changed_program_says_how_far_it_follows(self):
        self.save()
        self.write("p.hed", SAFE)
        done = self.heddle("replay", "bug.schedule", "--prefix-only", expect=3)
        self.assertRegex(done.stderr, r"has changed since the schedule was saved .*; it follows (\d) of 7 steps; "
                                      r"explore what can follow these with --prefix-only --steps=\1")
        self.assertNotIn("deterministic", done.stderr)
        steps = re.search("--steps=([0-9])", done.stderr)[0]
        done = self.heddle("replay", "bug.schedule", "--prefix-only", steps, expect=0)
        self.assertIn("note: ", done.stderr)

    def test_changed_models_and_programs_are_spoken_of_alike(self):
        source = (SOURCE / "examples/lost_update.cpp").read_text()
        said = []
        for name, buggy, fixed in (("p.hed", LOST_UPDATE, SAFE), ("p.cpp", source, "int main() {}\n")):
            program = self.write(name, buggy)
            self.heddle("run", program, "--save=bug.schedule", "--quiet", expect=1)
            self.write(name, fixed)
            out = self.heddle("replay", "bug.schedule", expect=2).stdout
            said.append(re.sub(r"\d+", "N", out.replace(program, "PROGRAM").split("replay: ")[0]))
        self.assertIn("follows N of N steps", said[0])
        self.assertEqual(*said)

    def test_a_schedule_that_never_fitted_is_said_to_be_damaged(self):
        self.save()
        text = (self.folder / "bug.schedule").read_text()
        self.write("bug.schedule", re.sub(r"(?m)^steps .*$", "steps 0 9", text))
        for options in ((), ("--prefix-only",)):
            done = self.heddle("replay", "bug.schedule", *options)
            self.assertRegex(done.stdout + done.stderr,
                             r"has not changed and follows 1 of 2 steps: thread 9 cannot take the next one; the file is damaged")
            self.assertNotIn("deterministic", done.stdout + done.stderr)

    def test_the_program_is_found_from_elsewhere(self):
        for folder in ("project/examples", "project/bench", "project/saved/old", "away"):
            (self.folder / folder).mkdir(parents=True)
        project = self.folder / "project"
        (project / "examples/p.hed").write_text(LOST_UPDATE)
        self.heddle("run", "examples/p.hed", "--save=saved/old/bug.schedule", "--quiet", expect=1, cwd=project)
        self.heddle("replay", "saved/old/bug.schedule", "--quiet", expect=1, cwd=project)
        self.heddle("replay", "../saved/old/bug.schedule", "--quiet", expect=1, cwd=project / "bench")
        self.heddle("replay", "bug.schedule", "--quiet", expect=1, cwd=project / "saved/old")
        (project / "saved/old/bug.schedule").rename(self.folder / "away/bug.schedule")
        done = self.heddle("replay", "bug.schedule", expect=3, cwd=self.folder / "away")
        self.assertIn('the schedule names the program "examples/p.hed", but there is no file like that', done.stderr)
        self.assertIn(f'from "{(self.folder / "away").resolve()}" and the folders above', done.stderr)
        self.assertIn("`heddle replay bug.schedule PROGRAM`", done.stderr)
        self.heddle("replay", "bug.schedule", "../project/examples/p.hed", "--quiet", expect=1, cwd=self.folder / "away")

    def test_run_of_a_schedule_suggests_replay(self):
        self.save()
        done = self.heddle("run", "bug.schedule", expect=3)
        self.assertIn("is a schedule, not a program; run it with `heddle replay bug.schedule`", done.stderr)

    def test_a_part_of_a_schedule(self):
        self.save()
        result = json.loads(self.heddle("replay", "bug.schedule", "--steps=0", "--json=-", expect=2).stdout)
        self.assertEqual(result["findings"], [])


class Corpus(HeddleTest):
    def files(self):
        return sorted(p.name for p in (self.folder / "corpus").rglob("*.schedule"))

    def test_failures_are_kept_and_run_first(self):
        program = self.write("p.hed", LOST_UPDATE)
        self.heddle("run", program, "--corpus=corpus", "--quiet", expect=1)
        kinds = [name.split("-")[0] for name in self.files()]
        self.assertEqual(kinds, ["assertion", "near"])
        again = self.result(program, "--corpus=corpus", expect=1)
        self.assertEqual(again["algorithm"], "corpus")
        self.assertEqual(again["findings"][0]["kind"], "assertion")

    def test_a_fix_deletes_nothing_and_a_relapse_is_found_at_once(self):
        program = self.write("p.hed", LOST_UPDATE)
        self.heddle("run", program, "--corpus=corpus", "--quiet", expect=1)
        kept = self.files()
        self.write("p.hed", SAFE)
        out = self.heddle("run", program, "--corpus=corpus", expect=0).stdout
        self.assertIn("corpus: 2 schedules run, 0 failed, 2 can no longer be followed\n", out)
        self.assertEqual(self.files(), kept)
        self.write("p.hed", LOST_UPDATE)
        out = self.heddle("run", program, "--corpus=corpus", expect=1).stdout
        self.assertIn("corpus: 2 schedules run, 1 failed, 0 can no longer be followed\n", out)
        self.assertEqual(self.result(program, "--corpus=corpus", expect=1)["algorithm"], "corpus")

    def test_native_programs_are_counted_likewise(self):
        source = (SOURCE / "examples/lost_update.cpp").read_text()
        program = self.write("p.cpp", source)
        self.heddle("run", program, "--corpus=corpus", "--quiet", expect=1)
        kept = self.files()
        self.assertEqual(len(kept), 2)
        # One that leaves the schedules, and one that ends before they do.
        for fixed in (source.replace("visitors = visitors + 1", "visitors++"), "int main() {}\n"):
            self.assertNotEqual(fixed, source)
            self.write("p.cpp", fixed)
            out = self.heddle("run", program, "--corpus=corpus", expect=0).stdout
            self.assertRegex(out, r"corpus: 2 schedules run, 0 failed, [12] can no longer be followed\n")
            self.assertEqual(self.files(), kept)

    def test_programs_of_the_same_name_are_told_apart(self):
        for folder in ("a", "b"):
            (self.folder / folder).mkdir()
        self.write("a/p.hed", LOST_UPDATE)
        self.write("b/p.hed", SAFE)
        self.heddle("run", "a/p.hed", "--corpus=corpus", "--quiet", expect=1)
        out = self.heddle("run", "b/p.hed", "--corpus=corpus", expect=0).stdout
        self.assertNotIn("corpus:", out)
        self.assertEqual([p.name for p in (self.folder / "corpus").iterdir()], ["a%2Fp.hed"])
        for same in ("./a/p.hed", "b/../a/p.hed", str(self.folder / "a/p.hed")):
            self.assertIn("corpus: 2 schedules run, 1 failed", self.heddle("run", same, "--corpus=corpus", expect=1).stdout)

    def test_an_unwritable_corpus_is_known_before_exploring(self):
        program = self.write("p.hed", ENDLESS)
        self.write("file", "")
        done = self.heddle("run", program, "--corpus=file", "--max-seconds=200", expect=3)
        self.assertIn('cannot write into the corpus "file"', done.stderr)

    def test_variants_have_folders_of_their_own(self):
        program = self.write("p.hed", "const n = 2;\n" + LOST_UPDATE)
        self.heddle("run", program, "--corpus=corpus", "--quiet", expect=1)
        self.heddle("run", program, "-D", "n=3", "--corpus=corpus", "--quiet", expect=1)
        self.assertEqual(len(list((self.folder / "corpus").iterdir())), 2)

    def test_a_broken_file_is_an_error(self):
        program = self.write("p.hed", LOST_UPDATE)
        self.heddle("run", program, "--corpus=corpus", "--quiet", expect=1)
        sorted((self.folder / "corpus").rglob("*.schedule"))[0].write_text("nonsense\n")
        done = self.heddle("run", program, "--corpus=corpus", expect=3)
        self.assertIn(".schedule: ", done.stderr)


class Progress(HeddleTest):
    def test_plain_lines_with_an_estimate(self):
        program = self.write("p.hed", ENDLESS)
        done = self.heddle("run", program, "--max-seconds=1.5", "--progress=0.3", expect=2)
        lines = [line for line in done.stderr.splitlines() if line.startswith("heddle: ")]
        self.assertGreaterEqual(len(lines), 2)
        self.assertRegex(lines[-1], r"\d+ executions, \d+ classes, \d+/s, depth \d+, estimated \S+ in all \(\S+ to \S+\), .* left")
        self.assertRegex(done.stdout, r"estimate: \S+ executions in all \(between")

    def test_no_lines_if_not_wanted(self):
        program = self.write("p.hed", ENDLESS)
        for option in ("--progress=0", "--quiet"):
            self.assertEqual(self.heddle("run", program, "--max-seconds=0.5", option, expect=2).stderr, "")

    def test_statistics(self):
        out = self.heddle("run", self.write("p.hed", SAFE), "--stats", expect=0).stdout
        self.assertRegex(out, r"statistics\n  executions +2\n")
        self.assertRegex(out, r"\n  classes +2\n")


class Help(HeddleTest):
    def test_commands_have_help_with_examples(self):
        for command in ("run", "replay", "algorithms", "completion", "man"):
            text = self.heddle("help", command, expect=0).stdout
            self.assertIn("Examples:", text)
            self.assertEqual(text.split("Examples:")[1], self.heddle(command, "--help", expect=0).stdout.split("Examples:")[1])
        for command in ("run", "replay", "unfold"):
            self.assertEqual([line for line in self.heddle("help", command).stdout.splitlines() if len(line) > 80], [])
        self.assertIn("did you mean replay?", self.heddle("help", "replya", expect=3).stderr)
        self.assertIn("did you mean completion?", self.heddle("completoin", expect=3).stderr)

    def test_completions_know_every_option(self):
        options = re.findall(r"(--[a-z-]+)", self.heddle("run", "--help").stdout.split("Examples:")[0])
        self.assertIn("--corpus", options)
        for shell in ("bash", "zsh", "fish"):
            script = self.heddle("completion", shell, expect=0).stdout
            for option in set(options) - {"--help"}:
                self.assertIn(option if shell != "fish" else f"-l {option[2:]} ", script)
        self.assertIn("bash, zsh, fish", self.heddle("completion", "tcsh", expect=3).stderr)

    def test_bash_completes(self):
        script = self.write("c.bash", self.heddle("completion", "bash").stdout)
        ask = ('source {}; COMP_WORDS=({}); COMP_CWORD={}; _heddle; echo "${{COMPREPLY[@]}}"')
        def complete(words, at):
            done = subprocess.run(["bash", "-c", ask.format(script, words, at)], capture_output=True, text=True,
                                  cwd=self.folder)
            return done.stdout.split()
        self.write("p.hed", SAFE)
        self.write("other.txt", "")
        self.assertEqual(complete("heddle re", 1), ["replay"])
        self.assertEqual(complete("heddle run --cor", 2), ["--corpus="])
        self.assertEqual(complete("heddle run --algorithm = opt", 4), ["optimal-dpor"])
        self.assertEqual(complete("heddle run --inputs = r", 4), ["random"])
        self.assertEqual(complete("heddle run --solver = inc", 4), ["incremental"])
        self.assertEqual(complete("heddle unfold --max", 2), ["--max-events="])
        self.assertIn("p.hed", complete("heddle run ''", 2))
        self.assertNotIn("other.txt", complete("heddle run ''", 2))

    def test_manual_pages(self):
        for command in ("", "run", "replay", "unfold"):
            page = self.heddle("man", *([command] if command else []), expect=0).stdout
            self.assertTrue(page.startswith(".TH HEDDLE"))
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS"):
                self.assertIn(f".SH {section}\n", page)
            heads = re.findall(r"^\.SS (.*)$", page, re.M)
            self.assertEqual(len(heads), len(set(heads)))
        self.assertIn("\\fB\\-\\-max\\-events\\fR=\\fIN\\fR", self.heddle("man", "unfold").stdout)
        self.assertIn("\\fB\\-\\-corpus\\fR=\\fIDIR\\fR", self.heddle("man", "run").stdout)


if __name__ == "__main__":
    unittest.main()
