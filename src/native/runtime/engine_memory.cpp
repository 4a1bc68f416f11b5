#include "native/runtime/engine_memory.h"

#include <sys/mman.h>

#include <bit>

#include "native/runtime/raw.h"

namespace heddle::runtime {

constinit EngineMemory engine_memory;

namespace {

constexpr std::size_t kLargest = 1ull << 20;  // in a size class; beyond: a mapping of its own

// In front of every block; 16 bytes keep the alignment.
struct Header {
  std::uint64_t size;    // usable bytes
  std::uint32_t kind;    // size class, or kMapped
  std::uint32_t offset;  // from the start of the class block (or mapping) to the user's bytes
};
constexpr std::uint32_t kMapped = 0xffffffff;

// Two classes per power of two: 32, 48, 64, 96, 128, ...
int class_of(std::size_t bytes) {
  if (bytes <= 32) return 0;
  const int log = static_cast<int>(std::bit_width(bytes - 1)) - 1;  // bytes in (2^log, 2^(log+1)]
  const std::size_t quarter = 1ull << (log - 1);
  const int part = static_cast<int>((bytes - (1ull << log) + quarter - 1) / quarter);  // 1 .. 2
  return (log - 5) * 2 + part;
}
std::size_t class_bytes(int c) {
  if (c == 0) return 32;
  const int log = (c - 1) / 2 + 5, part = (c - 1) % 2 + 1;
  return (1ull << log) + part * (1ull << (log - 1));
}

Header* header_of(void* p) { return reinterpret_cast<Header*>(p) - 1; }

}  // namespace

void* reserve_pages(std::size_t bytes, std::uintptr_t fixed_address) {
  const int fixed = fixed_address ? MAP_FIXED_NOREPLACE : 0;
  // Not mmap(), which is the program's (kernel_state.h).
  const long p = raw::syscall(SYS_mmap, static_cast<long>(fixed_address), static_cast<long>(bytes),
                              PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  if (p < 0 && p >= -4095)
    raw::die("cannot reserve address space for the runtime; raise the limit on virtual memory (ulimit -v)");
  return reinterpret_cast<void*>(p);
}

void* EngineMemory::carve(std::size_t bytes) {
  if (next_ + bytes > end_) {
    next_ = reinterpret_cast<std::uintptr_t>(reserve_pages(kReserve));
    end_ = next_ + kReserve;
  }
  void* p = reinterpret_cast<void*>(next_);
  next_ += (bytes + 15) & ~15ull;
  return p;
}

void* EngineMemory::allocate(std::size_t size, std::size_t alignment) {
  const std::size_t slack = alignment > 16 ? alignment : 0;
  const std::size_t bytes = size + sizeof(Header) + slack;
  char* block;
  Header header{size, 0, 0};
  if (bytes > kLargest) {
    block = static_cast<char*>(reserve_pages(bytes));
    header.kind = kMapped;
  } else {
    const int c = class_of(bytes);
    header.kind = static_cast<std::uint32_t>(c);
    if (void* p = free_[c]) {
      free_[c] = *static_cast<void**>(p);
      block = static_cast<char*>(p);
    } else {
      block = static_cast<char*>(carve(class_bytes(c)));
    }
  }
  std::uintptr_t user = reinterpret_cast<std::uintptr_t>(block) + sizeof(Header);
  if (slack) user = (user + alignment - 1) & ~(alignment - 1);
  header.offset = static_cast<std::uint32_t>(user - reinterpret_cast<std::uintptr_t>(block));
  void* result = reinterpret_cast<void*>(user);
  *header_of(result) = header;
  return result;
}

void EngineMemory::release(void* p) {
  if (!p) return;
  const Header header = *header_of(p);
  char* block = static_cast<char*>(p) - header.offset;
  if (header.kind == kMapped) {
    raw::syscall(SYS_munmap, reinterpret_cast<long>(block), static_cast<long>(header.size + header.offset));
    return;
  }
  *reinterpret_cast<void**>(block) = free_[header.kind];
  free_[header.kind] = block;
}

std::size_t EngineMemory::size_of(void* p) const { return static_cast<std::size_t>(header_of(p)->size); }

}  // namespace heddle::runtime
