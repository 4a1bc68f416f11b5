#!/usr/bin/env python3
"""JUnit output of the real binary, against the schema; annotations and quiet mode as a CI job sees them."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["HEDDLE_SOURCE"])
HEDDLE = os.environ["HEDDLE"]
SCHEMA = Path(__file__).with_name("junit.xsd")


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
