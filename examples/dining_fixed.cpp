// Everybody takes the fork with the lower number first, so there is no circle of waiting.
// expect: none
#include <algorithm>
#include <array>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kPhilosophers = 3;
std::array<std::mutex, kPhilosophers> forks;

void dine(int seat) {
  const auto [low, high] = std::minmax({seat, (seat + 1) % kPhilosophers});
  std::lock_guard first(forks[low]);
  std::lock_guard second(forks[high]);
}

int main() {
  std::vector<std::thread> table;
  for (int seat = 0; seat < kPhilosophers; ++seat) table.emplace_back(dine, seat);
  for (std::thread& philosopher : table) philosopher.join();
}
