// A timed wait on a future may end before the value is there; get() never does.
// expect: none
// counts: spinning
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
  std::packaged_task<int()> task([] { return 7; });
  std::future<int> future = task.get_future();
  std::thread worker([&] { task(); });
  const std::future_status status = future.wait_for(std::chrono::milliseconds(1));
  assert(status == std::future_status::ready || status == std::future_status::timeout);
  assert(future.get() == 7);
  worker.join();
}
