#!/usr/bin/env python3
"""`cmake --install` gives a working heddle, and a package that the embedding examples build against; `cpack` a Debian package that
works from where it is unpacked."""
import os
import re
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

    def test_debian_package(self):
        self.do("cpack", "--config", os.environ["HEDDLE_BUILD"] + "/CPackConfig.cmake", "-B", str(self.folder / "made"))
        package = str(next((self.folder / "made").glob("heddle_*.deb")))
        fields = self.do("dpkg-deb", "-f", package)
        for needed in ("clang-19", "libz3-4", "libdw1", "libstdc++6"):
            self.assertRegex(fields, rf"Depends: .*\b{re.escape(needed)}\b")
        self.do("dpkg-deb", "-x", package, str(self.folder / "root"))
        heddle = str(self.folder / "root/usr/bin/heddle")
        done = subprocess.run([heddle, "run", str(SOURCE / "examples/bank.cpp")], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("check-then-act", done.stdout)
        self.assertTrue((self.folder / "root/usr/share/man/man1/heddle-c++.1").exists())


if __name__ == "__main__":
    unittest.main()
