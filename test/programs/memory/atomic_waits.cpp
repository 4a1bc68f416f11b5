// std::atomic::wait and notify, and what the library builds on them, as the standard has them: whoever waits looks again when
// it likes, and sleeps on unless a call of notify comes after what it has not seen.
// expect: --memory=c++20 none classes=1 assumes=nothing
// expect: --memory=tso none classes=1 assumes=sequential-consistency
// expect: --memory=c++20 -D KIND=1 data-race
// expect: --memory=c++20 -D KIND=2 deadlock
// expect: --memory=c++20 -D KIND=3 none classes=1 assumes=nothing
// expect: --memory=c++20 -D KIND=4 deadlock
// expect: --memory=c++20 -D KIND=5 none classes=1 assumes=nothing
// expect: --memory=c++20 -D KIND=6 none assumes=nothing
// expect: --memory=c++20 -D KIND=7 none classes=2 assumes=nothing
// expect: --memory=c++20 -D KIND=8 deadlock
// expect: --memory=c++20 -D KIND=9 none assumes=nothing
// expect: --memory=c++20 -D KIND=10 none assumes=nothing
// expect: --memory=c++20 -D KIND=11 none
// expect: --memory=c++20 -D KIND=12 deadlock
// expect: --memory=c++20 -D KIND=13 deadlock
// counts: optimiser
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

#ifndef KIND
#define KIND 0
#endif

constexpr auto kRelaxed = std::memory_order_relaxed, kAcquire = std::memory_order_acquire, kRelease = std::memory_order_release;

static int data;
static std::atomic<int> flag{0}, told{0};
static std::atomic<long long> wide{0};
static std::latch latch(1);
static std::counting_semaphore<4> free_places(0);
static std::barrier meet(2, []() noexcept { ++data; });

// One of as many as there are, for each who waits.
static std::atomic<int> tickets{0};
static void take_ticket() {
  for (int found = tickets.load(kRelaxed);;) {
    while (found == 0) {
      tickets.wait(0, kRelaxed);
      found = tickets.load(kRelaxed);
    }
    if (tickets.compare_exchange_strong(found, found - 1, kAcquire, kRelaxed)) return;
  }
}

static void say(int value) { flag.store(value, kRelease); }

static void first() {
  data = 1;
  switch (KIND) {
    case 0:
    case 1:
      say(1);
      return flag.notify_one();
    case 2:  // too early
      flag.notify_one();
      return say(1);
    case 3:  // by a third thread, which has seen it
    case 4:  // which need not have seen it
      say(1);
      return told.store(1, KIND == 3 ? kRelease : kRelaxed);
    case 5:
      return latch.count_down();
    case 6:
      return free_places.release();
    case 7:
      return meet.arrive_and_wait();
    case 8:  // two wait, and one is woken
      say(1);
      return flag.notify_one();
    case 10:
      say(1);
      flag.notify_one();
      return flag.notify_one();
    case 11:
    case 12:  // nobody is woken if there were some already: the second of two is not
      for (int i = 0; i < 2; ++i)
        if (tickets.fetch_add(1, kRelease) == 0 || KIND == 11) tickets.notify_one();
      return;
    case 13:  // one is told twice, by way of a value that is what it was
      say(1);
      flag.notify_one();
      say(0);
      say(2);
      return flag.notify_one();
    default:
      wide.store(1, kRelease);
      return wide.notify_all();
  }
}

static void second() {
  switch (KIND) {
    case 0:
    case 2:
      flag.wait(0, kAcquire);
      break;
    case 1:
      flag.wait(0, kRelaxed);
      break;
    case 3:
    case 4:
      flag.wait(0, kAcquire);
      return;
    case 5:
      latch.wait();
      break;
    case 6:
      free_places.acquire();
      break;
    case 7:
      return meet.arrive_and_wait();
    case 8:
    case 10:
    case 13:
      flag.wait(0, kAcquire);
      break;
    case 11:
    case 12:
      take_ticket();
      break;
    default:
      wide.wait(0, kAcquire);
  }
  assert(data == 1);
}

static void third() {
  if (KIND == 8 || (KIND >= 10 && KIND <= 13)) return second();
  if (KIND != 3 && KIND != 4) return;
  while (told.load(kAcquire) == 0) {
  }
  flag.notify_one();
}

int main() {
  std::thread one(first), two(second), three(third);
  one.join();
  two.join();
  three.join();
}
