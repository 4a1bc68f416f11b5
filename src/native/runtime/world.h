// The program's world and its rewinding. The world is every writable page of the executable and of the libraries
// it is linked with, the thread-local storage of its threads, and the heap as global constructors left it. A copy
// is taken once; all pages are then write-protected, and the first write to one faults, opens it and puts it on the
// list of hot pages. Rewinding copies the hot pages back: a handful, without a system call.
//
// The kernel does not fault on our behalf: a system call that writes into a protected page fails with EFAULT.
// Interposed input functions open the pages first (prepare_for_kernel).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "native/runtime/parts.h"

struct dl_phdr_info;

namespace heddle::runtime {

class World {
 public:
  // Takes the copy and protects. Call when global constructors have run.
  void keep_as_start();
  // More pages that belong to it, as they are now, before or after the copy was taken: a thread's own storage.
  void add(std::uintptr_t begin, std::uintptr_t end);
  void rewind();
  // Is every byte, also of pages that nobody is known to have written to, as it was when the copy was taken?
  bool is_at_start() const;
  // Only what lies there: a thread's own storage, for another thread.
  void rewind_pages(std::uintptr_t begin, std::uintptr_t end);
  // A state in the middle of an execution, and back to it.
  void keep(std::size_t checkpoint);
  void go_back(std::size_t checkpoint);
  // A write fault at `address`: true when it was the first write to a page of the world, which is now open.
  bool open_page(std::uintptr_t address);
  void prepare_for_kernel(void* p, std::size_t size);
  bool contains(std::uintptr_t address) const;
  std::size_t hot_pages() const { return hot_count_; }
  struct HotPage {
    char* page;
    const char* copy;  // as it was at the start
    bool of_a_thread;  // its own storage
  };
  const HotPage* begin_hot() const { return hot_; }
  const HotPage* end_hot() const { return hot_ + hot_count_; }

 private:
  struct Region {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char* copy = nullptr;
    bool* open = nullptr;  // per page
    bool of_a_thread = false;
  };
  static constexpr std::size_t kMostRegions = 512;

  void add_region(std::uintptr_t begin, std::uintptr_t end);
  static void keep_region(const Region& region);
  static int visit_module(::dl_phdr_info* info, std::size_t size, void* world);

  Region regions_[kMostRegions];
  std::size_t region_count_ = 0;
  HotPage* hot_ = nullptr;
  std::size_t hot_count_ = 0;
  std::vector<char> kept_[kMostCheckpoints];  // pages that were hot then; the others were as at the start
};
extern World world;

}  // namespace heddle::runtime
