// What the runtime knows about each 8 bytes of the program's memory, and the numbering of shared objects.
//
// Shadow cells are reached through a table with one entry per gigabyte of address space; a gigabyte that is
// touched gets its cells as one lazily committed mapping. Nothing is cleared between executions: a cell whose
// generation is an older execution's counts as empty. The object number and the set of visible bytes stay.
#pragma once

#include <cstdint>

#include "native/protocol/messages.h"

namespace heddle::runtime {

struct Cell {
  std::uint32_t generation;  // of the access history below
  std::uint32_t object;      // 1 + id of an object in this granule, 0: none; kept
  std::uint32_t write_clock;
  std::uint32_t read_clock;
  std::uint32_t write_where;
  std::uint32_t read_where;
  std::uint8_t write_thread;
  std::uint8_t write_mask;  // bytes of the last plain write; 0: none
  std::uint8_t read_thread;
  std::uint8_t read_mask;
  std::uint8_t visible;   // bytes whose accesses are visible operations; kept
  std::uint8_t flags;     // CellFlag, some kept
  std::uint16_t sharers;  // who has accessed it (known_steps.h); kept
};
static_assert(sizeof(Cell) == 32);

enum CellFlag : std::uint8_t {
  kAtomicAccess = 1,  // kept: there were atomic accesses
  kPlainShared = 2,   // kept: there were plain accesses while several threads existed
  kReported = 4,      // a race on some of its bytes is already reported in this execution
  kFullHistory = 8,   // one access of each kind does not tell all: write_clock is the index of a list
  kFreedBeside = 16,  // kept: a lock, a condition variable, ... that begins here is freed while others may use it
  kMixed = kAtomicAccess | kPlainShared,
  kKept = kMixed | kFreedBeside,
};

class Shadow {
 public:
  bool anything_visible = false;  // some byte, in this execution or later ones

  static constexpr int kChunkBits = 30;
  Cell& at(std::uintptr_t address) {
    Cell* chunk = chunks_[(address >> kChunkBits) & kChunkMask];
    if (!chunk) [[unlikely]]
      chunk = map_chunk(address);
    return chunk[(address & ((1ull << kChunkBits) - 1)) >> 3];
  }

 private:
  static constexpr std::size_t kChunks = 1u << 17;
  static constexpr std::size_t kChunkMask = kChunks - 1;
  Cell* map_chunk(std::uintptr_t address);
  Cell* chunks_[kChunks] = {};
};
extern Shadow shadow;

inline void make_visible(Cell& cell, std::uint8_t bytes) {
  cell.visible |= bytes;
  shadow.anything_visible = shadow.anything_visible || bytes != 0;
}

// Something threads meet at. Objects keep their number in all executions: addresses are deterministic.
struct Object {
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  protocol::ObjectKind kind = protocol::ObjectKind::kMemory;
  bool mixed = false;                  // of a root: accesses to it differ in address or size
  std::uint32_t next = 0;              // 1 + id of another object in the same granule
  std::uint32_t root = 0;              // id of the object this one was merged into, or its own
  std::uint32_t clock_generation = 0;  // execution of `clock`
  std::uint32_t* clock = nullptr;      // what a thread acquires here (happens_before.h)
  std::uint32_t used_generation = 0;   // execution of the last use (freed_objects.h) ...
  std::uint32_t used_clock = 0;
  std::uint16_t used_by = 0;
  bool used_by_several = false;  // ... and whether some were in no order
  bool weaker = false;           // an atomic operation on it asks for less than sequential consistency ...
  std::uint16_t met_by = 0;      // ... and who operates on it: 1 + the thread, or kSeveral (assumptions.h)
  std::uint32_t life = 0;        // which of those that were at its place in one execution (weak_memory.h)
  std::uint32_t next_life = 0;   // id of the next one; 0: none is known
};

class Objects {
 public:
  ObjectId at(const volatile void* p, std::uint32_t size, protocol::ObjectKind kind) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    const Cell& cell = shadow.at(address);
    if (cell.object != 0) [[likely]] {
      const Object& object = table_[cell.object - 1];
      if (object.address == address && object.size == size) [[likely]]
        return ObjectId(object.root);
    }
    return find_or_add(address, size, kind);
  }
  Object& operator[](ObjectId id) { return table_[id.index()]; }
  std::size_t size() const { return count_; }
  const Object& entry(std::size_t i) const { return table_[i]; }
  // Accesses of different sizes turned out to overlap: what was learnt so far is void.
  bool merged = false;
  // Do accesses to this object touch different bytes of it? Then a value that one of them saw says nothing about
  // what another would see.
  bool mixed(ObjectId id) const { return table_[id.index()].mixed; }
  // Those that begin in the granule.
  template <class F>
  void for_each_in(std::uintptr_t granule, F&& f) const {
    for (std::uint32_t i = shadow.at(granule).object; i != 0; i = table_[i - 1].next) f(table_[i - 1]);
  }
  // What is at the place of this object after it has been initialised anew so many times.
  ObjectId in_life(ObjectId id, std::uint32_t life);
  // One step touches both: they are one object. True: they were not.
  bool join(ObjectId a, ObjectId b);
  ObjectId root(ObjectId id) const { return ObjectId(root_of(id.value)); }

 private:
  ObjectId find_or_add(std::uintptr_t address, std::uint32_t size, protocol::ObjectKind kind);
  std::uint32_t root_of(std::uint32_t id) const;
  void merge_overlapping(std::uint32_t id);
  void mark_mixed(std::uint32_t root);
  bool merge(std::uint32_t a, std::uint32_t b);

  static constexpr std::size_t kMost = 1u << 26;
  Object* table_ = nullptr;
  std::size_t count_ = 0;
  std::uint32_t longest_ = 16;
};
extern Objects objects;

// Numbers for program counters and, when asked for, whole call stacks.
std::uint32_t where_of(const void* pc);
// A fault while a call stack is read: goes back to the reader, which makes do with what it has. Otherwise it returns.
void leave_broken_stack();
std::uint32_t add_position(protocol::Position position);
const protocol::Position& position_at(std::uint32_t where);
// Where the access or the call itself was; 0: nowhere.
std::uint64_t first_address(std::uint32_t where);
void fill_positions(std::vector<protocol::Position>& positions);

}  // namespace heddle::runtime
