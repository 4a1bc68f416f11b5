// pattern: wait with a lock held
// lines: 18 20
#include <mutex>
#include <thread>

std::mutex mutex;
bool stop = false;

void poll() {
  for (int i = 0; i < 2; ++i) {
    std::lock_guard lock(mutex);
    if (stop) return;
  }
}

int main() {
  std::thread other(poll);
  std::lock_guard lock(mutex);
  stop = true;
  other.join();
}
