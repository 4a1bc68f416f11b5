// From 64-bit keys to numbers, both not zero: open addressing in one array. For maps with millions of entries that are
// only ever added to.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.h"

namespace heddle::net {

class FlatMap {
 public:
  // The number under the key, 0 if new: then the caller writes it.
  std::uint32_t& operator[](std::uint64_t key) {
    if ((used_ + 1) * 3 > slots_.size() * 2) grow();
    Slot& slot = slots_[place_of(key)];
    if (slot.key == 0) {
      slot.key = key;
      ++used_;
    }
    return slot.number;
  }
  std::uint32_t find(std::uint64_t key) const { return slots_[place_of(key)].number; }

  std::size_t size() const { return used_; }
  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = 0;
  };

  std::size_t place_of(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = mix(key) & mask;
    while (slots_[i].key != 0 && slots_[i].key != key) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != 0) slots_[place_of(slot.key)] = slot;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  std::size_t used_ = 0;
};

}  // namespace heddle::net
