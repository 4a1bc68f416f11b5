// Double-checked initialisation that publishes the object before it is filled in.
//
// bug: assertion
// run: -- -DN=2
// run: -- -DN=8
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

struct Settings {
  std::atomic<int> size = 0;
};

std::mutex mutex;
std::atomic<Settings*> instance = nullptr;
Settings storage;

Settings& settings() {
  if (Settings* made = instance) return *made;
  std::lock_guard lock(mutex);
  if (instance == nullptr) {
    instance = &storage;
    storage.size = 42;
  }
  return *instance;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back([] { assert(settings().size == 42); });
  for (std::thread& t : threads) t.join();
}
