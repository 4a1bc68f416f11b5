// Indices of entries that somebody else keeps, by a good hash: open addressing, nothing is ever removed but
// all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::runtime {

class IndexTable {
 public:
  // The entry for which same(index) holds, or null.
  template <class Same>
  const std::uint32_t* find(std::uint64_t hash, Same&& same) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t i = place_of(hash);; i = (i + 1) & (slots_.size() - 1)) {
      if (!slots_[i].used) return nullptr;
      if (slots_[i].tag == tag_of(hash) && same(slots_[i].index)) return &slots_[i].index;
    }
  }

  void insert(std::uint64_t hash, std::uint32_t index) {
    if (2 * ++count_ > slots_.size()) grow();
    place({hash, index, tag_of(hash), true});
  }

  void clear() {
    slots_.clear();
    count_ = 0;
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t index = 0;
    std::uint16_t tag = 0;
    bool used = false;
  };
  static std::uint16_t tag_of(std::uint64_t hash) { return static_cast<std::uint16_t>(hash); }
  std::size_t place_of(std::uint64_t hash) const { return (hash >> 24) & (slots_.size() - 1); }

  void place(const Slot& slot) {
    std::size_t i = place_of(slot.hash);
    while (slots_[i].used) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 256 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.used) place(slot);
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace heddle::runtime
