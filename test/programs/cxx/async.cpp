// std::async hands over a value and an exception.
// expect: none
#include <cassert>
#include <future>
#include <stdexcept>

int main() {
  std::future<int> value = std::async(std::launch::async, [] { return 42; });
  std::future<void> failure = std::async(std::launch::async, [] { throw std::runtime_error("no"); });
  bool caught = false;
  try {
    failure.get();
  } catch (const std::runtime_error&) {
    caught = true;
  }
  assert(value.get() == 42 && caught);
}
