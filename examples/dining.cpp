// Dining philosophers: each takes the fork to the left, then the one to the right. If all take the left one first, all wait
// for ever.
// expect: deadlock
// pre-emptions: 1
#include <array>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kPhilosophers = 3;
std::array<std::mutex, kPhilosophers> forks;

void dine(int seat) {
  std::lock_guard left(forks[seat]);
  std::lock_guard right(forks[(seat + 1) % kPhilosophers]);
}

int main() {
  std::vector<std::thread> table;
  for (int seat = 0; seat < kPhilosophers; ++seat) table.emplace_back(dine, seat);
  for (std::thread& philosopher : table) philosopher.join();
}
