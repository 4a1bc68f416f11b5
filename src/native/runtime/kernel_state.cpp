#include "native/runtime/kernel_state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "native/runtime/checkpoint.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/parts.h"
#include "native/runtime/process_state.h"
#include "native/runtime/raw.h"
#include "native/runtime/runtime.h"
#include "native/runtime/spinning.h"

namespace heddle::runtime {
namespace {

constinit bool touched = false;

// --- descriptors ---

using Descriptors = std::vector<int>;

struct DirectoryEntry {  // as getdents64 writes it
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t size;
  std::uint8_t type;
  char name[1];
};

// All that are open, in order.
void list_descriptors(Descriptors& all) {
  all.clear();
  const long folder =
      raw::syscall(SYS_open, reinterpret_cast<long>("/proc/self/fd"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(8) char buffer[4096];
  for (;;) {
    const long n = raw::syscall(SYS_getdents64, folder, reinterpret_cast<long>(buffer), sizeof buffer);
    if (n <= 0) break;
    for (long at = 0; at < n;) {
      const auto entry = reinterpret_cast<const DirectoryEntry*>(buffer + at);
      at += entry->size;
      int number = 0;
      const char* c = entry->name;
      for (; *c >= '0' && *c <= '9'; ++c) number = 10 * number + (*c - '0');
      if (c != entry->name && *c == 0 && number != folder) all.push_back(number);
    }
  }
  raw::syscall(SYS_close, folder);
  std::sort(all.begin(), all.end());
}

constinit Descriptors inherited;
constinit Descriptors at_start;  // of the execution under way
constinit bool at_start_known = false;

struct Position {
  int descriptor;
  long offset;
};
constinit std::vector<Position> positions;  // of files that global constructors opened

void close_what_was_opened() {
  Descriptors now;
  list_descriptors(now);
  for (int descriptor : now)
    if (!std::binary_search(at_start.begin(), at_start.end(), descriptor)) raw::syscall(SYS_close, descriptor);
}

// --- mappings ---

struct Mapping {
  std::uintptr_t begin;
  std::uintptr_t end;
};
constinit std::vector<Mapping> mappings;

// Where a thread's mappings lie: beyond the heap, so many bytes each.
constexpr std::uintptr_t kBase = 0x200000000000;
constexpr std::size_t kBytesPerThread = 64ull << 30;
constexpr std::size_t kPage = 4096;
constinit std::size_t mapped[kMaxThreads] = {};  // so far in this execution

std::size_t page_up(std::size_t size) { return (size + kPage - 1) & ~(kPage - 1); }

bool is_error(long result) { return result < 0 && result >= -4095; }

void forget_mapping(std::uintptr_t begin, std::uintptr_t end) {
  std::vector<Mapping> left;
  for (const Mapping& m : mappings) {
    if (m.begin < begin) left.push_back({m.begin, std::min(m.end, begin)});
    if (m.end > end) left.push_back({std::max(m.begin, end), m.end});
  }
  mappings = std::move(left);
}

void note_mapping(long begin, std::size_t size) {
  const auto address = static_cast<std::uintptr_t>(begin);
  forget_mapping(address, address + page_up(size));
  mappings.push_back({address, address + page_up(size)});
}

// An address of the thread's own, or null for the kernel to choose.
std::uintptr_t own_address(std::size_t size) {
  std::size_t& used = mapped[rt.current.index()];
  const std::size_t bytes = page_up(size) + kPage;  // one page apart, or overruns would go unnoticed
  if (size > kBytesPerThread || used + bytes > kBytesPerThread) return 0;
  const std::uintptr_t address = kBase + rt.current.index() * kBytesPerThread + used;
  used += bytes;
  return address;
}

}  // namespace

void touches_kernel_state() {
  EngineScope scope;
  checkpoints.switch_off();
  known_steps.switch_off();
  touched = true;
  if (at_start_known) return;
  list_descriptors(at_start);
  at_start_known = true;
}

bool kernel_state_touched() { return touched; }

bool was_open_at_start(int descriptor) { return std::binary_search(at_start.begin(), at_start.end(), descriptor); }

bool is_mapping_of_program(const void* address) {
  const auto a = reinterpret_cast<std::uintptr_t>(address);
  return std::any_of(mappings.begin(), mappings.end(), [=](const Mapping& m) { return a >= m.begin && a < m.end; });
}

void note_inherited_descriptors() {
  EngineScope scope;
  list_descriptors(inherited);
}

namespace {

void note_descriptors_of_constructors() {
  Descriptors now;
  list_descriptors(now);
  for (int descriptor : now) {
    if (std::binary_search(inherited.begin(), inherited.end(), descriptor)) continue;
    const long offset = raw::syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
    if (offset >= 0) positions.push_back({descriptor, offset});
    touched = true;
  }
  if (!touched) return;
  checkpoints.switch_off();
  known_steps.switch_off();
}

void rewind_positions() {
  for (const auto& [descriptor, offset] : positions) raw::syscall(SYS_lseek, descriptor, offset, SEEK_SET);
}

void put_kernel_state_away() {
  if (rt.own_process) return;  // it takes all of it along
  if (at_start_known) close_what_was_opened();
  at_start_known = false;
  for (const Mapping& m : mappings)
    raw::syscall(SYS_munmap, static_cast<long>(m.begin), static_cast<long>(m.end - m.begin));
  mappings.clear();
  put_process_state_back();
  std::fill(std::begin(mapped), std::end(mapped), 0);
}

}  // namespace

constinit const Part kernel_state_part = described({
    .keep_as_start = note_descriptors_of_constructors,
    .begin = rewind_positions,
    .end = put_kernel_state_away,
    .not_kept = "who uses it switches checkpoints off",
});

long map_memory(void* address, std::size_t size, int protection, int flags, int file, long offset) {
  const auto map = [&](std::uintptr_t where, int more) {
    return raw::syscall(SYS_mmap, static_cast<long>(where), static_cast<long>(size), protection, flags | more, file,
                        offset);
  };
  if (!controlled()) return map(reinterpret_cast<std::uintptr_t>(address), 0);
  note_hidden_change();
  touches_kernel_state();
  EngineScope scope;
  const bool anywhere = address == nullptr && (flags & (MAP_32BIT | MAP_HUGETLB)) == 0;
  const std::uintptr_t own = anywhere && size != 0 ? own_address(size) : 0;
  const long result = own != 0 ? map(own, MAP_FIXED_NOREPLACE) : map(reinterpret_cast<std::uintptr_t>(address), 0);
  if (!is_error(result)) note_mapping(result, size);
  return result;
}

long unmap_memory(void* address, std::size_t size) {
  const long result = raw::syscall(SYS_munmap, reinterpret_cast<long>(address), static_cast<long>(size));
  if (!controlled()) return result;
  note_hidden_change();
  touches_kernel_state();
  EngineScope scope;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (result == 0) forget_mapping(begin, begin + page_up(size));
  return result;
}

long remap_memory(void* address, std::size_t size, std::size_t new_size, int flags, void* new_address) {
  const bool ours = !controlled();
  const std::uintptr_t own = !ours && (flags & MREMAP_MAYMOVE) != 0 && (flags & MREMAP_FIXED) == 0 && new_size > size
                                 ? own_address(new_size)
                                 : 0;
  if (own != 0) flags |= MREMAP_FIXED, new_address = reinterpret_cast<void*>(own);
  const long result = raw::syscall(SYS_mremap, reinterpret_cast<long>(address), static_cast<long>(size),
                                   static_cast<long>(new_size), flags, reinterpret_cast<long>(new_address));
  if (ours) return result;
  note_hidden_change();
  touches_kernel_state();
  EngineScope scope;
  if (is_error(result)) return result;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  forget_mapping(begin, begin + page_up(size));
  note_mapping(result, new_size);
  return result;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

namespace {
template <class T>
T with_errno(long result) {
  if (!is_error(result)) return reinterpret_cast<T>(result);
  errno = static_cast<int>(-result);
  return reinterpret_cast<T>(-1L);
}
}  // namespace

extern "C" {
void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  return with_errno<void*>(map_memory(address, size, protection, flags, file, offset));
}
void* mmap64(void* address, std::size_t size, int protection, int flags, int file, off64_t offset) noexcept {
  return with_errno<void*>(map_memory(address, size, protection, flags, file, offset));
}
int munmap(void* address, std::size_t size) noexcept {
  return static_cast<int>(with_errno<long>(unmap_memory(address, size)));
}
void* mremap(void* address, std::size_t size, std::size_t new_size, int flags, ...) noexcept {
  void* new_address = nullptr;
  if (flags & MREMAP_FIXED) {
    va_list list;
    va_start(list, flags);
    new_address = va_arg(list, void*);
    va_end(list);
  }
  return with_errno<void*>(remap_memory(address, size, new_size, flags, new_address));
}
}
