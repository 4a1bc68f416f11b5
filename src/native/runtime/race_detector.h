// Plain memory accesses: data races by happens-before, byte-exact, and the promotion of racy bytes to visible
// operations.
//
// The idea is FastTrack's (Flanagan, Freund, PLDI 2009): as long as the accesses to a granule of 8 bytes are ordered,
// the last write and the last read tell all. Where they do not (readers that are concurrent, accesses of
// different bytes, atomic and plain mixed) the granule gets a list of all accesses that still matter.
//
// A byte that races becomes visible for good: from the next execution on, accesses to it are visible operations.
// Why that is enough: happens-before here is a part of the order the engine sees, so two accesses to a byte that
// never races are ordered in every class, and making them visible would not add a class. When the set of
// visible bytes grows, the search starts again (worker.cpp); it grows a few times at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "native/runtime/failure.h"
#include "native/runtime/heap.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shadow.h"

namespace heddle::runtime {

inline void check_heap_access(const volatile void* p, std::size_t size, bool write, const void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (address - Heap::kBase < Heap::kBytes && !heap.accessible(address, size)) [[unlikely]]
    report_bad_access(pc, address, size, write);
}

// A plain access of the program, about to happen.
void plain_access(std::uintptr_t address, std::size_t size, bool write, const void* pc);
// A read of some of these bytes, inputs decide which, about to happen. A race of other bytes than those that are read
// is none, so nothing is reported; but they become visible.
void possible_read(std::uintptr_t address, std::size_t size, const void* pc);
bool any_visible(std::uintptr_t address, std::size_t size);
// A thread polls these bytes: from now on accesses to them are visible.
void make_polled_visible(std::uintptr_t address, std::size_t size);
// An atomic access that has just been performed, for races with plain ones. `epoch` is the thread's before the
// access: one that releases is itself among what it releases.
void atomic_access(const volatile void* p, std::size_t size, bool write, std::uint32_t epoch, std::uint32_t where);
// A block about to be freed: like a write to all of it, in two parts. Others may go on during the first, and may even
// free it; in the second it is.
void await_free(std::uintptr_t address, std::size_t size, const void* pc);
// `may_be_used_later`: nothing but this shows that it was given back.
void free_access(std::uintptr_t address, std::size_t size, const void* pc, bool may_be_used_later = false);

// What is remembered of an access of the running execution.
struct CellAccess {
  std::uint32_t clock;
  std::uint32_t where;
  std::uint8_t thread;
  std::uint8_t mask;
  bool write;
  bool atomic;
  bool frees = false;     // the write that giving memory back amounts to
  bool possible = false;  // with other inputs
};
// The last that was done with the byte, if that was to leave its scope, by another thread and in no order with what the
// current one does.
std::optional<CellAccess> end_of_scope_beside(std::uintptr_t address);
std::size_t accesses_remembered();  // cells
bool accesses_known();              // false: there were too many to list them

}  // namespace heddle::runtime
