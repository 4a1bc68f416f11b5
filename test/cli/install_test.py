#!/usr/bin/env python3
"""`cmake --install` gives a working heddle, and a package that the embedding examples build against."""
import os
import subprocess
import unittest

from harness import SOURCE, HeddleTest

EXPECTED = {
    "counter": "without a lock: bug, 4 classes, 2 of them with a bug\nwith a lock: no bug, 2 classes, 0 of them with a bug\n",
    "mailbox": "careless reader: bug, 3 classes, 1 deadlocked\ncareful reader: no bug, 2 classes, 0 deadlocked\n",
    "whole_program": "readers(10): no bug, 1024 classes\n",
}


class Install(HeddleTest):
    def do(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=600)
        self.assertEqual(done.returncode, 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def test_installed_package(self):
        prefix = str(self.folder / "prefix")
        self.do("cmake", "--install", os.environ["HEDDLE_BUILD"], "--prefix", prefix)
        self.assertRegex(self.do(f"{prefix}/bin/heddle", "--version"), r"^heddle ")
        out = self.do(f"{prefix}/bin/heddle", "run", str(SOURCE / "examples/bank_fixed.hed"))
        self.assertIn("verdict: no bug", out)

        for file in ("man/man1/heddle.1", "man/man1/heddle-run.1", "man/man1/heddle-unfold.1", "bash-completion/completions/heddle",
                     "zsh/site-functions/_heddle", "fish/vendor_completions.d/heddle.fish"):
            self.assertGreater((self.folder / "prefix/share" / file).stat().st_size, 100, file)

        flags = "-fsanitize=address,undefined" if os.environ["HEDDLE_SANITIZE"] == "1" else ""
        self.do("cmake", "-G", "Ninja", "-S", str(SOURCE / "examples/embedding"), "-B", "build",
                f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={os.environ['HEDDLE_HOST_CXX']}",
                f"-DCMAKE_CXX_FLAGS={flags} -Wall -Wextra -Werror")
        self.do("cmake", "--build", "build")
        for name, output in EXPECTED.items():
            self.assertEqual(self.do(f"build/{name}"), output)


if __name__ == "__main__":
    unittest.main()
