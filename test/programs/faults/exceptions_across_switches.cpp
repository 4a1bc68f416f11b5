// Exceptions are thrown, caught and rethrown while threads alternate: what counts are the increments,
// C(6, 3) orders.
// expect: classes=20 none
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>

std::atomic<int> x{0};

int work(int id) {
  int caught = 0;
  try {
    try {
      ++x;
      throw std::runtime_error(std::to_string(id));
    } catch (const std::runtime_error& error) {
      ++x;
      caught += std::string(error.what()) == std::to_string(id);
      throw;
    }
  } catch (const std::exception&) {
    ++x;
    ++caught;
  }
  return caught;
}

int main() {
  int a = 0, b = 0;
  std::thread first([&] { a = work(1); });
  std::thread second([&] { b = work(2); });
  first.join();
  second.join();
  assert(a == 2 && b == 2 && x == 6);
}
