// options: --memory=sc
// pattern: publication without order
// lines: 15 21
#include <atomic>
#include <thread>

struct Config {
  int limit = 0;
};
Config storage;
std::atomic<Config*> config{nullptr};

void publish() {
  storage.limit = 7;
  config.store(&storage, std::memory_order_relaxed);
}

int main() {
  std::thread other(publish);
  int limit = 7;
  if (Config* c = config.load(std::memory_order_relaxed)) limit = c->limit;
  other.join();
  return limit == 7 ? 0 : 1;
}
