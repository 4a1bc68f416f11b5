// The pointer is atomic: who sees it sees what it points at.
// expect: none
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Config {
  int port = 8080;
};

std::atomic<Config*> config{nullptr};
std::mutex config_mutex;

Config& get_config() {
  Config* current = config.load(std::memory_order_acquire);
  if (current == nullptr) {
    std::lock_guard lock(config_mutex);
    current = config.load(std::memory_order_relaxed);
    if (current == nullptr) {
      current = new Config;
      config.store(current, std::memory_order_release);
    }
  }
  return *current;
}

void serve() { assert(get_config().port == 8080); }

int main() {
  std::thread first(serve);
  std::thread second(serve);
  first.join();
  second.join();
  delete config.load();
}
