// A reader-writer cache counts its hits under the lock, but the lock is the shared one: two readers count at once.
// expect: data-race
// pre-emptions: 1
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Cache {
 public:
  int square(int n) {
    {
      std::shared_lock lock(mutex_);
      if (const auto found = known_.find(n); found != known_.end()) {
        ++hits_;
        return found->second;
      }
    }
    std::unique_lock lock(mutex_);
    return known_.try_emplace(n, n * n).first->second;
  }
  int hits() const { return hits_; }

 private:
  std::shared_mutex mutex_;
  std::map<int, int> known_;
  int hits_ = 0;
};

Cache cache;

int main() {
  cache.square(3);
  std::thread a([] { assert(cache.square(3) == 9); });
  std::thread b([] { assert(cache.square(3) == 9); });
  a.join();
  b.join();
  assert(cache.hits() == 2);
}
