// A thread of the program under test: a stack with a guard page, a thread-local storage block of its own, and a
// saved stack pointer. All fibers run in one kernel thread; see docs/native-runtime.md.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

// Saves the callee-saved registers and the control words of floating point on the current stack, leaves its pointer in
// *save, and goes on where `to` was saved. Ends in a jump, not a return: a return would mispredict every time.
extern "C" void heddle_switch_stack(void** save, void* to);

// Thread-local storage and the thread control block, laid out as glibc wants it, on pages of their own: they belong to
// the world (world.h), so that a thread that is made again costs a copy only of what was written to.
class TlsBlock {
 public:
  void create();                              // once per fiber slot
  void load_from(std::uintptr_t other_base);  // copy the variables of another block (main thread)
  std::uintptr_t base() const { return base_; }
  std::uintptr_t pages_begin() const;
  std::uintptr_t pages_end() const;

 private:
  std::uintptr_t base_ = 0;  // what FS points to
};

// Where the variables of a thread and its control block lie relative to the FS base.
struct TlsLayout {
  std::size_t below = 0;  // bytes of static thread-local storage
  std::size_t above = 0;  // bytes of glibc's thread descriptor
};
const TlsLayout& tls_layout();

std::uintptr_t current_fs_base();
void find_fs_base_instructions();  // once, before any switch
void set_fs_base_by_kernel(std::uintptr_t base);
extern bool have_wrfsbase;

inline void set_fs_base(std::uintptr_t base) {
  if (!have_wrfsbase) [[unlikely]]
    return set_fs_base_by_kernel(base);
  asm volatile(".byte 0xf3, 0x48, 0x0f, 0xae, 0xd0" ::"a"(base) : "memory");  // wrfsbase %rax
}

struct Stack {
  std::uintptr_t low = 0;  // first usable byte, above the guard page
  std::uintptr_t high = 0;
  bool contains(std::uintptr_t a) const { return a - low < high - low; }
};

inline constexpr std::size_t kGuardBytes = 64 * 1024;

Stack create_stack(std::size_t bytes);

// Makes `stack` look as if it had been switched away from just before calling entry(argument).
void* prepare_stack(const Stack& stack, void (*entry)(void*), void* argument);

}  // namespace heddle::runtime
