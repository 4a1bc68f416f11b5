"""heddle-cc and heddle-c++ as compilers for make, CMake and configure scripts, and the pass behind them.

Usage: wrapper_test.py HEDDLE_CC HEDDLE_PASS

An installation is made up in a temporary directory, with a stand-in for the runtime, so that the test needs neither
the runtime nor `heddle`.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE_ROOT = HERE.parents[2]
WRAPPER, PLUGIN = sys.argv[1:3]
ROOT = None  # of the made-up installation


def make_installation(root):
    (root / "bin").mkdir()
    (root / "lib/heddle").mkdir(parents=True)
    shutil.copy(WRAPPER, root / "bin/heddle-cc")
    (root / "bin/heddle-c++").symlink_to("heddle-cc")
    (root / "lib/heddle/HeddlePass.so").symlink_to(PLUGIN)
    (root / "include").symlink_to(SOURCE_ROOT / "include")
    stub = root / "log_stub.o"
    subprocess.run(["clang++-19", "-std=c++20", "-O1", "-c", HERE / "pass/log_stub.cpp", "-o", stub], check=True)
    subprocess.run(["ar", "rcs", root / "lib/heddle/libheddle_runtime.a", stub], check=True)


COUNTER = """
int counter;
void increment(void) { ++counter; }
"""
MAIN = """
#include <stdio.h>
void increment(void);
extern int counter;
int main(void) { increment(); printf("%d\\n", counter); return 0; }
"""


class WrapperTest(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(dir=ROOT))
        self.write("counter.c", COUNTER)
        self.write("main.c", MAIN)

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    def run_in(self, *command, code=0, stdin=None, **environment):
        done = subprocess.run([str(c) for c in command], cwd=self.dir, text=True, capture_output=True, input=stdin,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, f"{command}\n{done.stdout}\n{done.stderr}")
        return done

    def cc(self, *arguments, **keywords):
        return self.run_in(ROOT / "bin/heddle-cc", *arguments, **keywords)

    def cxx(self, *arguments, **keywords):
        return self.run_in(ROOT / "bin/heddle-c++", *arguments, **keywords)

    def callbacks_of(self, path):
        listing = self.run_in("nm", "-u", path).stdout if str(path).endswith(".o") else \
            self.run_in("nm", "-D", "-u", path).stdout
        return {word for word in listing.split() if word.startswith("__tsan_")}

    def runs(self, program="./a.out", output="1\n", **environment):
        self.assertEqual(self.run_in(program, **environment).stdout, output)

    # Phases.

    def test_compiles_and_links_at_once(self):
        done = self.cc("main.c", "counter.c")
        self.assertEqual(done.stderr, "")
        self.runs()

    def test_compiles_then_links(self):
        self.cc("-c", "main.c")
        self.cc("-c", "counter.c", "-o", "deep.o")
        self.assertEqual(self.callbacks_of("deep.o"), {"__tsan_read4", "__tsan_write4"})
        done = self.cc("main.o", "deep.o", "-o", "prog", "-Werror")
        self.assertEqual(done.stderr, "")
        self.runs("./prog")

    def test_mixes_sources_and_objects(self):
        self.cc("-c", "counter.c")
        self.cc("main.c", "counter.o", "-o", "prog")
        self.runs("./prog")

    def test_links_at_fixed_addresses_bound_at_start(self):
        self.cc("main.c", "counter.c", "-pie")
        headers = self.run_in("readelf", "-hd", "a.out").stdout
        self.assertIn("EXEC", headers)
        self.assertIn("NOW", headers)

    def test_assembly_and_bitcode(self):
        self.cc("-S", "counter.c")
        self.assertIn("__tsan_write4", (self.dir / "counter.s").read_text())
        self.cc("-c", "-emit-llvm", "counter.c")
        self.cc("-c", "counter.bc", "-o", "once.o")
        self.cc("-S", "-emit-llvm", "counter.bc", "-o", "once.ll")
        self.assertEqual((self.dir / "once.ll").read_text().count("call void @__tsan_write4"), 1)
        self.cc("main.c", "counter.s")
        self.runs()

    def test_preprocesses_only(self):
        done = self.cc("-E", "-Werror", "counter.c")
        self.assertIn("increment", done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.cc("-M", "counter.c").stdout.strip(), "counter.o: counter.c")

    def test_writes_dependency_files(self):
        self.cc("-MMD", "-MF", "x.d", "-MT", "target", "-c", "counter.c")
        self.assertEqual((self.dir / "x.d").read_text().strip(), "target: counter.c")
        self.cc("-MD", "-c", "counter.c")
        self.assertTrue((self.dir / "counter.d").exists())

    def test_reads_standard_input(self):
        self.cc("-x", "c", "-c", "-", "-o", "in.o", stdin=COUNTER)
        self.assertIn("__tsan_write4", self.callbacks_of("in.o"))

    def test_language_option(self):
        shutil.copy(self.dir / "counter.c", self.dir / "counter.text")
        self.cc("-xc", "counter.text", "-x", "none", "main.c")
        self.cc("main.c", "-xc", "counter.text")   # what the wrapper links is no source
        self.cc("-x", "c", "-", "-o", "piped", stdin="int main(void) { return 0; }")
        self.runs()

    def test_response_files(self):
        self.write("objects.rsp", "main.o 'counter.o'\n-o \"my prog\"")
        self.cc("-c", "main.c", "counter.c")
        self.cc("@objects.rsp")
        self.runs("./my prog")
        self.write("flags.rsp", "--heddle-instrument=tsan -c counter.c -o tsan.o")
        self.cc("@flags.rsp")
        self.assertIn("__tsan_init", self.callbacks_of("tsan.o"))

    def test_queries_pass_through(self):
        for query in (["--version"], ["-print-search-dirs"], ["-dumpmachine"], ["-print-file-name=libc.so"], ["-v"]):
            ours = self.cc(*query)
            theirs = self.run_in("clang-19", *query)
            self.assertEqual((ours.stdout, ours.stderr), (theirs.stdout, theirs.stderr))

    def test_errors_of_the_compiler_stay(self):
        self.write("bad.c", "int f( {")
        done = self.cc("-c", "bad.c", code=1)
        self.assertIn("bad.c:1", done.stderr)

    def test_warnings_of_the_compiler_stay(self):
        self.assertIn("unused", self.cc("-c", "counter.c", "-lm").stderr)

    def test_precompiled_header(self):
        self.write("all.hpp", "#include <string>\n")
        self.write("user.cpp", "int main() { return std::string().size(); }")
        self.cxx("-x", "c++-header", "all.hpp", "-o", "all.hpp.pch")
        self.cxx("-include-pch", "all.hpp.pch", "user.cpp")
        self.run_in("./a.out")

    def test_debug_information(self):
        self.cc("-c", "counter.c")
        self.assertIn(".debug_info", self.run_in("readelf", "-S", "counter.o").stdout)
        self.cc("-g0", "-c", "counter.c")
        self.assertNotIn(".debug_info", self.run_in("readelf", "-S", "counter.o").stdout)

    def test_users_flags_win(self):
        self.write("macro.cpp", "#ifdef _GLIBCXX_ASSERTIONS\n#error on\n#endif\n")
        self.cxx("-c", "macro.cpp", code=1)
        self.cxx("-c", "-U_GLIBCXX_ASSERTIONS", "macro.cpp")
        self.cxx("-c", "-U", "_GLIBCXX_ASSERTIONS", "macro.cpp")

    # What is refused.

    def refused(self, *arguments, saying):
        done = self.cc(*arguments, "main.c", "counter.c", code=3)
        self.assertTrue(done.stderr.startswith("heddle: "), done.stderr)
        for phrase in saying:
            self.assertIn(phrase, done.stderr)

    def test_refusals(self):
        self.refused("-flto", saying=["-flto", "build without"])
        self.refused("-flto=thin", saying=["-flto"])
        self.cc("-flto", "-fno-lto", "-c", "main.c")
        self.refused("-fsanitize=address", saying=["-fsanitize=address", "build without it"])
        self.refused("-static", saying=["-static", "link dynamically"])
        self.refused("-static-libstdc++", saying=["-static-libstdc++", "link dynamically"])
        self.refused("--heddle-frobnicate", saying=["--heddle-frobnicate", "--heddle-help"])

    def test_pass_needs_its_clang(self):
        done = self.cc("-c", "main.c", code=3, HEDDLE_CC="gcc")
        self.assertIn("--heddle-instrument=tsan", done.stderr)
        done = self.cc("-c", "main.c", code=3, HEDDLE_CC="no-such-compiler")
        self.assertIn("HEDDLE_CC", done.stderr)

    # The second route.

    def test_tsan_route_with_clang(self):
        done = self.cc("--heddle-instrument=tsan", "-O2", "main.c", "counter.c")
        self.assertEqual(done.stderr, "")
        self.runs()
        self.cc("--heddle-instrument=tsan", "-O2", "-c", "counter.c")
        self.assertLessEqual({"__tsan_read4", "__tsan_write4"}, self.callbacks_of("counter.o"))

    def test_tsan_route_with_gcc(self):
        self.cc("--heddle-instrument=tsan", "-O2", "-c", "counter.c", HEDDLE_CC="gcc")
        self.assertLessEqual({"__tsan_read4", "__tsan_write4"}, self.callbacks_of("counter.o"))
        self.cc("--heddle-instrument=tsan", "-c", "main.c", HEDDLE_CC="gcc")
        self.cc("--heddle-instrument=tsan", "counter.o", "main.o", HEDDLE_CC="gcc")
        self.assertNotIn("tsan", self.run_in("ldd", "a.out").stdout)
        self.runs()

    def test_tsan_route_with_gcc_at_once(self):
        self.cc("--heddle-instrument=tsan", "-O2", "-MMD", "main.c", "-x", "c", "counter.c", "-o", "prog", "-lm",
                "-D", "UNUSED", HEDDLE_CC="gcc", TMPDIR=str(self.dir))
        self.assertNotIn("tsan", self.run_in("ldd", "prog").stdout)
        self.runs("./prog")
        self.assertTrue((self.dir / "prog-main.d").exists())
        self.assertEqual([f.name for f in self.dir.iterdir() if f.name.startswith("heddle-")], [])

    def test_compiler_with_launcher(self):
        done = self.cc("--heddle-dry-run", "-c", "main.c", HEDDLE_CC="env clang-19")
        self.assertTrue(done.stdout.startswith("env clang-19 "), done.stdout)

    # Build systems.

    def test_make(self):
        self.write("Makefile", """
            prog: main.o counter.o
            \t$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
            """)
        self.run_in("make", f"CC={ROOT}/bin/heddle-cc", "CFLAGS=-O2 -Wall -Werror")
        self.runs("./prog")
        self.assertIn("__tsan_write4", self.callbacks_of("counter.o"))

    def test_cmake_with_shared_library(self):
        self.write("lib/shared.cpp", """
            #include <atomic>
            std::atomic<int> hits;
            int hit() { return ++hits; }
            """)
        self.write("app.cpp", """
            #include <cstdio>
            int hit();
            int main() { hit(); std::printf("%d\\n", hit()); }
            """)
        self.write("CMakeLists.txt", """
            cmake_minimum_required(VERSION 3.20)
            project(app C CXX)
            find_package(Threads REQUIRED)
            add_library(shared SHARED lib/shared.cpp)
            target_link_options(shared PRIVATE -Wl,--no-undefined)
            add_library(static STATIC counter.c)
            add_executable(app app.cpp)
            target_link_libraries(app shared static Threads::Threads)
            """)
        compilers = {"CC": f"{ROOT}/bin/heddle-cc", "CXX": f"{ROOT}/bin/heddle-c++"}
        self.run_in("cmake", "-B", "build", "-DCMAKE_BUILD_TYPE=Release", **compilers)
        self.run_in("cmake", "--build", "build")
        self.assertIn("__tsan_atomic32_fetch_add", self.callbacks_of("build/libshared.so"))
        self.runs("build/app", "2\n")

    def test_configure_script(self):
        # What autoconf's generated scripts do: does it link, does it run, does it take a flag without a word, is a
        # function in a library.
        self.write("configure", """
            set -e
            echo 'int main(void) { return 0; }' > conftest.c
            $CC $CFLAGS conftest.c -o conftest
            ./conftest
            err=$($CC -Werror -Wall -c conftest.c -o conftest.o 2>&1)
            test -z "$err"
            if $CC -Werror -fno-such-flag -c conftest.c -o conftest.o 2>/dev/null; then exit 9; fi
            echo 'char sin(double); int main(void) { return sin(0) != 0; }' > conftest.c
            $CC -fno-builtin -w conftest.c -lm -o conftest
            echo 'int no_such_function(void); int main(void) { return no_such_function(); }' > conftest.c
            if $CC conftest.c -o conftest 2>/dev/null; then exit 8; fi
            test "$(echo __GNUC__ | $CC -E - | tail -1)" -ge 4
            """)
        self.run_in("sh", "configure", CC=f"{ROOT}/bin/heddle-cc")

    # The pass itself.

    def test_pass_cases(self):
        for level in ("-O0", "-O1", "-O2", "-O3", "-Os"):
            for extra in ([], ["-mcx16"]):
                with self.subTest(level=level, extra=extra):
                    self.cxx("-std=c++20", level, *extra, "-I", HERE / "pass", HERE / "pass/cases.cpp", "-o", "cases")
                    self.runs("./cases", "ok\n")

    # The optimiser makes no such accesses of shared memory, but a program may have been given some.
    def test_masked_lanes_are_announced_one_by_one(self):
        self.write("masked.ll", """
            target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
            target triple = "x86_64-pc-linux-gnu"
            declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
            declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
            define void @f(ptr %a, ptr %b, <8 x i1> %on) {
              %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %b, i32 4, <8 x i1> %on, <8 x i32> zeroinitializer)
              call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr %a, i32 4, <8 x i1> %on)
              ret void
            }
            """)
        for level in ("-O0", "-O3"):
            with self.subTest(level=level):
                self.cc(level, "-c", "masked.ll")   # passes LLVM's verifier and code generator
                text = self.cc(level, "-S", "-emit-llvm", "masked.ll", "-o", "-").stdout
                self.assertEqual(text.count("call void @__tsan_unaligned_read4"), 8)
                self.assertEqual(text.count("call void @__tsan_unaligned_write4"), 8)

    # Accesses are those of the source at every level: none is made up, merged or dropped.
    def test_accesses_are_those_of_the_source(self):
        self.write("source.c", """
            extern int a, b, sum, flags[4];
            struct pair { int first, second; };
            int chosen(int c) { return *(c ? &a : &b); }                      // one read
            void unused(void) { int v = a; (void)v; }                         // one read
            void twice(void) { sum = a + a; }                                 // two reads, one write
            void dead_store(void) { a = 1; a = 2; }                           // two writes
            void in_a_loop(int n) { for (int i = 0; i < n; ++i) sum += a; }   // two reads, one write
            void four(void) { for (int i = 0; i < 4; ++i) flags[i] = 0; }     // four of four bytes, or a loop of one
            int local(int n) { int v[2] = {n, 1}; int *p = &v[n & 1]; return *p; }
            """)
        counts = {"chosen": (1, 0), "unused": (1, 0), "twice": (2, 1), "dead_store": (0, 2), "in_a_loop": (2, 1)}
        for level in ("-O0", "-O1", "-O2", "-O3", "-Os"):
            text = self.cc(level, "-fno-unroll-loops", "-w", "-S", "-emit-llvm", "source.c", "-o", "-").stdout
            for function, (reads, writes) in counts.items():
                with self.subTest(level=level, function=function):
                    body = re.search(rf"^define[^\n]*@{function}\(.*?^}}", text, re.M | re.S).group(0)
                    self.assertEqual(len(re.findall(r"@__tsan_(?:unaligned_)?read", body)), reads)
                    self.assertEqual(len(re.findall(r"@__tsan_(?:unaligned_)?write", body)), writes)
            body = re.search(r"^define[^\n]*@four\(.*?^}", text, re.M | re.S).group(0)
            self.assertIn(len(re.findall(r"@__tsan_write4", body)), (1, 4))
            self.assertNotIn("@__tsan_memset", body)
            if level != "-O0":
                body = re.search(r"^define[^\n]*@local\(.*?^}", text, re.M | re.S).group(0)
                self.assertNotIn("@__tsan_", body)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        ROOT = pathlib.Path(directory)
        make_installation(ROOT)
        result = unittest.main(argv=sys.argv[:1], exit=False).result
    sys.exit(not result.wasSuccessful())
