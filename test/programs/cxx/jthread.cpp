// std::jthread joins by itself and can be asked to stop.
// expect: none
// counts: spinning
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::atomic<bool> stopped{false};
  {
    std::jthread worker([&](std::stop_token token) {
      std::unique_lock lock(mutex);
      changed.wait(lock, token, [] { return false; });
      stopped = true;
    });
  }
  assert(stopped);
}
