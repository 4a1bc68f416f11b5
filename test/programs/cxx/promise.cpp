// promise, packaged_task and shared_future.
// expect: none
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  std::packaged_task<int(int)> task([](int n) { return n * 2; });
  std::future<int> doubled = task.get_future();
  std::thread setter([&] { promise.set_value(21); });
  std::thread worker([&] { task(future.get()); });
  assert(future.get() == 21 && doubled.get() == 42);
  setter.join();
  worker.join();
}
