"""What reports call the places and values of a native program: variables, members, elements, blocks on the heap.

Usage: names_test.py HEDDLE
"""
import json
import sys
import unittest

from heddle_case import HeddleCase


class NamesTest(HeddleCase):
    def test_local_variables_that_threads_share_have_names(self):
        self.write("locals.cpp", """
            #include <atomic>
            #include <mutex>
            #include <thread>
            struct Queue { int head = 0; int tail[2] = {0, 0}; };
            void serve(int extra) {
              std::atomic<int> counter{extra};
              std::mutex lock;
              Queue queue;
              std::thread other([&] { ++counter; std::lock_guard guard(lock); queue.tail[1] = 1; });
              counter = 2;
              queue.tail[1] = 3;
              other.join();
            }
            int main(int count, char**) { serve(count); }
            """)
        for flags in (["-O0"], ["-O1"], ["-O2"]):
            text = self.heddle("run", "locals.cpp", "--", *flags, code=1).stdout
            for name in ("on queue.tail[1] (4 bytes)", "counter:", "lock lock"):
                self.assertIn(name, text, flags)

    def test_elements_have_their_index_and_a_race_is_told_once(self):
        self.write("elements.cpp", """
            #include <array>
            #include <string>
            #include <thread>
            struct Seat { int row; int guest; };
            typedef int Number;
            Number plain[4];
            int grid[2][3];
            std::array<Seat, 3> seats;
            std::array<std::array<int, 2>, 2> nested;
            std::string word = "hello";
            int main() {
              std::thread other([] {
                plain[2] = 1;
                grid[1][2] = 1;
                seats[2].guest = 1;
                nested[1][0] = 1;
                word[2] = 'x';
              });
              const int sum = plain[2] + grid[1][2] + seats[2].guest + nested[1][0] + word[2];
              other.join();
              return sum == 0;
            }
            """)
        findings = json.loads(self.heddle("run", "elements.cpp", "--all", "--json=-", code=1).stdout)["findings"]
        places = sorted(f["message"].splitlines()[0] for f in findings)
        self.assertEqual(places, ["on grid[1][2] (4 bytes)", "on nested[1][0] (4 bytes)", "on plain[2] (4 bytes)",
                                  "on seats[2].guest (4 bytes)", "on word[2] (1 byte)"])

    def test_values_are_read_as_their_types(self):
        self.write("values.cpp", """
            #include <atomic>
            #include <cassert>
            #include <thread>
            struct Node { std::atomic<short> rank{0}; };
            std::atomic<int> below{0};
            std::atomic<unsigned> above{0};
            std::atomic<bool> ready{false};
            std::atomic<char> letter{'a'};
            std::atomic<double> half{0};
            std::atomic<Node*> node{nullptr};
            Node one;
            int main() {
              std::thread other([] {
                below = -1;
                above = 4294967295u;
                ready = true;
                letter = 'x';
                half = 0.5;
                one.rank = -2;
                node = &one;
                node = nullptr;
              });
              other.join();
              assert(false);
            }
            """)
        text = self.heddle("run", "values.cpp", code=1).stdout
        for words in ("write below = -1", "write above = 4294967295", "write ready = true", "write letter = 120 'x'",
                      "write half = 0.5", "write one.rank = -2", "write node = 0x", "write node = null"):
            self.assertIn(words, text)

    def test_members_have_names_wherever_the_object_lies(self):
        self.write("members.cpp", """
            #include <atomic>
            #include <memory>
            #include <thread>
            #include "heddle/heddle.hpp"
            struct alignas(64) Line { std::atomic<int> x{0}; int y = 0; };
            template <class T> struct Pair { std::atomic<T> x{0}; T y = 0; };
            template <class T> struct Other { T z[5]; };
            template <class S> void go(S& s) { std::thread t([&] { s.x++; s.y++; }); s.x++; s.y++; t.join(); }
            HEDDLE_TEST(over_aligned) { Line s; go(s); }
            HEDDLE_TEST(by_new) { auto s = new Pair<int>; go(*s); delete s; }
            HEDDLE_TEST(by_make_unique) { auto s = std::make_unique<Pair<long>>(); go(*s); }
            HEDDLE_TEST(by_make_shared) { auto s = std::make_shared<Pair<int>>(); go(*s); }
            """)
        for test, name in [("over_aligned", r"s"), ("by_new", r"\(Pair of members.cpp:\d+\)"),
                           ("by_make_unique", r"\(Pair of members.cpp:\d+\)"), ("by_make_shared", r"\(Pair of members.cpp:\d+\)")]:
            done = self.heddle("run", "members.cpp", f"--test={test}", "--all", "--", "-std=c++20", code=1)
            self.assertRegex(done.stdout, rf"data-race: on {name}\.y \(")
            self.assertRegex(done.stdout, rf"update {name}\.x: ")

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

    def test_functions_are_named_as_people_write_them(self):
        self.write("functions.cpp", """
            #include <string>
            #include <thread>
            static int hits;
            __attribute__((noinline)) void note(const std::string& name) { hits += name.empty() ? 1 : 2; }
            int main() {
              std::thread other([] { note("a"); });
              note("b");
              other.join();
            }
            """)
        text = self.heddle("run", "functions.cpp", "--", "-O0", code=1).stdout
        self.assertIn("note(std::string const&)  functions.cpp:5", text)
        self.assertRegex(text, r"lambda in main  functions.cpp:7")
        self.assertNotIn("basic_string", text)

    def test_exceptions_say_what(self):
        self.write("throws.cpp", """
            #include <stdexcept>
            #include <thread>
            struct Own : std::runtime_error { using runtime_error::runtime_error; };
            int main(int, char** words) {
              std::thread other([=] { if (words != nullptr) throw Own("the queue is closed"); });
              other.join();
            }
            """)
        found = json.loads(self.heddle("run", "throws.cpp", "--json=-", code=1).stdout)["findings"]
        self.assertEqual(found[0]["message"].split("\n")[0], "uncaught exception of type Own: the queue is closed")
        self.write("number.cpp", "#include <thread>\nint main() { std::thread t([] { throw 3; }); t.join(); }\n")
        found = json.loads(self.heddle("run", "number.cpp", "--json=-", code=1).stdout)["findings"]
        self.assertEqual(found[0]["message"].split("\n")[0], "uncaught exception of type int")

    def test_one_finding_per_cause(self):
        """Two lines race on four elements and two members, and then the threads wait for each other."""
        self.write("causes.cpp", """
            #include <mutex>
            #include <thread>
            struct Seat { int row, guest; };
            static Seat seats[4];
            static int total;
            static std::mutex one, two;
            static void book(int me) {
              for (Seat& seat : seats)
                seat.guest = me;
              total += me;
              std::lock_guard first(me == 1 ? one : two);
              std::lock_guard second(me == 1 ? two : one);
            }
            int main() {
              std::thread other(book, 1);
              book(2);
              other.join();
            }
            """)
        found = json.loads(self.heddle("run", "causes.cpp", "--all", "--json=-", code=1).stdout)["findings"]
        self.assertEqual([f["kind"] for f in found], ["deadlock", "data-race", "data-race"])
        self.assertEqual(sorted(f["message"].split(" (")[0] for f in found[1:]), ["on seats[0].guest", "on total"])

    def test_many_findings_begin_with_a_list(self):
        lines = "".join(f"alignas(8) static int x{i};\n" for i in range(5))
        body = " ".join(f"x{i} = me;\n" for i in range(5))
        self.write("many.cpp", f"""#include <thread>
            {lines}
            static void go(int me) {{
              {body}
            }}
            int main() {{ std::thread other(go, 1); go(2); other.join(); }}
            """)
        text = self.heddle("run", "many.cpp", "--all", code=1).stdout
        self.assertTrue(text.startswith("5 findings:\n  bug 1: data-race: on x0 (4 bytes) at many.cpp"), text[:200])
        self.assertEqual(text.count("step  line"), 3, text)
        self.assertIn("bugs 4 to 5 in the same detail: --all-details", text)
        self.assertEqual(self.heddle("run", "many.cpp", "--all", "--all-details", code=1).stdout.count("step  line"), 5)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
