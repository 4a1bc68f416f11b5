// A property of a class whose lock is free: the members agree. While the lock is held they need not.
// expect: --always='cache.hits + cache.misses == cache.calls' --when='!locked(cache.mutex)' none
// expect: --always='cache.hits + cache.misses == cache.calls' property
// expect: --reachable='cache.calls==1&&!locked(cache.mutex)&&ended(T1)' reachable
// expect: --reachable='held_by(cache.mutex,T1)&&held_by(cache.mutex,T2)' none
// expect: --never='cache.hit>1' "error:did you mean 'cache.hits'?"
// expect: --never='cash.hits>1' "error:did you mean 'cache.hits'?"
// expect: --never='locked(cache.mutx)' "error:did you mean 'cache.mutex'?"
// counts: optimiser
// algorithms: source-dpor dpor unfolding contextual-unfolding stateful stateful-unfolding
#include <mutex>
#include <thread>

struct Cache {
  std::mutex mutex;
  int hits = 0, misses = 0, calls = 0;
  void look(bool hit) {
    std::lock_guard<std::mutex> guard(mutex);
    ++calls;
    if (hit) ++hits;
    else ++misses;
  }
} cache;

int main() {
  std::thread first([] { cache.look(true); });
  std::thread second([] { cache.look(false); });
  first.join();
  second.join();
}
