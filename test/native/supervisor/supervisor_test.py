"""The supervisor, seen from the command line: building, arguments, names, output, replay, killed workers, Ctrl-C.

Usage: supervisor_test.py HEDDLE HEDDLE_CC
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

HEDDLE, HEDDLE_CC = sys.argv[1:3]
PROGRAMS = pathlib.Path(__file__).resolve().parents[3] / "bench/native/programs"

LOST_UPDATE = """
    #include <atomic>
    #include <cassert>
    #include <cstdio>
    #include <thread>
    struct Shop { int opened = 9; std::atomic<int> visitors{0}; } shop;
    void enter() { shop.visitors = shop.visitors + 1; }
    int main() {
      std::thread a(enter), b(enter);
      a.join();
      b.join();
      std::fprintf(stderr, "counted %d\\n", shop.visitors.load());
      assert(shop.visitors == 2);
    }
    """


class SupervisorTest(unittest.TestCase):
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

    # Building.

    def test_compile_errors_are_shown(self):
        self.write("bad.cpp", "int main() { return x; }")
        done = self.heddle("run", "bad.cpp", code=3)
        self.assertIn("bad.cpp:1", done.stderr)
        self.assertIn("flags for the compiler go after --", done.stderr)

    def test_rebuilds_when_a_header_changes(self):
        self.write("answer.h", "#define ANSWER 0\n")
        self.write("prog.c", '#include "answer.h"\nint main(void) { return ANSWER; }\n')
        self.heddle("run", "prog.c", code=0)
        built = list((self.dir / "cache").glob("*/prog"))
        self.assertEqual(len(built), 1)
        before = built[0].stat().st_mtime_ns
        self.heddle("run", "prog.c", code=0)
        self.assertEqual(built[0].stat().st_mtime_ns, before)
        time.sleep(0.01)
        self.write("answer.h", "#define ANSWER 10\n")
        self.assertIn("exit-code", self.heddle("run", "prog.c", code=1).stdout)

    def test_several_sources_and_defines(self):
        self.write("main.c", "int other(void);\nint main(void) { return other(); }\n")
        self.write("other.c", "int other(void) { return N - 3; }\n")
        self.heddle("run", "main.c", "-D", "N=3", "--", "-O2", "other.c", code=0)

    def test_foreign_executables_are_refused(self):
        done = self.heddle("run", "/bin/true", code=3)
        self.assertIn("heddle-c++", done.stderr)

    def test_arguments_reach_the_program(self):
        self.write("args.c", """
            #include <string.h>
            int main(int argc, char **argv) { return !(argc == 3 && strcmp(argv[1], "--two words") == 0); }
            """)
        self.heddle("run", "args.c", "--", "-O1", "--", "--two words", "x", code=0)
        subprocess.run([HEDDLE_CC, "args.c", "-o", "args"], cwd=self.dir, check=True)
        self.heddle("run", "args", "--", "--two words", "x", code=0)
        self.heddle("run", "args", code=1)

    # Reports.

    def test_names_positions_and_output(self):
        self.write("shop.cpp", LOST_UPDATE)
        done = self.heddle("run", "shop.cpp", code=1)
        self.assertIn("assertion shop.visitors == 2 failed", done.stdout)
        self.assertIn("shop.visitors = 1", done.stdout)
        self.assertIn("shop.cpp:13", done.stdout)
        self.assertIn("counted 1", done.stdout)
        result = json.loads(self.heddle("run", "shop.cpp", "--json=-", code=1).stdout)
        objects = {step.get("object") for step in result["findings"][0]["trace"]}
        self.assertIn("shop.visitors", objects)

    def test_heap_blocks_are_named_by_their_line(self):
        self.write("block.cpp", """
            #include <thread>
            struct Node { long key; int hits; };
            int main() {
              Node* node = new Node{};
              std::thread a([=] { ++node->hits; });
              std::thread b([=] { ++node->hits; });
              a.join();
              b.join();
              delete node;
            }
            """)
        done = self.heddle("run", "block.cpp", code=1)
        self.assertIn("data-race", done.stdout)
        self.assertIn("(Node of block.cpp:5).hits", done.stdout)

    def test_output_is_hidden_without_a_bug(self):
        self.write("quiet.c", '#include <stdio.h>\nint main(void) { puts("noise"); fputs("noise", stderr); return 0; }\n')
        done = self.heddle("run", "quiet.c", code=0)
        self.assertNotIn("noise", done.stdout + done.stderr)

    # Replay.

    def test_replay(self):
        self.write("shop.cpp", LOST_UPDATE)
        self.heddle("run", "shop.cpp", "--save=bug.schedule", "--", "-O2", code=1)
        for _ in range(3):
            self.assertIn("assertion", self.heddle("replay", "bug.schedule", code=1).stdout)
        self.write("shop.cpp", LOST_UPDATE.replace("opened = 9", "opened = 9; long more = 4"))
        done = self.heddle("replay", "bug.schedule", code=1)
        self.assertIn("has changed since the schedule was saved", done.stdout + done.stderr)

    # Workers that end early.

    def start_long_run(self, *options):
        run = subprocess.Popen([HEDDLE, "run", PROGRAMS / "locking.c", "-D", "N=5", "--json=-", *options], cwd=self.dir,
                               env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(run.kill)
        children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children")
        deadline = time.time() + 100
        while time.time() < deadline and run.poll() is None:
            for child in children.read_text().split():
                try:
                    if os.readlink(f"/proc/{child}/exe").endswith("/locking"):
                        return run, int(child)
                except OSError:
                    pass
            time.sleep(0.01)
        self.fail("the worker never came: " + str(run.communicate()))

    def test_a_killed_worker_is_started_again(self):
        run, worker = self.start_long_run()
        time.sleep(0.2)
        os.kill(worker, signal.SIGKILL)
        out, err = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 0, err)
        self.assertEqual(json.loads(out)["classes"], 113400)

    def test_interruption_keeps_what_was_counted(self):
        run, _ = self.start_long_run()
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 2, err)
        result = json.loads(out)
        self.assertEqual(result["verdict"], "inconclusive")
        self.assertIn("interrupted", result["reason"])

    def test_a_worker_dies_with_heddle(self):
        run, worker = self.start_long_run()
        run.kill()
        run.communicate()
        deadline = time.time() + 20
        while time.time() < deadline and self.runs(worker):
            time.sleep(0.05)
        self.assertFalse(self.runs(worker), "the worker outlived heddle")

    @staticmethod
    def runs(process):
        try:
            os.readlink(f"/proc/{process}/exe")   # a zombie has none
            return True
        except OSError:
            return False


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
