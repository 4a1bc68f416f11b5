// One failed attempt and then the lock, or the lock at once; either thread first. (Unoptimised the second attempt already
// repeats the first one exactly, and 2 classes are left.)
// expect: verdict=no-bug exhausted=1 cut=0 classes=4
#include <assert.h>
#include <atomic>
#include <thread>

std::atomic_flag lock = ATOMIC_FLAG_INIT;
int data;

int main() {
  auto body = [] {
    while (lock.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    data++;
    lock.clear(std::memory_order_release);
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(data == 2);
}
