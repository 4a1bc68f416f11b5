// Waiting under a memory model: spin locks, condition variables, semaphores, atomic waits, once, starting and joining.
// expect: --memory=c++20 none classes=2
// expect: --memory=c++20 -D KIND=1 none classes=2 assumes=no-spurious-wake-ups
// expect: --memory=c++20 -D KIND=2 none assumes=nothing
// expect: --memory=c++20 -D KIND=3 none classes=1 assumes=nothing
// expect: --memory=c++20 -D KIND=4 none assumes=nothing
// expect: --memory=c++20 -D KIND=5 deadlock
// expect: --memory=c++20 -D KIND=6 livelock
#include <pthread.h>
#include <semaphore.h>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#ifndef KIND
#define KIND 0
#endif

static int data;
static std::atomic<bool> flag{false};
static std::atomic_flag spin = ATOMIC_FLAG_INIT;
static std::mutex mutex, other_mutex;
static std::condition_variable changed;
static sem_t semaphore;
static std::once_flag once;

static void spin_lock() {
  while (spin.test_and_set(std::memory_order_acquire)) {
  }
}
static void spin_unlock() { spin.clear(std::memory_order_release); }

static void first() {
  switch (KIND) {
    case 0:
      spin_lock();
      ++data;
      spin_unlock();
      return;
    case 1: {
      std::lock_guard lock(mutex);
      data = 1;
      changed.notify_one();
      return;
    }
    case 2:
      data = 1;
      sem_post(&semaphore);
      return;
    case 3:
      data = 1;
      flag.store(true, std::memory_order_release);
      flag.notify_one();
      return;
    case 4:
      std::call_once(once, [] { data = 1; });
      assert(data == 1);
      return;
    case 5: {
      std::lock_guard one(mutex);
      std::lock_guard two(other_mutex);
      return;
    }
    default:
      return;
  }
}

static void second() {
  switch (KIND) {
    case 0:
      return first();
    case 1: {
      std::unique_lock lock(mutex);
      changed.wait(lock, [] { return data == 1; });
      return;
    }
    case 2:
      sem_wait(&semaphore);
      assert(data == 1);
      return;
    case 3:
      flag.wait(false, std::memory_order_acquire);
      assert(data == 1);
      return;
    case 4:
      return first();
    case 5: {
      std::lock_guard two(other_mutex);
      std::lock_guard one(mutex);
      return;
    }
    default:
      while (!flag.load(std::memory_order_relaxed)) {
      }
  }
}

int main() {
  sem_init(&semaphore, 0, 0);
  std::thread one(first), two(second);
  one.join();
  two.join();
}
