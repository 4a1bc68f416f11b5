#!/usr/bin/env python3
"""Programs with well-known mistakes (test/programs/advice): the pattern that a person would name, and lines that the report shows.

Heads: `// pattern: NAME` (nothing: none may be claimed), `// lines: N ...` (in the sentence about the pattern, or in the lines below it),
`// options: ...`, `// data: ...` and `// says: ...` (in the report, the former in its trace)."""
import json
import re
import unittest

from harness import SOURCE, HeddleTest


class Advice(HeddleTest):
    def test_patterns(self):
        programs = sorted((SOURCE / "test/programs/advice").iterdir())
        self.assertGreater(len(programs), 6)
        for program in programs:
            text = program.read_text()
            head = dict(re.findall(r"^// (pattern|lines|options):(.*)$", text, re.M))
            with self.subTest(program=program.name):
                done = self.heddle("run", str(program), "--json=-", *head.get("options", "").split(), expect=1)
                why = json.loads(done.stdout)["findings"][0]["explanation"]
                self.assertEqual(why["pattern"], head["pattern"].strip(), why["decisive"])
                shown = self.heddle("run", str(program), *head.get("options", "").split(), expect=1).stdout
                told = re.sub(r"\s+", " ", shown.split("step  line")[0])
                for kind, what in re.findall(r"^// (data|says): (.*)$", text, re.M):
                    self.assertIn((". " if kind == "data" else "") + what, shown)
                for line in head.get("lines", "").split():
                    self.assertIn(f"{program.name}:{line}:", told)


if __name__ == "__main__":
    unittest.main()
