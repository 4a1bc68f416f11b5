// Destructors of globals and of static locals are part of every execution: what threads left is looked at there, and a
// pool that lives as long as the process ends its threads there.
// expect: none
// expect: -DTOO_EARLY=1 deadlock
// expect: -DLOST=1 assertion
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <thread>

#ifndef TOO_EARLY
#define TOO_EARLY 0
#endif
#ifndef LOST
#define LOST 0
#endif

class Pool {
 public:
  ~Pool() {
    if (TOO_EARLY) ended_.notify_all();
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    if (!TOO_EARLY) ended_.notify_all();
    worker_.join();
  }
  void start() {
    worker_ = std::thread([this] {
      std::unique_lock lock(mutex_);
      while (!stop_) ended_.wait(lock);
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool stop_ = false;
  std::thread worker_;
};

Pool& pool() {
  static Pool only;
  return only;
}

struct Count {
  std::atomic<int> value{0};
  ~Count() { assert(value != 1); }
  void add() {
    if (LOST)
      value = value + 1;
    else
      ++value;
  }
} count;

int main() {
  pool().start();
  std::thread other([] { count.add(); });
  count.add();
  other.join();
}
