#include "native/runtime/term_memory.h"

#include <string.h>

#include "native/protocol/symbolic_abi.h"

extern "C" {
std::uint8_t heddle_sym_filter[1u << heddle::protocol::kFilterBits];
// Not 0 once memory holds a term in this execution.
std::uint32_t heddle_sym_live;
}

namespace heddle::runtime {

using symbolic::kNoTerm;
using symbolic::TermId;
using symbolic::TermKind;

namespace {
std::uint8_t byte_at(std::uintptr_t address) { return *reinterpret_cast<const volatile std::uint8_t*>(address); }
}  // namespace

void TermMemory::clear() {
  if (used_.empty()) return;
  for (const std::uintptr_t number : used_) {
    const auto place = pages_.find(number);
    memset(static_cast<void*>(place->second), 0, sizeof(Page));
    spare_.push_back(place->second);
    pages_.erase(place);
  }
  used_.clear();
  memset(heddle_sym_filter, 0, sizeof heddle_sym_filter);
  heddle_sym_live = 0;
}

const TermMemory::Cell* TermMemory::find(std::uintptr_t address, std::uint8_t value) const {
  const auto place = pages_.find(address / kPageBytes);
  if (place == pages_.end()) return nullptr;
  const Cell& cell = place->second->cell[address % kPageBytes];
  return cell.term != 0 && cell.value == value ? &cell : nullptr;
}

TermMemory::Cell& TermMemory::make(std::uintptr_t address) {
  Page*& page = pages_[address / kPageBytes];
  if (!page) {
    if (spare_.empty()) {
      page = new Page();
    } else {
      page = spare_.back();
      spare_.pop_back();
    }
    used_.push_back(address / kPageBytes);
  }
  return page->cell[address % kPageBytes];
}

// An access looks under its first byte, which may be up to its length before this one.
void TermMemory::mark(std::uintptr_t address) {
  const auto slot = [](std::uintptr_t a) {
    return (a >> protocol::kFilterShift) & ((1u << protocol::kFilterBits) - 1);
  };
  heddle_sym_filter[slot(address)] = 1;
  heddle_sym_filter[slot(address - (protocol::kFilterReach - 1))] = 1;
  heddle_sym_live = 1;
}

void TermMemory::tell(std::uintptr_t address, std::size_t size, TermId term) const {
  for (const Range& range : watched_) {
    if (address >= range.address + range.size || range.address >= address + size) continue;
    told_(range.address, range.size, range.address == address && range.size == size ? term : kNoTerm);
  }
}

bool TermMemory::any(std::uintptr_t address, std::size_t size) {
  if (empty()) return false;
  for (std::size_t i = 0; i < size; ++i)
    if (find(address + i, byte_at(address + i))) return true;
  return false;
}

template <class Value>
TermId TermMemory::assemble(symbolic::TermStore& terms, std::uintptr_t address, std::size_t size, Value&& value) const {
  // Mostly what is read is what was stored.
  const Cell* first = find(address, value(0));
  bool whole = first && first->byte == 0 && terms.width(TermId(first->term)) == 8 * size;
  bool some = first != nullptr;
  for (std::size_t i = 1; i < size; ++i) {
    const Cell* cell = find(address + i, value(i));
    some = some || cell;
    whole = whole && cell && cell->term == first->term && cell->byte == i;
  }
  if (!some) return kNoTerm;
  if (whole) return TermId(first->term);
  TermId all = kNoTerm;
  for (std::size_t i = 0; i < size; ++i) {
    const Cell* cell = find(address + i, value(i));
    const TermId byte = cell ? terms.extract(TermId(cell->term), 8u * cell->byte, 8) : terms.constant(8, value(i));
    all = i == 0 ? byte : terms.make(TermKind::kConcat, byte, all);
  }
  return terms.is_constant(all) ? kNoTerm : all;
}

TermId TermMemory::load(symbolic::TermStore& terms, std::uintptr_t address, std::size_t size) {
  if (empty()) return kNoTerm;
  return assemble(terms, address, size, [&](std::size_t i) { return byte_at(address + i); });
}

TermId TermMemory::load_before(symbolic::TermStore& terms, std::uintptr_t address, std::size_t size,
                               std::uint64_t value) {
  if (empty()) return kNoTerm;
  return assemble(terms, address, size, [&](std::size_t i) { return static_cast<std::uint8_t>(value >> (8 * i)); });
}

void TermMemory::store(symbolic::TermStore& terms, std::uintptr_t address, std::size_t size, TermId term) {
  if (term != kNoTerm && terms.width(term) < 8 * size)
    term = terms.extend(TermKind::kZext, term, static_cast<unsigned>(8 * size));
  for (std::size_t i = 0; i < size; ++i) {
    if (term == kNoTerm) {
      const auto page = pages_.find((address + i) / kPageBytes);
      if (page != pages_.end()) page->second->cell[(address + i) % kPageBytes].term = 0;
      continue;
    }
    make(address + i) = {term.value, static_cast<std::uint8_t>(i), byte_at(address + i)};
    mark(address + i);
  }
  if (term != kNoTerm) tell(address, size, term);
}

void TermMemory::copy(std::uintptr_t to, std::uintptr_t from, std::size_t size) {
  if (empty() || to == from) return;
  bool any = false;
  // Overlapping ranges are copied in the order in which memmove would.
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t i = to < from ? k : size - 1 - k;
    const auto page = pages_.find((from + i) / kPageBytes);
    const Cell cell = page == pages_.end() ? Cell{} : page->second->cell[(from + i) % kPageBytes];
    if (cell.term != 0) {
      make(to + i) = cell;
      mark(to + i);
      any = true;
    } else if (const auto mine = pages_.find((to + i) / kPageBytes); mine != pages_.end()) {
      mine->second->cell[(to + i) % kPageBytes].term = 0;
    }
  }
  if (any) tell(to, size, kNoTerm);
}

}  // namespace heddle::runtime
