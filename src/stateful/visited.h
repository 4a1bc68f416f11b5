// The markings that have been visited, by their hashes, each with the sleep set it was explored with.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "net/program_net.h"

namespace heddle::stateful {

class Visited {
 public:
  struct Entry {
    net::Marking::Hash hash;
    ThreadSet asleep;
    bool used = false;
  };

  // The entry, not `used` if the marking is new: then the caller may fill it.
  Entry& operator[](const net::Marking::Hash& hash) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    Entry& entry = slots_[place_of(hash)];
    entry.hash = hash;
    return entry;
  }
  void fill(Entry& entry, ThreadSet asleep) {
    entry.asleep = asleep;
    entry.used = true;
    ++size_;
  }
  // Hashes stand for markings: whoever has the hash of another has its places, too. (With --check only, for it keeps
  // all that it was asked about.)
  bool tells_apart(const net::Marking& marking) {
    return checked_.try_emplace(marking.hash(), marking).first->second.has_the_places_of(marking);
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return slots_.size() * sizeof(Entry); }

 private:
  struct HashOfMarking {
    std::size_t operator()(const net::Marking::Hash& hash) const { return hash.a; }
  };

  std::size_t place_of(const net::Marking::Hash& hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash.a & mask;
    while (slots_[i].used && !(slots_[i].hash == hash)) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    std::vector<Entry> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Entry& entry : old)
      if (entry.used) slots_[place_of(entry.hash)] = entry;
  }

  std::vector<Entry> slots_ = std::vector<Entry>(64);
  std::size_t size_ = 0;
  std::unordered_map<net::Marking::Hash, net::Marking, HashOfMarking> checked_;
};

}  // namespace heddle::stateful
