// The most common mistake: data is written, then a flag without release. Who sees the flag need not see the data. If the
// data is plain that is a data race, too, and by what is read in it nobody is told anything.
// expect: --memory=c++20 --all data-race assertion classes=2 findings=2 stronger=34:release
// expect: --memory=c++20 -D ATOMIC=1 --all assertion classes=2 findings=1
// expect: --memory=tso -D ATOMIC=1 none classes=1 assumes=sequential-consistency
// expect: --memory=sc -D ATOMIC=1 none classes=1 assumes=sequential-consistency
// By default c++20.
// expect: -D ATOMIC=1 --all assertion classes=2 findings=1
// expect: --memory=c++20 -D FIXED=1 none classes=1 assumes=nothing
// expect: --memory=c++20 -D FIXED=1 -D ATOMIC=1 none classes=1 assumes=nothing
// expect: --memory=c++20 -D FIXED=2 -D ATOMIC=1 none classes=1 assumes=nothing
#include <atomic>
#include <cassert>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif
#ifdef ATOMIC
static std::atomic<int> data{0};
static void write(int value) { data.store(value, std::memory_order_relaxed); }
static int read() { return data.load(std::memory_order_relaxed); }
#else
static int data;
static void write(int value) { data = value; }
static int read() { return data; }
#endif
static std::atomic<bool> flag{false};

int main() {
  std::thread producer([] {
    write(42);
    if (FIXED == 2) std::atomic_thread_fence(std::memory_order_release);
    flag.store(true, FIXED == 1 ? std::memory_order_release : std::memory_order_relaxed);
  });
  while (!flag.load(FIXED == 2 ? std::memory_order_relaxed : std::memory_order_acquire)) {
  }
  if (FIXED == 2) std::atomic_thread_fence(std::memory_order_acquire);
  assert(read() == 42);
  producer.join();
}
