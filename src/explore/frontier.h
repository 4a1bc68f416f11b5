// The frontier: what several explorers of one search share, if the search falls into parts that can be explored
// independently (Saarikivi et al. 2012 section IV in one machine's memory). Only trust's does (graph/parcel.cpp);
// searches with sleep sets depend on what was explored before, and are shared in another way (dist/, docs/adr/0017).
//
// Who has nothing to do is hungry; an explorer that notices gives a parcel: a part of what it has still to explore, in
// words of its own. Everybody takes the latest parcel, and the search is over when all are hungry.
//
// Everything lives in one region of memory (for processes: mapped by all at the same address), and nothing is ever
// freed one by one: giving is rare.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace heddle::explore {

class SpinLock {
 public:
  void lock() {
    while (flag_.exchange(true, std::memory_order_acquire))
      while (flag_.load(std::memory_order_relaxed)) __builtin_ia32_pause();
  }
  void unlock() { flag_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> flag_{false};
};

class Frontier {
 public:
  // Lives in `memory` of the given size, which must be zero-filled and is never given back before the frontier is.
  static Frontier* create(void* memory, std::size_t size, int explorers);

  // Somebody waits for work.
  bool hungry() const { return hungry_.load(std::memory_order_relaxed) > 0; }
  void give(std::span<const std::byte> parcel);
  // The next part to explore, waiting for one if others are still at work; empty: the whole search. False: it is over.
  bool take(std::vector<std::byte>& parcel);

  // Ends the search for everybody (a budget is used up, a bug was found).
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // Executions of all explorers together, this one included.
  std::uint64_t count_execution() { return executions_.fetch_add(1, std::memory_order_relaxed) + 1; }

 private:
  Frontier(void* memory, std::size_t size, int explorers);
  bool take_now(std::vector<std::byte>& parcel);

  SpinLock lock_;
  std::atomic<int> hungry_{0};
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> executions_{0};
  const int explorers_;
  bool root_taken_ = false;
  std::pmr::monotonic_buffer_resource memory_;
  std::pmr::vector<std::pmr::vector<std::byte>> parcels_;
  std::size_t given_ = 0;  // of these, as many; the others are storage
};

}  // namespace heddle::explore
