// expect: none classes=210
// An exception that several threads own: the count of its owners is inside libstdc++, and whoever gives up the last
// one frees what the others have read.
#include <cassert>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

static std::string caught(std::exception_ptr p) {
  try {
    std::rethrow_exception(p);
  } catch (const std::exception& e) {
    return e.what();
  }
}

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread a([promise = std::move(promise)]() mutable {
    auto failure = std::make_exception_ptr(std::runtime_error("the reason"));
    promise.set_exception(failure);
    assert(caught(std::move(failure)) == "the reason");
  });
  try {
    future.get();
    assert(false);
  } catch (const std::runtime_error& e) {
    assert(std::string(e.what()) == "the reason");
  }
  a.join();
}
