// malloc and its family, for everybody in the process: the program from its heap, the engine from its own memory.
// operator new of libstdc++ arrives here too.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "native/runtime/engine_memory.h"
#include "native/runtime/failure.h"
#include "native/runtime/heap.h"
#include "native/runtime/runtime.h"

using namespace heddle::runtime;

namespace {

void* allocate(std::size_t size, std::size_t alignment, const void* pc) {
  if (rt.in_engine) return engine_memory.allocate(size, alignment);
  void* p = heap.allocate(size, alignment, pc);
  if (!p) errno = ENOMEM;
  return p;
}

// The program may give back what was allocated on its behalf inside the engine, but not what is no block at all.
bool is_nobodys(const void* p) { return controlled() && !engine_memory.contains(p); }

void release(void* p, const void* pc) {
  if (!p) return;
  if (Heap::contains(p))
    heap.release(p, pc);
  else if (is_nobodys(p))
    report_heap_misuse(heddle::trace::FailureKind::kInvalidFree, pc, reinterpret_cast<std::uintptr_t>(p));
  else
    engine_memory.release(p);
}

std::size_t size_of(void* p) { return Heap::contains(p) ? heap.size_of(p) : engine_memory.size_of(p); }

void* reallocate(void* p, std::size_t size, const void* pc) {
  if (!p) return allocate(size, 16, pc);
  if (size == 0) {
    release(p, pc);
    return nullptr;
  }
  if (!Heap::contains(p) && is_nobodys(p)) release(p, pc);  // says so
  void* fresh = allocate(size, 16, pc);
  if (!fresh) return nullptr;
  const std::size_t old = size_of(p);
  memcpy(fresh, p, old < size ? old : size);
  release(p, pc);
  return fresh;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) noexcept { return allocate(size, 16, __builtin_return_address(0)); }
void free(void* p) noexcept { release(p, __builtin_return_address(0)); }
void* calloc(std::size_t n, std::size_t size) noexcept {
  std::size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* p = allocate(bytes, 16, __builtin_return_address(0));
  if (p) memset(p, 0, bytes);
  return p;
}
void* realloc(void* p, std::size_t size) noexcept { return reallocate(p, size, __builtin_return_address(0)); }
void* reallocarray(void* p, std::size_t n, std::size_t size) noexcept {
  std::size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate(p, bytes, __builtin_return_address(0));
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return allocate(size, alignment, __builtin_return_address(0));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return allocate(size, alignment, __builtin_return_address(0));
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) noexcept {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* p = allocate(size, alignment, __builtin_return_address(0));
  if (!p) return ENOMEM;
  *result = p;
  return 0;
}
void* valloc(std::size_t size) noexcept { return allocate(size, 4096, __builtin_return_address(0)); }
void* pvalloc(std::size_t size) noexcept {
  return allocate((size + 4095) & ~std::size_t{4095}, 4096, __builtin_return_address(0));
}
std::size_t malloc_usable_size(void* p) noexcept { return p ? size_of(p) : 0; }
void cfree(void* p) noexcept { release(p, __builtin_return_address(0)); }

}  // extern "C"
