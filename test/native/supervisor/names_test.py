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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
