#include "native/runtime/world.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "native/runtime/engine_memory.h"
#include "native/runtime/heap.h"
#include "native/runtime/parts.h"
#include "native/runtime/raw.h"
#include "native/runtime/runtime.h"

// The engine's own data, gathered into these sections when the library is built; the linker supplies the bounds.
extern "C" {
extern char __start_heddle_data[] __attribute__((weak, visibility("hidden")));
extern char __stop_heddle_data[] __attribute__((weak, visibility("hidden")));
extern char __start_heddle_bss[] __attribute__((weak, visibility("hidden")));
extern char __stop_heddle_bss[] __attribute__((weak, visibility("hidden")));
}

namespace heddle::runtime {

constinit World world;

namespace {
constexpr std::uintptr_t kPage = 4096;

constexpr std::size_t kMostHotPages = 1u << 22;

std::uintptr_t page_down(std::uintptr_t a) { return a & ~(kPage - 1); }
std::uintptr_t page_up(std::uintptr_t a) { return (a + kPage - 1) & ~(kPage - 1); }
std::uintptr_t address_of(const char* p) { return reinterpret_cast<std::uintptr_t>(p); }
}  // namespace

void World::add_region(std::uintptr_t begin, std::uintptr_t end) {
  // Leave out the engine's data; both sections start and end on page boundaries.
  const std::uintptr_t holes[][2] = {{address_of(__start_heddle_data), address_of(__stop_heddle_data)},
                                     {address_of(__start_heddle_bss), address_of(__stop_heddle_bss)}};
  for (const auto& [low, high] : holes) {
    if (low == high || high <= begin || low >= end) continue;
    if (begin < page_down(low)) add_region(begin, page_down(low));
    if (page_up(high) < end) add_region(page_up(high), end);
    return;
  }
  if (begin >= end) return;
  if (region_count_ == kMostRegions) raw::die("the program has too many writable segments to be rewound");
  const std::size_t bytes = end - begin;
  Region& region = regions_[region_count_++];
  region.begin = begin;
  region.end = end;
  region.copy = static_cast<char*>(reserve_pages(bytes));
  region.open = static_cast<bool*>(engine_memory.allocate(bytes / kPage));
  memset(region.open, 0, bytes / kPage);
}

int World::visit_module(dl_phdr_info* info, std::size_t, void* argument) {
  auto& self = *static_cast<World*>(argument);
  std::uintptr_t relro_begin = 0, relro_end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_GNU_RELRO) continue;
    relro_begin = page_down(info->dlpi_addr + header.p_vaddr);
    relro_end = page_down(info->dlpi_addr + header.p_vaddr + header.p_memsz);
  }
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_W)) continue;
    const std::uintptr_t begin = page_down(info->dlpi_addr + header.p_vaddr);
    const std::uintptr_t end = page_up(info->dlpi_addr + header.p_vaddr + header.p_memsz);
    // Pages made read-only after relocation cannot change.
    if (relro_begin < relro_end && relro_begin < end && begin < relro_end) {
      if (begin < relro_begin) self.add_region(begin, relro_begin);
      if (relro_end < end) self.add_region(relro_end, end);
    } else {
      self.add_region(begin, end);
    }
  }
  return 0;
}

void World::keep_as_start() {
  dl_iterate_phdr(&World::visit_module, this);
  if (heap.start_end() > Heap::kBase) add_region(Heap::kBase, page_up(heap.start_end()));
  hot_ = static_cast<HotPage*>(reserve_pages(kMostHotPages * sizeof(HotPage)));
  for (std::size_t i = 0; i < region_count_; ++i) keep_region(regions_[i]);
}

void World::keep_region(const Region& region) {
  const std::size_t bytes = region.end - region.begin;
  memcpy(region.copy, reinterpret_cast<void*>(region.begin), bytes);
  raw::syscall(SYS_mprotect, static_cast<long>(region.begin), static_cast<long>(bytes), PROT_READ);
}

void World::add(std::uintptr_t begin, std::uintptr_t end) {
  add_region(begin, end);
  regions_[region_count_ - 1].of_a_thread = true;
  if (hot_ != nullptr) keep_region(regions_[region_count_ - 1]);
}

void World::rewind() {
  for (std::size_t i = 0; i < hot_count_; ++i) memcpy(hot_[i].page, hot_[i].copy, kPage);
}

bool World::is_at_start() const {
  for (std::size_t i = 0; i < region_count_; ++i)
    if (memcmp(reinterpret_cast<const void*>(regions_[i].begin), regions_[i].copy,
               regions_[i].end - regions_[i].begin) != 0)
      return false;
  return true;
}

void World::rewind_pages(std::uintptr_t begin, std::uintptr_t end) {
  for (std::size_t i = 0; i < hot_count_; ++i)
    if (address_of(hot_[i].page) >= begin && address_of(hot_[i].page) < end) memcpy(hot_[i].page, hot_[i].copy, kPage);
}

void World::keep(std::size_t checkpoint) {
  std::vector<char>& pages = kept_[checkpoint];
  pages.resize(hot_count_ * kPage);
  for (std::size_t i = 0; i < hot_count_; ++i) memcpy(&pages[i * kPage], hot_[i].page, kPage);
}

void World::go_back(std::size_t checkpoint) {
  const std::vector<char>& pages = kept_[checkpoint];
  const std::size_t kept = pages.size() / kPage;
  for (std::size_t i = 0; i < hot_count_; ++i) memcpy(hot_[i].page, i < kept ? &pages[i * kPage] : hot_[i].copy, kPage);
}

// Kernel threads are never rewound, and a debugger would stop at every first write to a page.
constinit const Part world_part = described({
    .keep_as_start =
        [] {
          if (!rt.kernel_threads) world.keep_as_start();
        },
    .begin = [] { world.rewind(); },
    .keep = [](std::size_t checkpoint) { world.keep(checkpoint); },
    .go_back = [](std::size_t checkpoint) { world.go_back(checkpoint); },
});

bool World::contains(std::uintptr_t address) const {
  for (std::size_t i = 0; i < region_count_; ++i)
    if (address - regions_[i].begin < regions_[i].end - regions_[i].begin) return true;
  return false;
}

bool World::open_page(std::uintptr_t address) {
  for (std::size_t i = 0; i < region_count_; ++i) {
    const Region& region = regions_[i];
    if (address - region.begin >= region.end - region.begin) continue;
    const std::size_t page = (address - region.begin) / kPage;
    if (region.open[page]) return false;
    region.open[page] = true;
    const std::uintptr_t start = region.begin + page * kPage;
    if (hot_count_ == kMostHotPages)
      raw::die("the program writes to more than 16 GB of global memory; run it with --isolation=process");
    hot_[hot_count_++] = {reinterpret_cast<char*>(start), region.copy + page * kPage, region.of_a_thread};
    raw::syscall(SYS_mprotect, static_cast<long>(start), kPage, PROT_READ | PROT_WRITE);
    return true;
  }
  return false;
}

void World::prepare_for_kernel(void* p, std::size_t size) {
  if (hot_ == nullptr || size == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(p);
  for (std::uintptr_t page = page_down(begin); page < begin + size; page += kPage) open_page(page);
}

}  // namespace heddle::runtime
