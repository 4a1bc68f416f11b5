// Numbers for contents of memory, for known_steps.h.
//
// Of all memory that threads may share: writable pages of the program and its libraries, the heap, the frames
// of the main thread, what the runtime keeps for the program. Left out are the objects of visible operations,
// other stacks, and thread-local storage. And of what a thread has for itself: registers and stack where it
// called for its operation, thread-local storage, the runtime's record of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "native/runtime/world.h"

namespace heddle::runtime {

class MemoryHash {
 public:
  // Which bytes are objects is taken from the table of objects as it is now.
  void look_at_objects();
  // False: there is too much of it.
  bool shared(std::uint64_t& result);
  // Of the current thread, which has announced an operation; 0: not known.
  std::uint64_t own();

 private:
  static constexpr std::size_t kMostBytes = 64 * 1024;
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kBlock = 64;
  struct Range {
    std::uintptr_t begin, end;
  };
  void copy_without_objects(char* to, const char* contents, std::uintptr_t begin, std::size_t size) const;
  std::uint64_t hash_of(const char* contents, std::size_t size) const;
  std::uint64_t hash_of_page(const World::HotPage& hot) const;

  std::vector<Range> objects_;  // by address
};

}  // namespace heddle::runtime
