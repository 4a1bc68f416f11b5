"""What the scripts of this folder share: the binary under test and a scratch folder per test."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["HEDDLE_SOURCE"])
HEDDLE = os.environ["HEDDLE"]

LOST_UPDATE = """shared int x = 0;
thread worker[2] {
  int old = x;
  x = old + 1;
}
thread checker {
  join worker;
  assert(x == 2);
}
"""

SAFE = """shared int x = 0;
lock m;
thread worker[2] {
  lock(m);
  x = x + 1;
  unlock(m);
}
"""

SPIN = """shared int x = 0;
thread spinner {
  while (x == 0) { }
}
"""

# 2 threads of 14 writes each: 28! / (14! 14!) = 40 million classes, far beyond any test's patience.
ENDLESS = """shared int x = 0;
thread writer[2] {
  for (int i = 0; i < 14; i = i + 1) { x = i; }
}
"""


class HeddleTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
        return str(path)

    def heddle(self, *arguments, expect=None, cwd=None):
        # As wide as without a terminal, whatever the terminal outside is.
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        done = subprocess.run([HEDDLE, *arguments], capture_output=True, text=True, errors="replace",
                              cwd=cwd or self.folder, timeout=300, env=environment)
        if expect is not None:
            self.assertEqual(done.returncode, expect, f"heddle {' '.join(arguments)}\n{done.stdout}\n{done.stderr}")
        return done

    def result(self, *arguments, expect=None):
        done = self.heddle("run", *arguments, "--json=-", expect=expect)
        return json.loads(done.stdout)
