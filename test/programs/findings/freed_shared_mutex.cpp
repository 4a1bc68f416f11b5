// A reader-writer lock is freed while another thread is about to read under it; in the first execution it comes in time.
// expect: --all use-after-free
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::atomic<bool> started;

int main() {
  auto* mutex = new std::shared_mutex;
  std::thread reader([&] {
    started = true;
    std::shared_lock lock(*mutex);
  });
  while (!started) {}
  delete mutex;
  reader.join();
}
