// expect: none classes=12
// Futures and a condition variable that are told by the end of a thread: libstdc++ does it inside itself.
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable ended;
  bool ready = false;
  std::promise<int> promise;
  std::future<int> value = promise.get_future();
  std::packaged_task<int()> task([] { return 7; });
  std::future<int> result = task.get_future();
  std::thread thread([&, promise = std::move(promise), task = std::move(task)]() mutable {
    promise.set_value_at_thread_exit(3);
    task.make_ready_at_thread_exit();
    std::unique_lock lock(mutex);
    ready = true;
    std::notify_all_at_thread_exit(ended, std::move(lock));
  });
  assert(value.get() == 3 && result.get() == 7);
  {
    std::unique_lock lock(mutex);
    ended.wait(lock, [&] { return ready; });
  }
  thread.join();
}
