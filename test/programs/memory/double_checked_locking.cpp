// An object is made once, under a lock, and whoever finds the pointer does not take the lock. Without release and acquire
// the pointer may be there before what it points to.
// expect: --memory=c++20 --all data-race assertion stronger=29:release,23:acquire
// expect: --memory=c++20 -D FIXED=1 none assumes=nothing
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef FIXED
constexpr auto kLoad = std::memory_order_acquire, kStore = std::memory_order_release;
#else
constexpr auto kLoad = std::memory_order_relaxed, kStore = std::memory_order_relaxed;
#endif

struct Settings {
  int limit = 7;
};
static std::atomic<Settings*> settings{nullptr};
static std::mutex mutex;

static Settings* get() {
  Settings* found = settings.load(kLoad);
  if (found != nullptr) return found;
  std::lock_guard lock(mutex);
  found = settings.load(std::memory_order_relaxed);
  if (found != nullptr) return found;
  found = new Settings;
  settings.store(found, kStore);
  return found;
}

int main() {
  std::thread other([] { assert(get()->limit == 7); });
  assert(get()->limit == 7);
  other.join();
  delete settings.load();
}
