#include "explore/frontier.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <new>

#include "base/assert.h"

namespace heddle::explore {

Frontier* Frontier::create(void* memory, std::size_t size, int explorers) {
  REQUIRE(size > sizeof(Frontier) + (1u << 20));
  return new (memory) Frontier(static_cast<char*>(memory) + sizeof(Frontier), size - sizeof(Frontier), explorers);
}

Frontier::Frontier(void* memory, std::size_t size, int explorers)
    : explorers_(explorers), memory_(memory, size, std::pmr::null_memory_resource()), parcels_(&memory_) {}

void Frontier::give(std::span<const std::byte> parcel) {
  lock_.lock();
  if (given_ == parcels_.size()) parcels_.emplace_back();
  parcels_[given_++].assign(parcel.begin(), parcel.end());
  lock_.unlock();
}

bool Frontier::take_now(std::vector<std::byte>& parcel) {
  parcel.clear();
  if (!root_taken_) {
    root_taken_ = true;
    return true;
  }
  if (given_ == 0) return false;
  const std::pmr::vector<std::byte>& last = parcels_[--given_];
  parcel.assign(last.begin(), last.end());
  return true;
}

bool Frontier::take(std::vector<std::byte>& parcel) {
  hungry_.fetch_add(1, std::memory_order_relaxed);
  while (!stopped()) {
    lock_.lock();
    const bool got = take_now(parcel);
    if (got) hungry_.fetch_sub(1, std::memory_order_relaxed);
    const bool over = !got && hungry_.load(std::memory_order_relaxed) == explorers_;
    lock_.unlock();
    if (got) return true;
    if (over) return false;
    for (int i = 0; i < 200; ++i) __builtin_ia32_pause();
    syscall(SYS_sched_yield);  // not sched_yield(), which the native runtime replaces
  }
  return false;
}

}  // namespace heddle::explore
