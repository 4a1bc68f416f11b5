// Plain accesses of instrumented code: the other half of the ThreadSanitizer interface.
#include "native/runtime/race_detector.h"

using namespace heddle::runtime;

#define PC __builtin_return_address(0)

namespace {
void access(const volatile void* p, std::size_t size, bool write, const void* pc) {
  plain_access(reinterpret_cast<std::uintptr_t>(p), size, write, pc);
}
}  // namespace

#define DEFINE_ACCESS(size)                                                                \
  void __tsan_read##size(void* p) { access(p, size, false, PC); }                          \
  void __tsan_write##size(void* p) { access(p, size, true, PC); }                          \
  void __tsan_read_write##size(void* p) {                                                  \
    access(p, size, false, PC);                                                            \
    access(p, size, true, PC);                                                             \
  }                                                                                        \
  void __tsan_unaligned_read##size(const void* p) { access(p, size, false, PC); }          \
  void __tsan_unaligned_write##size(void* p) { access(p, size, true, PC); }                \
  void __tsan_unaligned_read_write##size(void* p) {                                        \
    access(p, size, false, PC);                                                            \
    access(p, size, true, PC);                                                             \
  }                                                                                        \
  void __tsan_volatile_read##size(void* p) { access(p, size, false, PC); }                 \
  void __tsan_volatile_write##size(void* p) { access(p, size, true, PC); }                 \
  void __tsan_unaligned_volatile_read##size(const void* p) { access(p, size, false, PC); } \
  void __tsan_unaligned_volatile_write##size(void* p) { access(p, size, true, PC); }

extern "C" {
DEFINE_ACCESS(1)
DEFINE_ACCESS(2)
DEFINE_ACCESS(4)
DEFINE_ACCESS(8)
DEFINE_ACCESS(16)

void __tsan_read_range(void* p, unsigned long size) { access(p, size, false, PC); }
void __tsan_write_range(void* p, unsigned long size) { access(p, size, true, PC); }

// The pointer to the table of virtual functions: constructors and destructors store it, calls load it.
void __tsan_vptr_update(void** p, void* value) {
  if (*p != value) access(p, sizeof(void*), true, PC);
}
void __tsan_vptr_read(void** p) { access(p, sizeof(void*), false, PC); }

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
}
