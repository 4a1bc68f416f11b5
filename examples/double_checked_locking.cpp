// Double-checked locking as it was written before C++11: the first check reads the pointer without any synchronisation
// with the thread that writes it.
// expect: data-race
// pre-emptions: 0
#include <cassert>
#include <mutex>
#include <thread>

struct Config {
  int port = 8080;
};

Config* config = nullptr;
std::mutex config_mutex;

Config& get_config() {
  if (config == nullptr) {
    std::lock_guard lock(config_mutex);
    if (config == nullptr) config = new Config;
  }
  return *config;
}

void serve() { assert(get_config().port == 8080); }

int main() {
  std::thread first(serve);
  std::thread second(serve);
  first.join();
  second.join();
  delete config;
}
