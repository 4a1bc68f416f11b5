// pattern: publication before initialisation
// lines: 14 15
#include <atomic>
#include <thread>

struct Config {
  int limit = 0;
};
Config storage;
std::atomic<Config*> config{nullptr};

// Others may see it from the first line on.
void publish() {
  config.store(&storage);
  storage.limit = 7;
}

int main() {
  std::thread other(publish);
  int limit = 7;
  if (Config* c = config.load()) limit = c->limit;
  other.join();
  return limit == 7 ? 0 : 1;
}
