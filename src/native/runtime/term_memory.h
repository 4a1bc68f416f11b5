// Terms of the bytes in the program's memory.
//
// A cell per byte says which term was stored there, which byte of it this is, and the byte itself: if memory holds
// something else by now, code without tracking has written it, and the term is void. Cells are kept in pages that exist
// only where terms were stored. `heddle_sym_filter` answers in one load whether there may be any (symbolic_abi.h).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "symbolic/term.h"

namespace heddle::runtime {

class TermMemory {
 public:
  // No terms anywhere.
  void clear();
  bool empty() const { return used_.empty(); }

  // The term of `size` bytes, or kNoTerm if none of them has one.
  symbolic::TermId load(symbolic::TermStore& terms, std::uintptr_t address, std::size_t size);
  // The term of what was there when it had this value, before it was overwritten without our knowing.
  symbolic::TermId load_before(symbolic::TermStore& terms, std::uintptr_t address, std::size_t size,
                               std::uint64_t value);
  // kNoTerm: the bytes are plain from now on. Memory holds the value already.
  void store(symbolic::TermStore& terms, std::uintptr_t address, std::size_t size, symbolic::TermId term);
  // Both ranges hold the same bytes by now.
  void copy(std::uintptr_t to, std::uintptr_t from, std::size_t size);
  bool any(std::uintptr_t address, std::size_t size);

  // When a term comes to a variable, that is told with the variable's new term; kNoTerm: not the variable alone was
  // written, or not all of it.
  using Told = void (*)(std::uintptr_t variable, std::size_t size, symbolic::TermId term);
  void watch(std::uintptr_t address, std::size_t size, Told told) {
    watched_.push_back({address, size});
    told_ = told;
  }

 private:
  static constexpr std::size_t kPageBytes = 4096;
  struct Cell {
    std::uint32_t term = 0;
    std::uint8_t byte = 0;
    std::uint8_t value = 0;
  };
  struct Page {
    Cell cell[kPageBytes];
  };

  const Cell* find(std::uintptr_t address, std::uint8_t value) const;
  template <class Value>  // of the i-th byte
  symbolic::TermId assemble(symbolic::TermStore& terms, std::uintptr_t address, std::size_t size, Value&& value) const;
  Cell& make(std::uintptr_t address);
  void tell(std::uintptr_t address, std::size_t size, symbolic::TermId term) const;
  void mark(std::uintptr_t address);

  std::unordered_map<std::uintptr_t, Page*> pages_;  // by number
  std::vector<std::uintptr_t> used_;                 // pages with cells of this execution
  std::vector<Page*> spare_;
  struct Range {
    std::uintptr_t address;
    std::size_t size;
  };
  std::vector<Range> watched_;
  Told told_ = nullptr;
};

}  // namespace heddle::runtime
