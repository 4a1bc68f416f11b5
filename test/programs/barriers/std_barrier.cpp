// Threads that arrive at a std::barrier and wait, again and again: one class. (82,570 for two threads and two rounds of what
// the library does.)
// expect: -D N=2 -D ROUNDS=2 none classes=1
// expect: -D N=4 -D ROUNDS=3 none classes=1
// algorithms: every
// flags: -std=c++20
// counts: spinning
#include <barrier>
#include <cassert>
#include <thread>
#include <vector>

int value[2][N];

int main() {
  std::barrier meet(N);
  std::vector<std::jthread> threads;
  for (int own = 0; own < N; ++own)
    threads.emplace_back([&meet, own] {
      for (int round = 1; round <= ROUNDS; ++round) {
        value[round % 2][own] = round;
        meet.arrive_and_wait();
        for (int i = 0; i < N; ++i) assert(value[round % 2][i] == round);
      }
    });
}
