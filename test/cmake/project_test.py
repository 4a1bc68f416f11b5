#!/usr/bin/env python3
"""examples/cmake-project, built and tested against an installed Heddle; and what heddle_add_test refuses."""
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SOURCE = Path(os.environ["HEDDLE_SOURCE"])


class Project(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        cls.prefix = cls.folder / "prefix"
        subprocess.run(["cmake", "--install", os.environ["HEDDLE_BUILD"], "--prefix", cls.prefix], check=True,
                       capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def configure(self, source, build):
        return subprocess.run(["cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}"],
                              capture_output=True, text=True)

    def test_example(self):
        build = self.folder / "build"
        configured = self.configure(SOURCE / "examples/cmake-project", build)
        self.assertEqual(configured.returncode, 0, configured.stderr)
        built = subprocess.run(["cmake", "--build", build], capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        tested = subprocess.run(["ctest", "--test-dir", build, "--output-on-failure", "--output-junit", "all.xml"],
                                capture_output=True, text=True)
        self.assertEqual(tested.returncode, 0, tested.stdout + tested.stderr)
        cases = {case.get("name"): case.get("status") for case in ElementTree.parse(build / "all.xml").iter("testcase")}
        self.assertEqual(cases, {"office": "run", "office_without_lock": "run", "doors": "run", "turnstile": "notrun"},
                         "the turnstile is a sample, hence inconclusive, hence skipped")
        for name, failures in [("office", "0"), ("office_without_lock", "1"), ("doors", "0"), ("turnstile", "0")]:
            suite = ElementTree.parse(build / f"reports/{name}.xml").find("testsuite")
            self.assertEqual(suite.get("failures"), failures, name)
            self.assertIn("</html>", (build / f"reports/{name}.html").read_text())
        # Nothing has changed, so nothing is built again.
        again = subprocess.run(["cmake", "--build", build], capture_output=True, text=True)
        self.assertIn("no work to do", again.stdout)

    def refusal(self, call):
        project = self.folder / "refused"
        project.mkdir(exist_ok=True)
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(P LANGUAGES C CXX)\nfind_package(Heddle REQUIRED)\n"
            f"enable_testing()\n{call}\n")
        done = self.configure(project, self.folder / "refused-build")
        self.assertNotEqual(done.returncode, 0, call)
        return done.stderr

    def test_refusals(self):
        self.assertIn("needs a NAME and SOURCES", self.refusal("heddle_add_test(NAME t)"))
        self.assertIn("unknown arguments: verbose", self.refusal("heddle_add_test(verbose NAME t SOURCES a.c)"))
        self.assertIn("a model is one file", self.refusal("heddle_add_test(NAME t SOURCES a.hed b.hed)"))
        self.assertIn("ARGUMENTS is for C and C++",
                      " ".join(self.refusal("heddle_add_test(NAME t SOURCES a.hed ARGUMENTS 1)").split()))
        self.assertIn("exclude each other",
                      " ".join(self.refusal("heddle_add_test(NAME t SOURCES a.c EXPECT_BUG ALLOW_INCONCLUSIVE)").split()))


if __name__ == "__main__":
    unittest.main()
