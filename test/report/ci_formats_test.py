#!/usr/bin/env python3
"""JUnit and JSON output of the real binary, against their schemas; annotations, problem lines and quiet mode as a CI job or an
editor sees them."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["HEDDLE_SOURCE"])
HEDDLE = os.environ["HEDDLE"]
SCHEMA = Path(__file__).with_name("junit.xsd")
JSON_SCHEMA = json.loads((SOURCE / "docs/result.schema.json").read_text())


def strict(schema):
    """The schema without leave to add fields, which readers give and we must write down."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {"additionalProperties": False} if schema.get("type") == "object" and "properties" in schema else {}
    return {**{key: strict(part) for key, part in schema.items()}, **closed}


class CiFormats(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def heddle(self, *words, code, **environment):
        clean = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
        done = subprocess.run([HEDDLE, *map(str, words)], capture_output=True, text=True, cwd=self.folder,
                              env={**clean, **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def validate(self, file):
        done = subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, file], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_junit_validates(self):
        (self.folder / "odd <&>.hed").write_bytes(
            b'shared int x = 0;\nthread t { x = 1; assert(x == 0, "]]> \x01\xff </failure>"); }\n')
        for program, code, options in [(SOURCE / "examples/bank.hed", 1, ["--all"]),
                                       (SOURCE / "examples/two_locks.hed", 1, []),
                                       (SOURCE / "examples/bank_fixed.hed", 0, []),
                                       (SOURCE / "bench/programs/fib.hed", 2, ["--max-executions=5"]),
                                       ("odd <&>.hed", 1, [])]:
            with self.subTest(program=program):
                done = self.heddle("run", program, "--quiet", "--junit=out.xml", *options, code=code)
                self.assertEqual(done.stdout + done.stderr, "", "quiet is quiet")
                self.validate(self.folder / "out.xml")

    def test_schema_is_in_force(self):
        (self.folder / "bad.xml").write_text('<testsuites tests="1"><testsuite/></testsuites>')
        with self.assertRaises(AssertionError):
            self.validate(self.folder / "bad.xml")

    def validate_json(self, file):
        (self.folder / "schema.json").write_text(json.dumps(strict(JSON_SCHEMA)))
        done = subprocess.run(["jsonschema", "-i", file, self.folder / "schema.json"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_json_validates(self):
        for program, code, options in [("examples/bank.hed", 1, ["--all"]),
                                       ("examples/two_locks.hed", 1, []),
                                       ("examples/bank_fixed.hed", 0, []),
                                       ("examples/message_passing.hed", 1, []),
                                       ("examples/dekker.hed", 0, ["--memory=sc"]),
                                       ("examples/bank.cpp", 1, ["--all"]),
                                       ("bench/programs/fib.hed", 2, ["--max-executions=5"]),
                                       ("bench/programs/fib.hed", 2, ["--max-executions=50", "--algorithm=random"]),
                                       ("bench/programs/fib.hed", 0, ["-D", "k=2", "--algorithm=stateful", "--never=i < 0"]),
                                       ("bench/programs/updater.hed", 1, ["--never=a + b > 200"])]:
            with self.subTest(program=program, options=options):
                self.heddle("run", SOURCE / program, "--quiet", "--json=out.json", *options, code=code)
                self.validate_json(self.folder / "out.json")
        self.heddle("run", SOURCE / "examples/bank.hed", "--save=bug.schedule", "--quiet", code=1)
        self.heddle("replay", "bug.schedule", "--quiet", "--json=out.json", code=1)
        self.validate_json(self.folder / "out.json")

    def test_json_schema_is_in_force(self):
        for text in ('{"verdict": "bug"}', json.dumps({**{name: 0 for name in JSON_SCHEMA["required"]}, "novel": 1})):
            (self.folder / "bad.json").write_text(text)
            with self.assertRaises(AssertionError):
                self.validate_json(self.folder / "bad.json")

    def test_problem_lines(self):
        (self.folder / "bank.hed").write_text((SOURCE / "examples/bank.hed").read_text())
        self.assertEqual(self.heddle("run", "bank.hed", "--quiet", "--problems", code=1).stdout,
                         "bank.hed:12:3: error: assertion: assert(balance == 200)\n"
                         "bank.hed:6:13: note: teller[1]: read balance = 0\n"
                         "bank.hed:7:3: note: teller[0]: write balance = 100\n")
        apart = self.heddle("run", "bank.hed", "--json=-", "--problems", code=1)
        self.assertNotIn("error:", apart.stdout)
        self.assertIn("bank.hed:12:3: error: ", apart.stderr)
        (self.folder / "fib.hed").write_text((SOURCE / "bench/programs/fib.hed").read_text())
        self.assertRegex(self.heddle("run", "fib.hed", "--quiet", "--problems", "--max-executions=5", code=2).stdout,
                         r"^fib.hed:1:1: warning: inconclusive: [^\n]+\n$")
        self.assertEqual(self.heddle("run", SOURCE / "examples/bank_fixed.hed", "--quiet", "--problems", code=0).stdout, "")

    def test_annotations(self):
        bank = SOURCE / "examples/bank.hed"
        self.assertNotIn("::error", self.heddle("run", bank, code=1).stdout)
        self.assertIn("::error file=", self.heddle("run", bank, "--github", code=1).stdout)
        self.assertIn("::error file=", self.heddle("run", bank, code=1, GITHUB_ACTIONS="true").stdout)
        self.assertEqual(self.heddle("run", bank, "--quiet", code=1, GITHUB_ACTIONS="true").stdout, "")
        asked = self.heddle("run", bank, "--quiet", "--github", code=1).stdout
        self.assertRegex(asked, r"^::error file=[^\n]*bank.hed,line=12,col=3,title=[^\n]*\n$")
        apart = self.heddle("run", bank, "--json=-", "--github", code=1)
        self.assertNotIn("::error", apart.stdout)
        self.assertIn("::error", apart.stderr)

    def test_replay_writes_reports_too(self):
        self.heddle("run", SOURCE / "examples/bank.hed", "--save=bug.schedule", "--quiet", code=1)
        self.heddle("replay", "bug.schedule", "--quiet", "--junit=o.xml", "--html=o.html", "--sarif=o.sarif", code=1)
        self.validate(self.folder / "o.xml")
        for name in ("o.html", "o.sarif"):
            self.assertIn("assertion", (self.folder / name).read_text())

    def test_files_that_clash_or_cannot_be_written(self):
        bank = SOURCE / "examples/bank.hed"
        self.assertIn("--html and --sarif name the same file",
                      self.heddle("run", bank, "--html=o", "--sarif=o", code=3).stderr)
        self.assertIn("--junit needs a file", self.heddle("run", bank, "--junit=-", code=3).stderr)
        self.assertIn("cannot write \"no/such/o.html\"", self.heddle("run", bank, "--html=no/such/o.html", code=3).stderr)


if __name__ == "__main__":
    unittest.main()
