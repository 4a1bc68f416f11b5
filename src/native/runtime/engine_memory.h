// Memory of the engine and the runtime, apart from everything that is rewound. One kernel thread uses it, so there
// are no locks; size classes with free lists over a large reserved range, and mappings of their own for large
// blocks. It must work before any constructor has run.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

class EngineMemory {
 public:
  void* allocate(std::size_t size, std::size_t alignment = 16);
  void release(void* p);
  std::size_t size_of(void* p) const;
  // Blocks beyond the size classes aside, which have mappings of their own.
  bool contains(const void* p) const { return reinterpret_cast<std::uintptr_t>(p) - (end_ - kReserve) < kReserve; }

 private:
  static constexpr std::size_t kReserve = 64ull << 30;
  static constexpr int kClasses = 40;
  void* carve(std::size_t bytes);

  std::uintptr_t next_ = 0;
  std::uintptr_t end_ = 0;
  void* free_[kClasses] = {};
};

extern EngineMemory engine_memory;

// Whole zeroed pages, reserved but not committed. Ends the process when the system refuses.
void* reserve_pages(std::size_t bytes, std::uintptr_t fixed_address = 0);

}  // namespace heddle::runtime
