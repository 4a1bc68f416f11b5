// expect: deadlocks=0 verdict=no-bug exhausted=1
#include <assert.h>
#include <future>
#include <string>

int main() {
  std::promise<std::string> promise;
  auto future = promise.get_future();
  auto other = std::async(std::launch::async, [&] { promise.set_value("text"); return 3; });
  assert(future.get() == "text");
  assert(other.get() == 3);
}
