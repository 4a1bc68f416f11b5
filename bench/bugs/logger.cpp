// A logger is closed by a flag; a thread that has seen it open writes to a buffer that is gone.
//
// bug: use-after-free
// run: -- -DN=2
// run: -- -DN=12
#include <atomic>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

struct Logger {
  std::atomic<bool> open = true;
  std::mutex mutex;
  char* buffer = new char[64];
  std::size_t used = 0;

  void write(char c) {
    if (!open) return;
    std::lock_guard lock(mutex);
    buffer[used++] = c;
  }
  void close() {
    open = false;
    std::lock_guard lock(mutex);
    delete[] buffer;
  }
};

int main() {
  Logger logger;
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back([&] { logger.write('x'); });
  logger.close();
  for (std::thread& t : threads) t.join();
}
