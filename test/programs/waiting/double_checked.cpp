// Double-checked initialisation: who loses the race for the lock spins until the object is there. The bug: the second
// check is missing.
// expect: none classes=6
// expect: -D BUG=1 assertion
// algorithms: every
#include <atomic>
#include <cassert>
#include <thread>

struct Object {
  int value = 7;
};
std::atomic<Object*> object{nullptr};
std::atomic_flag lock = ATOMIC_FLAG_INIT;
int made = 0;

Object& get() {
  static Object storage[2];
  Object* o = object.load(std::memory_order_acquire);
  if (o) return *o;
  while (lock.test_and_set(std::memory_order_acquire)) {
#ifndef BUG
    if ((o = object.load(std::memory_order_acquire))) return *o;
#endif
  }
#ifndef BUG
  o = object.load(std::memory_order_relaxed);
#endif
  if (!o) {
    o = &storage[made++];
    o->value = 8;
    object.store(o, std::memory_order_release);
  }
  lock.clear(std::memory_order_release);
  return *o;
}

int main() {
  auto work = [] { assert(get().value == 8); };
  std::thread one(work), other(work);
  one.join();
  other.join();
  assert(made == 1);
}
