// Compiled without instrumentation.
#include "log_stub.h"

#include <cstring>

namespace log_stub {
namespace {
bool recording = false;
}

std::map<std::string, int>& calls() {
  static std::map<std::string, int> all;
  return all;
}

std::vector<std::uint64_t>& turns() {
  static std::vector<std::uint64_t> all;
  return all;
}

std::map<std::string, int> during(void (*body)()) {
  calls().clear();
  turns().clear();
  recording = true;
  body();
  recording = false;
  return calls();
}

static void note(const char* name) {
  if (!recording) return;
  // The map's code is shared with cases.cpp, where it is instrumented.
  recording = false;
  ++calls()[name];
  recording = true;
}

static void keep_turn(std::uint64_t state) {
  if (!recording) return;
  recording = false;
  turns().push_back(state);
  recording = true;
}

}  // namespace log_stub

using log_stub::note;

extern "C" {
bool heddle_spinning_suspected = true;
bool heddle_unseen_libraries = false;
void heddle_called_back(const void*) {}
void heddle_returns(const void*) {}
static std::uint64_t handed_over = 0;
void heddle_turn_value(std::uint64_t value) { handed_over = (handed_over ^ value) * 0x9e3779b97f4a7c15ull + 1; }
void heddle_turn_shared() {}
void heddle_turn_memory(const unsigned char* memory, unsigned long size) {
  for (unsigned long i = 0; i < size; ++i) heddle_turn_value(memory[i]);
}
void heddle_turn(std::uint64_t) {
  const std::uint64_t state = handed_over;
  handed_over = 0;
  note("turn");
  log_stub::keep_turn(state);
}
void heddle_enter_loop(std::uint64_t) { note("enter_loop"); }
void heddle_scope_ends(const void*, unsigned long) {}
}

#define PLAIN(name) \
  extern "C" void __tsan_##name(void*) { note(#name); }
#define PLAIN_SIZES(verb) PLAIN(verb##1) PLAIN(verb##2) PLAIN(verb##4) PLAIN(verb##8) PLAIN(verb##16)
PLAIN_SIZES(read)
PLAIN_SIZES(write)
PLAIN(unaligned_read2)
PLAIN(unaligned_read4)
PLAIN(unaligned_read8)
PLAIN(unaligned_read16)
PLAIN(unaligned_write2)
PLAIN(unaligned_write4)
PLAIN(unaligned_write8)
PLAIN(unaligned_write16)
PLAIN(vptr_read)
extern "C" void __tsan_vptr_update(void*, void*) { note("vptr_update"); }
extern "C" void __tsan_read_range(void*, unsigned long) { note("read_range"); }
extern "C" void __tsan_write_range(void*, unsigned long) { note("write_range"); }
extern "C" void __tsan_init() {}
extern "C" void __tsan_func_entry(void*) {}
extern "C" void __tsan_func_exit() {}
extern "C" void __tsan_atomic_thread_fence(int) { note("thread_fence"); }
extern "C" void __tsan_atomic_signal_fence(int) { note("signal_fence"); }
extern "C" void* __tsan_memcpy(void* d, const void* s, unsigned long n) {
  note("memcpy");
  return std::memcpy(d, s, n);
}
extern "C" void* __tsan_memmove(void* d, const void* s, unsigned long n) {
  note("memmove");
  return std::memmove(d, s, n);
}
extern "C" void* __tsan_memset(void* d, int v, unsigned long n) {
  note("memset");
  return std::memset(d, v, n);
}

// One thread only, so plain operations will do.
template <class T, class F>
static T update(const char* name, T* p, F f) {
  note(name);
  const T old = *p;
  *p = static_cast<T>(f(old));
  return old;
}

// Set by the runtime when a weak exchange fails for no reason.
extern "C" {
unsigned char heddle_exchange_failed = 0;
}

template <class T>
static int compare_exchange(const char* name, T* p, T* expected, T desired) {
  note(name);
  const bool swapped = *p == *expected;
  (swapped ? *p : *expected) = swapped ? desired : *p;
  return swapped;
}

#define UPDATE(bits, T, name, tag, expression)                      \
  extern "C" T __tsan_atomic##bits##_##name(T* p, T v, int) {       \
    return update(tag #bits, p, [v](T o) { return expression; });   \
  }
#define ATOMICS(bits, T)                                                                       \
  extern "C" T __tsan_atomic##bits##_load(T* p, int) { return note("load" #bits), *p; }        \
  extern "C" void __tsan_atomic##bits##_store(T* p, T v, int) { note("store" #bits), *p = v; } \
  UPDATE(bits, T, exchange, "exchange", (void(o), v))                                          \
  UPDATE(bits, T, fetch_add, "add", o + v)                                                     \
  UPDATE(bits, T, fetch_sub, "sub", o - v)                                                     \
  UPDATE(bits, T, fetch_and, "and", o & v)                                                     \
  UPDATE(bits, T, fetch_or, "or", o | v)                                                       \
  UPDATE(bits, T, fetch_xor, "xor", o ^ v)                                                     \
  UPDATE(bits, T, fetch_nand, "nand", ~(o & v))                                                \
  extern "C" T __tsan_atomic##bits##_compare_exchange_val(T* p, T e, T d, int, int) {          \
    const T old = *p;                                                                          \
    return compare_exchange("cas" #bits, p, &e, d), old;                                       \
  }                                                                                            \
  extern "C" int __tsan_atomic##bits##_compare_exchange_strong(T* p, T* e, T d, int, int) {    \
    return compare_exchange("cas" #bits, p, e, d);                                             \
  }                                                                                            \
  extern "C" int __tsan_atomic##bits##_compare_exchange_weak(T* p, T* e, T d, int, int) {      \
    return compare_exchange("cas" #bits, p, e, d);                                             \
  }
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned int)
ATOMICS(64, unsigned long)
ATOMICS(128, unsigned __int128)
