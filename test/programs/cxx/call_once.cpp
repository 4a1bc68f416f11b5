// std::call_once: a first call that throws leaves it to the next.
// expect: none
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag once;
int attempts = 0, value = 0;

void use() {
  try {
    std::call_once(once, [] {
      if (++attempts == 1) throw std::runtime_error("not yet");
      value = 7;
    });
    assert(value == 7);
  } catch (const std::runtime_error&) {
  }
}

int main() {
  std::thread a(use);
  std::thread b(use);
  a.join();
  b.join();
  assert(attempts == 2 && value == 7);
}
