// The program's heap: fixed address, one bump arena per thread, so that an address depends only on the allocating
// thread's own history. Rewinding it is resetting the tops. Blocks carry a header with the place of their
// allocation and are surrounded by redzones; a freed block goes to the back of the freeing thread's
// quarantine and is used again only when much has been freed after it.
//
// A byte of `poison` per 8 bytes says whether they may be accessed: 0 all, 1..7 the first so many, else a reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/strong_id.h"
#include "native/runtime/parts.h"

namespace heddle::runtime {

enum Poison : std::uint8_t { kRedzone = 0xfa, kFreed = 0xfd };

struct Block {
  std::uint64_t size;          // as asked for
  std::uint32_t allocated_at;  // position
  std::uint32_t freed_at;
  Block* next;             // in quarantine
  std::uint32_t capacity;  // in units of 16 bytes
  std::uint16_t state;     // kLive or kDead
  std::uint16_t thread;    // that freed it
  void* user() { return this + 1; }
};
static_assert(sizeof(Block) == 32);

class Heap {
 public:
  static constexpr std::uintptr_t kBase = 0x100000000000;
  static constexpr std::size_t kArenaBytes = 8ull << 30;
  static constexpr std::size_t kBytes = kArenaBytes * kMaxThreads;

  static bool contains(const void* p) { return reinterpret_cast<std::uintptr_t>(p) - kBase < kBytes; }

  void* allocate(std::size_t size, std::size_t alignment, const void* pc);
  void release(void* p, const void* pc);
  std::size_t size_of(void* p) const;

  // The state every execution starts from.
  void keep_as_start();
  std::uintptr_t start_end() const { return start_top_; }
  void rewind();
  // Is nothing given out but what was at the start?
  bool is_at_start() const;

  // May these bytes be accessed? Otherwise the reason, and the block nearest to them.
  bool accessible(std::uintptr_t address, std::size_t size) const {
    const std::uint8_t* poison = poison_ + ((address - kBase) >> 3);
    const std::size_t offset = address & 7;
    if (offset + size <= 8) [[likely]]
      return *poison == 0 || (*poison < 8 && offset + size <= *poison);
    return accessible_range(address, size);
  }
  struct Trouble {
    bool freed = false;
    Block* block = nullptr;
  };
  Trouble explain(std::uintptr_t address, std::size_t size) const;
  // The block an address lies in, if any.
  Block* block_of(std::uintptr_t address) const;

 private:
  static constexpr std::size_t kClasses = 33;  // quarantines: 16 .. 512 bytes by 16, and the rest
  static constexpr std::size_t kQuarantineBytes = 1u << 18;
  struct Queue {
    Block* first = nullptr;
    Block* last = nullptr;
  };
  struct Arena {
    std::uintptr_t top = 0;
    std::size_t quarantined = 0;
    Queue free[kClasses];
  };

  struct Copy {
    struct Used {
      std::size_t index = 0;
      Arena arena;
    };
    std::vector<Used> arenas;                // that were in use
    std::vector<char> blocks;                // of these, one after the other, beyond the start
    std::vector<std::uint8_t> poison;        // likewise
    std::vector<std::uint8_t> start_poison;  // if blocks of the start had been freed
  };

 public:
  std::size_t bytes_beyond_start() const;
  // What was allocated since the start: f(begin, end).
  template <class F>
  void for_each_arena(F&& f) const {
    for (std::size_t i = 0; i < arenas_used_; ++i)
      if (arena_[i].top > arena_start(i)) f(arena_start(i), arena_[i].top);
  }
  // A state in the middle of an execution, and back to it.
  void keep(std::size_t checkpoint);
  void go_back(std::size_t checkpoint);

 private:
  void prepare();
  std::uintptr_t arena_start(std::size_t i) const;  // of what executions allocate
  static Arena unused_arena(std::size_t i);
  bool in_use(std::size_t i) const;
  void reset_arena(std::size_t i, const Arena& to);
  Block* take_from_quarantine(Arena& arena, std::uint32_t units);
  Block* carve(Arena& arena, std::size_t size, std::size_t alignment);
  void poison(std::uintptr_t from, std::uintptr_t to, std::uint8_t value);
  bool accessible_range(std::uintptr_t address, std::size_t size) const;

  std::uint8_t* poison_ = nullptr;
  std::uintptr_t start_top_ = 0;
  Arena start_arena_;  // main's arena at the start
  std::vector<std::uint8_t> start_poison_;
  bool start_poison_changed_ = false;
  std::size_t arenas_used_ = 1;
  Arena arena_[kMaxThreads];
  Copy kept_[kMostCheckpoints];
};
extern Heap heap;

}  // namespace heddle::runtime
