// A request lies on the caller's stack: it is gone when the worker notifies, though the worker had the lock before.
// expect: --all mutex-misuse
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

struct Request {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};
std::mutex mutex;
std::condition_variable changed;
Request* next;

void call() {
  Request request;
  {
    std::lock_guard lock(mutex);
    next = &request;
  }
  changed.notify_one();
  std::unique_lock lock(request.mutex);
  request.changed.wait(lock, [&] { return request.done; });
}

int main() {
  std::thread worker([] {
    Request* request;
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [] { return next != nullptr; });
      request = next;
    }
    {
      std::lock_guard lock(request->mutex);
      request->done = true;
    }
    request->changed.notify_one();
  });
  call();
  worker.join();
}
