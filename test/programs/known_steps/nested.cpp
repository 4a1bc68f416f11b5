// Threads that start threads in the middle, with locals of theirs shared by reference, thread-local data and blocks of their own.
// followed: 0 of 55
#include <atomic>
#include <memory>
#include <string>
#include <thread>

std::atomic<int> x{0};
thread_local std::string mine = "none";

int main() {
  std::atomic<int> y{0};
  std::thread a([&] {
    mine = std::string(40, 'a');
    auto block = std::make_unique<int>(x.fetch_add(1));
    std::thread inner([&] { y = y + *block; });
    x = x + static_cast<int>(mine.size());
    inner.join();
    y = y + 1;
  });
  std::thread b([&] {
    mine += std::to_string(x.load());
    y = y + static_cast<int>(mine.size());
    x = x + 1;
  });
  a.join();
  b.join();
}
