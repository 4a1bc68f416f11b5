// An entry of a cache is found under one lock and read under its own, and may be freed in between.
// expect: --all use-after-free data-race
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Entry {
  std::shared_mutex lock;
  int value = 0;
};
std::mutex mutex;
std::map<int, Entry*> cache{{1, new Entry}};

int read_entry() {
  Entry* entry;
  {
    std::lock_guard lock(mutex);
    const auto found = cache.find(1);
    if (found == cache.end()) return 0;
    entry = found->second;
  }
  std::shared_lock lock(entry->lock);
  return entry->value;
}

void evict() {
  Entry* entry;
  {
    std::lock_guard lock(mutex);
    entry = cache[1];
    cache.erase(1);
  }
  delete entry;
}

int main() {
  std::thread reader(read_entry);
  evict();
  reader.join();
}
