// A pool that is a global object: its threads start before main and end after it.
// expect: none
// expect: -j2 none
// expect: --isolation=process none
// expect: -D TOO_SOON=1 data-race
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <iostream>
#include <mutex>
#include <thread>

#ifndef TOO_SOON
#define TOO_SOON 0
#endif

std::atomic<int> done;

struct Check {
  ~Check() { assert(done == 1); }
} check;

class Pool {
 public:
  Pool() : worker_([this] { run(); }) {
    if (TOO_SOON) limit_ = 8;
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }
  void post(std::function<void()> job) {
    {
      std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    changed_.notify_one();
  }

 private:
  void run() {
    for (int left = limit_;; --left) {
      std::function<void()> job;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stop_ || !jobs_.empty(); });
        if (jobs_.empty() || left == 0) return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      job();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool stop_ = false;
  int limit_ = 4;
  std::thread worker_;
} pool;

int main() { pool.post([] { ++done; }); }
