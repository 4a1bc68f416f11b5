"""A test that runs the heddle given on the command line in a folder of its own, with a cache of its own."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

HEDDLE = sys.argv[1]


class HeddleCase(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.dir)
        self.environment = {**os.environ, "HEDDLE_CACHE": str(self.dir / "cache")}

    def write(self, name, text):
        (self.dir / name).write_text(textwrap.dedent(text))

    def heddle(self, *arguments, code):
        done = subprocess.run([HEDDLE, *map(str, arguments)], cwd=self.dir, env=self.environment, text=True,
                              capture_output=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done
