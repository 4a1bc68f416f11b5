// Exceptions are caught in the thread that threw, whatever runs in between.
// expect: verdict=no-bug exhausted=1
#include <assert.h>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

std::atomic<int> x{0};

int main() {
  auto body = [](int n) {
    try {
      try {
        throw std::runtime_error(std::to_string(n));
      } catch (const std::exception& e) {
        x.fetch_add(1);
        throw std::string(e.what());
      }
    } catch (const std::string& text) {
      x.load();
      assert(text == std::to_string(n));
    }
  };
  std::thread a(body, 1), b(body, 2);
  a.join();
  b.join();
}
