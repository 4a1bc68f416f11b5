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

    # A target of the project, with a library of its own: both have twins, and each test is one of CTest's.
    def test_discovery(self):
        project, build = self.folder / "discovered", self.folder / "discovered-build"
        project.mkdir()
        (project / "CMakeLists.txt").write_text("""cmake_minimum_required(VERSION 3.21)
project(P LANGUAGES C CXX)
find_package(Heddle REQUIRED)
find_package(GTest REQUIRED)
enable_testing()
set(CMAKE_CXX_STANDARD 20)
add_library(counter counter.cpp)
target_include_directories(counter PUBLIC include)
target_compile_definitions(counter PRIVATE STEP=1)
add_executable(tests tests.cpp)
target_link_libraries(tests PRIVATE counter GTest::gtest_main)
heddle_discover_tests(tests MAX_SECONDS 60)
add_executable(whole whole.cpp)
target_link_libraries(whole PRIVATE counter)
heddle_add_test(NAME whole TARGET whole EXPECT_BUG)
""")
        (project / "include").mkdir()
        (project / "include/counter.h").write_text("void count();\nextern int counted;\n")
        (project / "counter.cpp").write_text('#include "counter.h"\nint counted;\nvoid count() { counted += STEP; }\n')
        (project / "tests.cpp").write_text("""#include "counter.h"
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
TEST(Counter, UnderALock) {
  std::mutex m;
  const auto one = [&] { std::lock_guard lock(m); count(); };
  std::thread a(one), b(one);
  a.join(); b.join();
  EXPECT_EQ(counted, 2);
}
TEST(Counter, WithoutALock) {
  std::thread a(count), b(count);
  a.join(); b.join();
}
""")
        (project / "whole.cpp").write_text(
            '#include "counter.h"\n#include <thread>\nint main() { std::thread t(count); count(); t.join(); }\n')
        configured = self.configure(project, build)
        self.assertEqual(configured.returncode, 0, configured.stderr)
        built = subprocess.run(["cmake", "--build", build], capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        tested = subprocess.run(["ctest", "--test-dir", build, "--output-junit", "all.xml"], capture_output=True, text=True)
        cases = {case.get("name"): case.get("status") for case in ElementTree.parse(build / "all.xml").iter("testcase")}
        self.assertEqual(cases, {"heddle.Counter.UnderALock": "run", "heddle.Counter.WithoutALock": "fail", "whole": "run"},
                         tested.stdout)
        # The twins are beside the project's own executables, which stay as they were.
        self.assertEqual(subprocess.run([build / "tests", "--gtest_list_tests"], capture_output=True).returncode, 0)

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
        self.assertIn("is no target of this project", self.refusal("heddle_discover_tests(nothing)"))
        self.assertIn("is not for a TARGET",
                      " ".join(self.refusal("heddle_add_test(NAME t TARGET x LINK_OPTIONS -lm)").split()))
        self.assertIn("a model is one file", self.refusal("heddle_add_test(NAME t SOURCES a.hed b.hed)"))
        self.assertIn("ARGUMENTS is for C and C++",
                      " ".join(self.refusal("heddle_add_test(NAME t SOURCES a.hed ARGUMENTS 1)").split()))
        self.assertIn("exclude each other",
                      " ".join(self.refusal("heddle_add_test(NAME t SOURCES a.c EXPECT_BUG ALLOW_INCONCLUSIVE)").split()))


if __name__ == "__main__":
    unittest.main()
