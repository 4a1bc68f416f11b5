"""The supervisor, seen from the command line: building, arguments, names, output, replay, killed workers, Ctrl-C.

Usage: supervisor_test.py HEDDLE HEDDLE_CC
"""
import fcntl
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from heddle_case import HEDDLE, HeddleCase

HEDDLE_CC = sys.argv[2]
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


class SupervisorTest(HeddleCase):
    # Building.

    def test_compile_errors_are_shown(self):
        self.write("bad.cpp", "int main() { return x; }")
        done = self.heddle("run", "bad.cpp", code=3)
        self.assertIn("bad.cpp:1", done.stderr)
        self.assertIn("flags for the compiler go after --", done.stderr)

    def test_the_cache_keeps_what_was_used_last(self):
        self.write("first.cpp", "int main() {}")
        self.write("second.cpp", "int main() { return 0; }")
        self.heddle("run", "first.cpp", code=0)
        cache = self.dir / "cache"
        first, = cache.iterdir()
        long_ago = time.time() - 100_000
        # Entries of others, used one after the other; every other one is from before there was a file that says so.
        for i in range(300):
            folder = cache / f"other-{i}"
            folder.mkdir()
            (folder / "lock").touch()
            if i % 2 == 0:
                (folder / "used").touch()
                os.utime(folder / "used", (long_ago + i, long_ago + i))
            os.utime(folder, (long_ago + i, long_ago + i))
        (cache / "mine").mkdir()                      # no entry at all
        (cache / "other-299" / "used").touch()        # fresh
        in_use = open(cache / "other-0" / "used", "w")
        fcntl.flock(in_use, fcntl.LOCK_SH)
        os.utime(cache / "other-0" / "used", (long_ago, long_ago))
        being_built = open(cache / "other-1" / "lock")
        fcntl.flock(being_built, fcntl.LOCK_EX)
        os.utime(first / "used", (long_ago - 1, long_ago - 1))
        self.heddle("run", "first.cpp", code=0)       # nothing is stored, but it is used
        self.assertEqual(len(list(cache.iterdir())), 302)
        self.heddle("run", "second.cpp", code=0)
        left = {p.name for p in cache.iterdir()}
        second = {n for n in left if n.startswith("second-")}
        kept = {f"other-{i}" for i in range(300 - 254, 300)}
        self.assertEqual(left, {first.name, "mine", "other-0", "other-1"} | second | kept)
        in_use.close()
        being_built.close()

    def test_the_cache_shrinks_while_others_build(self):
        cache = self.dir / "cache"
        cache.mkdir()
        long_ago = time.time() - 100_000
        for i in range(270):
            (cache / f"other-{i}").mkdir()
            (cache / f"other-{i}" / "lock").touch()
            os.utime(cache / f"other-{i}", (long_ago, long_ago))
        for i in range(4):
            self.write(f"p{i}.c", "int main() { return 0; }")
        runs = [subprocess.Popen([HEDDLE, "run", f"p{i % 4}.c"], cwd=self.dir, env=self.environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for i in range(8)]
        for run in runs:
            out, _ = run.communicate(timeout=120)
            self.assertEqual(run.returncode, 0, out)
        self.assertEqual(len(list(cache.iterdir())), 256)

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

    def test_what_a_budget_ended_is_estimated_by_one_process_and_by_several(self):
        self.write("large.cpp", """
            #include <atomic>
            #include <thread>
            std::atomic<int> x{0};
            int main() {
              auto add = [] { for (int i = 0; i < 4; i++) x = x + 1; };
              std::thread a(add), b(add), c(add);
              a.join(), b.join(), c.join();
            }
            """)
        for options in (["--max-seconds=1"], ["--max-seconds=1", "-j", "2"], ["--max-executions=5000", "-j", "2"]):
            done = self.heddle("run", "large.cpp", *options, code=2)
            self.assertRegex(done.stdout, r"budget .*used up", options)
            self.assertRegex(done.stdout, r"\d{3,} executions, \d{3,} classes", options)
            self.assertRegex(done.stdout, r"estimate: (more than )?\S+ executions in all", options)

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

    def start_long_run(self, *options, threads=5, report="-"):
        command = [HEDDLE, "run", PROGRAMS / "locking.c", "-D", f"N={threads}", f"--json={report}", *options]
        run = subprocess.Popen(command, cwd=self.dir,
                               env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(run.kill)
        return run, self.workers(run, 1)[0]

    def workers(self, run, number):
        """Processes of the program that heddle has started, once there are so many."""
        children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children")
        deadline = time.time() + 100
        while time.time() < deadline and run.poll() is None:
            found = []
            for child in children.read_text().split():
                try:
                    if os.readlink(f"/proc/{child}/exe").endswith("/locking"):
                        found.append(int(child))
                except OSError:
                    pass
            if len(found) >= number:
                return found
            time.sleep(0.01)
        self.fail("the workers never came: " + str(run.communicate()))

    def test_a_killed_worker_is_started_again(self):
        run, worker = self.start_long_run()
        time.sleep(0.2)
        os.kill(worker, signal.SIGKILL)
        out, err = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 0, err)
        self.assertEqual(json.loads(out)["classes"], 113400)

    # A copy of the worker is made after a second; whoever is killed later loses at most what came since.
    def test_a_killed_worker_is_replaced_by_its_copy(self):
        limit = 1500000
        run, worker = self.start_long_run(f"--max-executions={limit}", "--algorithm=optimal-dpor", threads=6,
                                          report="out.json")
        copies = pathlib.Path(f"/proc/{worker}/task/{worker}/children")
        deadline = time.time() + 60
        while time.time() < deadline and not copies.read_text():
            time.sleep(0.01)
        os.kill(worker, signal.SIGKILL)
        out, err = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 2, err)
        self.assertEqual(json.loads((self.dir / "out.json").read_text())["executions"], limit)
        self.assertIn("another went on", out)

    # Several processes.

    def count(self, program, *options):
        result = json.loads(self.heddle("run", PROGRAMS / program, "--all", "--json=-", *options, code=self.ending).stdout)
        return {key: result[key] for key in ("classes", "deadlocked", "failed", "exhausted", "verdict")}

    def test_several_processes_find_each_class_once(self):
        for program, defines, ending, classes in (("dining.c", ["-D", "N=4"], 1, 831), ("dining.c", ["-D", "N=5"], 1, 5851),
                                                  ("fib.c", [], 0, 19605), ("indexer.c", ["-D", "N=13"], 0, 64)):
            self.ending = ending
            alone = self.count(program, *defines)
            self.assertEqual(alone["classes"], classes)
            for jobs in ("2", "4"):
                with self.subTest(program=program, jobs=jobs):
                    self.assertEqual(self.count(program, "-j", jobs, *defines), alone)

    def test_several_processes_agree_on_what_is_visible(self):
        self.ending = 0
        options = ["--races=explore", "-D", "PLAIN=1", "-D", "N=8"]
        self.assertEqual(self.count("readers.c", "-j", "3", *options)["classes"], 256)

    def test_several_processes_find_bugs(self):
        self.write("shop.cpp", LOST_UPDATE)
        done = self.heddle("run", "shop.cpp", "-j", "3", "--save=bug.schedule", code=1)
        self.assertIn("shop.visitors", done.stdout)
        self.assertIn("assertion", self.heddle("replay", "bug.schedule", code=1).stdout)

    def test_a_killed_worker_of_isolated_executions_loses_nothing(self):
        run, worker = self.start_long_run("--isolation=process", "--max-executions=15000", "--algorithm=optimal-dpor")
        time.sleep(1.3)   # it may have made a copy of itself by now; if not, another begins from the beginning
        os.kill(worker, signal.SIGKILL)
        out, err = run.communicate(timeout=300)
        self.assertEqual(run.returncode, 2, err)
        self.assertEqual(json.loads(out)["classes"], 15000)

    def test_a_killed_process_of_several_loses_nothing(self):
        run, _ = self.start_long_run("-j", "2", threads=5)
        os.kill(self.workers(run, 2)[1], signal.SIGKILL)
        out, err = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 0, err)
        self.assertEqual(json.loads(out)["classes"], 113400)

    def test_what_several_processes_cannot_do_is_refused(self):
        self.write("prog.c", "int main(void) { return 0; }")
        for words in (["--algorithm=unfolding"], ["--algorithm=surw"], ["--algorithm=trust", "--isolation=process"]):
            self.assertIn("-j", self.heddle("run", "prog.c", "-j", "2", *words, code=3).stderr)

    # Time.

    def test_the_time_budget_ends_an_execution(self):
        self.write("endless.c", """
            #include <stdatomic.h>
            #include <pthread.h>
            atomic_long x;
            static void *turn(void *p) { for (;;) x = x + 1; return p; }
            int main(void) {
              pthread_t t;
              pthread_create(&t, 0, turn, 0);
              pthread_join(t, 0);
            }
            """)
        done = self.heddle("run", "endless.c", "--max-steps=1000000000", "--max-seconds=0.5", "--json=-", code=2)
        result = json.loads(done.stdout)
        self.assertEqual((result["executions"], result["cut"]), (1, 1))
        self.assertIn("time budget", result["reason"])

    def test_the_time_budget_ends_a_computation(self):
        self.write("compute.c", """
            #include <pthread.h>
            static void *turn(void *p) { for (;;) __asm__ volatile(""); return p; }
            int main(void) {
              pthread_t t;
              pthread_create(&t, 0, turn, 0);
              pthread_join(t, 0);
            }
            """)
        result = json.loads(self.heddle("run", "compute.c", "--max-seconds=0.5", "--json=-", code=2).stdout)
        self.assertEqual(result["findings"], [])
        self.assertIn("time budget", result["reason"])

    # Checkpoints.

    def test_checkpoints_change_nothing(self):
        self.write("setup.cpp", """
            #include <atomic>
            #include <cassert>
            #include <cstdlib>
            #include <map>
            #include <string>
            #include <thread>
            #include <heddle/heddle.h>
            std::map<int, std::string> names;
            thread_local int mine = 3;
            std::atomic<int> x{0};
            int seen;
            int main() {
              const int way = heddle_choose(2);
              for (int i = 0; i < 200; ++i) names[i] = std::string(40, 'a' + i % 26);
              names.erase(way);
              mine += way;
              std::string local = "local " + std::to_string(rand());
              auto work = [&] {
                for (int i = 0; i < 2; ++i) x = x + 1;
                assert(names.size() == 199 && mine == 3 && local.rfind("local ", 0) == 0);
                seen = x;
              };
              std::thread a(work), b(work);
              a.join();
              b.join();
              assert(mine == 3 + way && names[way].empty());
            }
            """)
        counts = []
        for mode in ("on", "off"):
            out = self.heddle("run", "setup.cpp", "--all", "--races=explore", f"--checkpoints={mode}", "--json=-", code=0).stdout
            result = json.loads(out)
            counts.append({k: result[k] for k in ("classes", "executions", "steps", "exhausted", "verdict")})
        self.assertEqual(*counts)

    def test_checkpoints_among_threads_change_nothing(self):
        """What a thread has by the time of a checkpoint: blocks, freed ones, locals, thread-local and thread-specific data,
        an exception under way, a lock; and plain accesses that race with later ones."""
        self.write("middle.cpp", """
            #include <atomic>
            #include <cassert>
            #include <condition_variable>
            #include <memory>
            #include <mutex>
            #include <pthread.h>
            #include <string>
            #include <thread>
            #include <vector>
            std::atomic<int> x{0};
            std::mutex m;
            std::condition_variable ready;
            int turns;
            int raced;
            thread_local std::string mine = "nobody";
            pthread_key_t key;
            struct Guard { ~Guard() { x = x + 1; } };
            void work(int number) {
              mine = std::string(30, 'a' + number);
              pthread_setspecific(key, new std::string(mine));
              std::vector<std::unique_ptr<int>> blocks;
              for (int i = 0; i < 2; ++i) {
                blocks.push_back(std::make_unique<int>(x.load()));
                const int seen = x;
                try {
                  Guard guard;
                  if (seen % 2 == number % 2) throw std::string(mine);
                } catch (const std::string& s) {
                  assert(s == mine);
                }
                assert(*blocks.back() <= seen);
                if (i == 0) blocks.pop_back();
              }
              if (number == 1) raced = 1;
              std::lock_guard<std::mutex> lock(m);
              ++turns;
              ready.notify_one();
              assert(mine[0] == 'a' + number);
            }
            int main() {
              pthread_key_create(&key, [](void* s) { delete static_cast<std::string*>(s); });
              std::thread a(work, 1), b(work, 2);
              {
                std::unique_lock<std::mutex> lock(m);
                ready.wait(lock, [] { return turns > 0; });
              }
              const int before = raced;
              a.join();
              b.join();
              assert(turns == 2 && x >= 2 && before <= 1);
              assert(x != 3);
            }
            """)
        counts = []
        for mode in ("on", "off"):
            out = self.heddle("run", "middle.cpp", "--all", "--max-executions=20000", f"--checkpoints={mode}", "--json=-",
                              code=1).stdout
            result = json.loads(out)
            counts.append({k: result[k] for k in ("classes", "executions", "steps", "deadlocked", "failed", "exhausted")})
            counts[-1]["findings"] = [(f["kind"], f["message"], f["count"], f["schedule"]) for f in result["findings"]]
            self.assertEqual({f["kind"] for f in result["findings"]}, {"assertion", "data-race"})
        self.assertEqual(*counts)

    def test_interruption_keeps_what_was_counted(self):
        run, _ = self.start_long_run(threads=6)
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 2, err)
        result = json.loads(out)
        self.assertEqual(result["verdict"], "inconclusive")
        self.assertIn("interrupted", result["reason"])

    def test_interruption_keeps_what_was_found(self):
        self.write("many.cpp", """
            #include <atomic>
            #include <cassert>
            #include <thread>
            std::atomic<int> n{0};
            void f() { for (int i = 0; i < 8; ++i) { int v = n; n = v + 1; } }
            int main() { std::thread a(f), b(f), c(f); a.join(); b.join(); c.join(); assert(n == 24); }
            """)
        run = subprocess.Popen([HEDDLE, "run", "many.cpp", "--all", "--json=-", "--progress=0.1"], cwd=self.dir,
                               env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(run.kill)
        while "bug" not in run.stderr.readline():
            self.assertIsNone(run.poll())
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 1, err)
        result = json.loads(out)
        self.assertEqual(result["verdict"], "bug")
        self.assertTrue(result["reason"].startswith("interrupted"), result["reason"])
        self.assertTrue(result["findings"][0]["explanation"]["minimized"])

    def test_a_bug_is_not_lost_while_it_is_explained(self):
        self.write("slow.cpp", """
            #include <atomic>
            #include <cassert>
            #include <thread>
            std::atomic<int> n{0};
            void work() { for (int i = 0; i < 1000000; ++i) { int s = i; asm volatile("" : "+r"(s)); } }
            void f() { for (int i = 0; i < 4; ++i) { int v = n; work(); n = v + 1; } }
            int main() { std::thread a(f), b(f), c(f); a.join(); b.join(); c.join(); assert(n == 12); }
            """)
        result = json.loads(self.heddle("run", "slow.cpp", "--json=-", "--max-seconds=5", code=1).stdout)
        self.assertEqual(result["findings"][0]["kind"], "assertion")

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
