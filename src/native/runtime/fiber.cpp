#include "native/runtime/fiber.h"

#include <asm/prctl.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "native/runtime/engine_memory.h"
#include "native/runtime/raw.h"

asm(R"(
.text
.p2align 4
.globl heddle_switch_stack
.hidden heddle_switch_stack
.type heddle_switch_stack, @function
heddle_switch_stack:
  .cfi_startproc
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movl (%rsp), %eax
  movzwl 4(%rsp), %edx
  movq %rsi, %rsp
  cmpl %eax, (%rsp)
  je 0f
  ldmxcsr (%rsp)
0:
  cmpw %dx, 4(%rsp)
  je 1f
  fldcw 4(%rsp)
1:
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rax
  jmpq *%rax
  .cfi_endproc
.size heddle_switch_stack, .-heddle_switch_stack

.p2align 4
.globl heddle_fiber_start
.hidden heddle_fiber_start
.type heddle_fiber_start, @function
heddle_fiber_start:
  .cfi_startproc
  .cfi_undefined %rip
  movq %r12, %rdi
  xorl %ebp, %ebp
  callq *%r13
  ud2
  .cfi_endproc
.size heddle_fiber_start, .-heddle_fiber_start
)");

extern "C" void heddle_fiber_start();

namespace heddle::runtime {

bool have_wrfsbase = false;

namespace {

constexpr std::uintptr_t kPage = 4096;
// Room below the variables known now, for libraries loaded later that insist on static storage.
constexpr std::size_t kSurplus = 2 * kPage;

std::uintptr_t page_up(std::uintptr_t a) { return (a + kPage - 1) & ~(kPage - 1); }

// glibc's thread descriptor begins with these (tcbhead_t); their places are part of the ABI.
struct ControlBlock {
  void* tcb;
  void* dtv;
  void* self;
  int multiple_threads;
  int gscope_flag;
  std::uintptr_t sysinfo;
  std::uintptr_t stack_guard;
  std::uintptr_t pointer_guard;
};

using AllocateTls = void* (*)(void*);

int find_lowest_tls(dl_phdr_info* info, std::size_t size, void* result) {
  if (size < offsetof(dl_phdr_info, dlpi_tls_data) + sizeof(void*)) return 0;
  auto& lowest = *static_cast<std::uintptr_t*>(result);
  const auto data = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
  // Blocks above FS were allocated dynamically: not part of the static area.
  if (data != 0 && data < current_fs_base() && current_fs_base() - data < (64u << 20) && data < lowest) lowest = data;
  return 0;
}

TlsLayout find_layout() {
  TlsLayout layout;
  std::uintptr_t lowest = current_fs_base();
  dl_iterate_phdr(find_lowest_tls, &lowest);
  layout.below = (current_fs_base() - lowest + 63) & ~std::size_t{63};
  auto size = static_cast<const std::uint32_t*>(dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread"));
  layout.above = size ? *size : 2304;
  return layout;
}

TlsLayout layout_;
bool layout_known = false;

}  // namespace

const TlsLayout& tls_layout() {
  if (!layout_known) {
    layout_ = find_layout();
    layout_known = true;
  }
  return layout_;
}

std::uintptr_t current_fs_base() {
  std::uintptr_t base;
  asm("movq %%fs:0, %0" : "=r"(base));
  return base;
}

void find_fs_base_instructions() {
  constexpr unsigned long kFsGsBase = 2;  // HWCAP2_FSGSBASE
  have_wrfsbase = (getauxval(AT_HWCAP2) & kFsGsBase) != 0;
}

void set_fs_base_by_kernel(std::uintptr_t base) { raw::syscall(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(base)); }

std::uintptr_t TlsBlock::pages_begin() const { return base_ - page_up(tls_layout().below) - kSurplus; }
std::uintptr_t TlsBlock::pages_end() const { return base_ + page_up(tls_layout().above); }

void TlsBlock::create() {
  static const auto allocate = reinterpret_cast<AllocateTls>(dlsym(RTLD_DEFAULT, "_dl_allocate_tls"));
  if (!allocate) raw::die("this C library has no _dl_allocate_tls; heddle needs glibc");
  const TlsLayout& layout = tls_layout();
  const std::size_t below = page_up(layout.below) + kSurplus;
  const auto pages = reinterpret_cast<std::uintptr_t>(reserve_pages(below + page_up(layout.above)));
  base_ = reinterpret_cast<std::uintptr_t>(allocate(reinterpret_cast<void*>(pages + below)));
  const auto own = reinterpret_cast<ControlBlock*>(current_fs_base());
  auto block = reinterpret_cast<ControlBlock*>(base_);
  block->tcb = block;
  block->self = block;
  block->multiple_threads = 1;
  block->sysinfo = own->sysinfo;
  block->stack_guard = own->stack_guard;
  block->pointer_guard = own->pointer_guard;
  // The kernel's restartable-sequence area is the explorer's: in this one, say "not registered".
  if (auto offset = static_cast<const std::ptrdiff_t*>(dlsym(RTLD_DEFAULT, "__rseq_offset"))) {
    auto cpu_id = reinterpret_cast<std::int32_t*>(base_ + static_cast<std::uintptr_t>(*offset) + 4);
    *cpu_id = -2;
  }
  // Character tables of the C locale are reached through thread-local pointers.
  if (auto init = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "__ctype_init"))) {
    const std::uintptr_t mine = current_fs_base();
    set_fs_base(base_);
    init();
    set_fs_base(mine);
  }
}

void TlsBlock::load_from(std::uintptr_t other_base) {
  const TlsLayout& layout = tls_layout();
  memcpy(reinterpret_cast<void*>(base_ - layout.below), reinterpret_cast<void*>(other_base - layout.below),
         layout.below);
}

Stack create_stack(std::size_t bytes) {
  const auto start = reinterpret_cast<std::uintptr_t>(reserve_pages(bytes + kGuardBytes));
  mprotect(reinterpret_cast<void*>(start), kGuardBytes, PROT_NONE);
  return {start + kGuardBytes, start + kGuardBytes + bytes};
}

void* prepare_stack(const Stack& stack, void (*entry)(void*), void* argument) {
  auto top = reinterpret_cast<std::uintptr_t*>(stack.high & ~std::uintptr_t{15});
  *--top = 0;
  *--top = 0;                                                      // keeps the stack 16-aligned at the call
  *--top = reinterpret_cast<std::uintptr_t>(&heddle_fiber_start);  // popped and jumped to
  *--top = 0;                                                      // rbp
  *--top = 0;                                                      // rbx
  *--top = reinterpret_cast<std::uintptr_t>(argument);             // r12
  *--top = reinterpret_cast<std::uintptr_t>(entry);                // r13
  *--top = 0;                                                      // r14
  *--top = 0;                                                      // r15
  // How the creator rounds, as threads do; without what has happened to it so far.
  std::uint32_t vector = 0;
  std::uint16_t stack_control = 0;
  asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(vector), "=m"(stack_control));
  *--top = std::uintptr_t{stack_control} << 32 | (vector & ~0x3fu);
  return top;
}

}  // namespace heddle::runtime
