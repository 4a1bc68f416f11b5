// Shared libraries that were built without instrumentation: what they do is not seen, so that they are called is said,
// as an assumption with the place of a call (trace/assumption.h).
//
// Everything is bound at start, so the tables through which instrumented modules call others (their global offset
// tables) are complete. An entry that leads into such a library is made to lead through a stub, which notes the call.
// The C and C++ libraries and those that belong to them are not meant: what they do to the program's memory is
// announced (library_call.h), by stubs of the same kind where members of the C++ library's objects do it
// (library_members.h).
//
// Many of these libraries have locks and queues of their own (GLib's GMutex, absl::Mutex, QMutex). To say that they
// order nothing would make a race of everything under such a lock. So two calls that are given the same object - one of
// the first arguments, `this` of a member function - are taken to be ordered by it: each acquires what those before
// have released there. If the library waits meanwhile, it acquires again when it goes on.
//
// Others have threads of their own, and run what they were given (GLib's pools, OpenMP). A function of the program that
// such a thread calls comes after all calls into libraries that have been made, as one of them has asked for it. What
// it does comes before what is done behind calls that begin later, or that have waited meanwhile. The pass has
// functions whose address is taken tell when they begin and end (pass/called_back.h).
//
// Nor is it seen what they write. So a turn of a loop with such a call is never in vain, nor are loops inside the
// library.
#include "native/runtime/unseen_libraries.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>

#include "native/runtime/assumptions.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/library_members.h"
#include "native/runtime/object_state.h"
#include "native/runtime/raw.h"
#include "native/runtime/spinning.h"

namespace heddle::runtime {
namespace {

constexpr std::uintptr_t kPage = 4096;

struct Range {
  std::uintptr_t begin = 0, end = 0;
  bool contains(std::uintptr_t a) const { return a - begin < end - begin; }
};

struct LoadedModule {
  std::uintptr_t base = 0;
  Range code;
  Range relro;
  const ElfW(Rela) * relocations = nullptr;
  std::size_t relocation_bytes = 0;
  const ElfW(Rela) * calls = nullptr;
  std::size_t call_bytes = 0;
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  bool known = false;  // what it does is announced
  bool instrumented = false;
};

struct Entry {
  std::uintptr_t* slot;
  std::uintptr_t function;
  bool protect;          // read-only after relocation
  LibraryMember member;  // of no bytes: of a library that is not seen
  bool noted = false;    // that it was called beside other threads
};

constinit std::vector<Entry> entries;
constinit std::vector<Range> unseen_code;
constinit bool called_beside_others = false;

bool is_known(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  for (const char* known : {"libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "ld-linux", "libpthread.so",
                            "libdl.so", "librt.so", "linux-vdso", "libutil.so", "libresolv.so"})
    if (strncmp(name, known, strlen(known)) == 0) return true;
  return false;
}

void read_dynamic(LoadedModule& module, const ElfW(Dyn) * dynamic) {
  // Addresses in loaded libraries have been relocated by the dynamic linker already.
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    const std::uintptr_t value = dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_RELA) module.relocations = reinterpret_cast<const ElfW(Rela)*>(value);
    if (dynamic->d_tag == DT_RELASZ) module.relocation_bytes = value;
    if (dynamic->d_tag == DT_JMPREL) module.calls = reinterpret_cast<const ElfW(Rela)*>(value);
    if (dynamic->d_tag == DT_PLTRELSZ) module.call_bytes = value;
    if (dynamic->d_tag == DT_SYMTAB) module.symbols = reinterpret_cast<const ElfW(Sym)*>(value);
    if (dynamic->d_tag == DT_STRTAB) module.names = reinterpret_cast<const char*>(value);
  }
}

template <class F>
void for_each_entry(const LoadedModule& module, F&& f) {
  const auto visit = [&](const ElfW(Rela) * table, std::size_t bytes) {
    for (std::size_t i = 0; table && i < bytes / sizeof *table; ++i) {
      const auto type = ELF64_R_TYPE(table[i].r_info);
      if (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT)
        f(reinterpret_cast<std::uintptr_t*>(module.base + table[i].r_offset),
          module.names + module.symbols[ELF64_R_SYM(table[i].r_info)].st_name);
    }
  };
  visit(module.relocations, module.relocation_bytes);
  visit(module.calls, module.call_bytes);
}

int add_module(dl_phdr_info* info, std::size_t, void* argument) {
  auto& modules = *static_cast<std::vector<LoadedModule>*>(argument);
  LoadedModule module;
  module.base = info->dlpi_addr;
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X)) module.code = {begin, begin + header.p_memsz};
    if (header.p_type == PT_GNU_RELRO) module.relro = {begin & ~(kPage - 1), (begin + header.p_memsz) & ~(kPage - 1)};
    if (header.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
  }
  module.instrumented = modules.empty();  // the executable
  module.known = is_known(info->dlpi_name);
  if (dynamic && !module.known) {
    read_dynamic(module, dynamic);
    for_each_entry(module, [&](const std::uintptr_t*, const char* name) {
      if (strncmp(name, "__tsan_", 7) == 0) module.instrumented = true;
    });
  }
  modules.push_back(module);
  return 0;
}

ObjectId given_object(const void* p) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  ObjectId known = kNoObject;
  objects.for_each_in(address, [&](const Object& object) {
    if (object.address == address) known = ObjectId(object.root);
  });
  return known != kNoObject ? known : objects.at(p, 1, protocol::ObjectKind::kGiven);
}

// Is it an object, or a number, a constant, one that was given before?
// (g_cond_wait(condition, mutex), __kmpc_critical(place, thread, lock))
bool is_given(const void* const* arguments, std::size_t i) {
  return is_always_there(reinterpret_cast<std::uintptr_t>(arguments[i])) &&
         std::find(arguments, arguments + i, arguments[i]) == arguments + i;
}

// Places whose clocks stand for all calls into libraries, and for all that libraries' threads have called.
constinit char calls = 0, results = 0;
ObjectId clock_at(const char& place) { return objects.at(&place, 1, protocol::ObjectKind::kGiven); }

void order_by(const void* const* arguments) {
  for (std::size_t i = 0; i < std::size(rt.self().given); ++i) {
    ObjectId& given = rt.self().given[i];
    given = is_given(arguments, i) ? given_object(arguments[i]) : kNoObject;
    if (given != kNoObject) clocks.acquire(given);
  }
  clocks.acquire(clock_at(results));
  for (const ObjectId given : rt.self().given)
    if (given != kNoObject) clocks.release(given);
  clocks.release(clock_at(calls));
}

bool is_thread_of_library(const Thread& thread) {
  return is_unseen_code(reinterpret_cast<const void*>(thread.function));
}

}  // namespace

bool is_unseen_code(const void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pc);
  return std::any_of(unseen_code.begin(), unseen_code.end(), [&](const Range& code) { return code.contains(address); });
}

bool unseen_code_was_called() { return called_beside_others; }

void go_on_in_unseen_library(const void* pc) {
  if (!rt.races_checked || !is_unseen_code(pc)) return;
  for (const ObjectId given : rt.self().given)
    if (given != kNoObject) clocks.acquire(given);
  clocks.acquire(clock_at(results));
}

namespace {

void set(const Entry& entry, std::uintptr_t value) {
  const long page = static_cast<long>(reinterpret_cast<std::uintptr_t>(entry.slot) & ~(kPage - 1));
  if (entry.protect) raw::syscall(SYS_mprotect, page, kPage, PROT_READ | PROT_WRITE);
  *entry.slot = value;
  if (entry.protect) raw::syscall(SYS_mprotect, page, kPage, PROT_READ);
}

// push NUMBER; mov r11, heddle_note_unseen_call; jmp r11
constexpr std::size_t kStubBytes = 32;
void write_stub(unsigned char* at, std::uint32_t number, void (*target)()) {
  const unsigned char code[] = {0x68, 0, 0, 0, 0, 0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3};
  static_assert(sizeof code <= kStubBytes);
  memcpy(at, code, sizeof code);
  memcpy(at + 1, &number, sizeof number);
  memcpy(at + 7, &target, sizeof target);
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

extern "C" {

constinit bool heddle_unseen_libraries = false;

// A function of the program whose address was taken begins, or is about to return, to `to`.
void heddle_called_back(const void* to) {
  if (!controlled() || rt.in_engine || !rt.races_checked || !is_unseen_code(to)) return;
  EngineScope scope;
  if (is_thread_of_library(rt.self())) clocks.acquire(clock_at(calls));
}

void heddle_returns(const void* to) {
  if (!controlled() || rt.in_engine || !rt.races_checked || !is_unseen_code(to)) return;
  EngineScope scope;
  // Otherwise the thread has called the library itself, which may go on with what others have done meanwhile.
  if (is_thread_of_library(rt.self()))
    clocks.release(clock_at(results));
  else
    clocks.acquire(clock_at(results));
}

// Where the call goes on.
std::uintptr_t heddle_unseen_call(std::uint64_t number, const void* pc, const void* const* arguments) {
  Entry& entry = entries[number];
  if (!controlled() || rt.in_engine) return entry.function;
  if (entry.member.of != LibraryMember::Of::kNothing) {
    announce_member(entry.member, reinterpret_cast<std::uintptr_t>(arguments[0]),
                    reinterpret_cast<std::uintptr_t>(arguments[1]), pc);
    return entry.function;
  }
  note_hidden_change();
  EngineScope scope;
  known_steps.cannot_tell();
  if (rt.races_checked) order_by(arguments);
  if (rt.threads < 2 || entry.noted) return entry.function;  // with one thread there is nothing to miss
  entry.noted = called_beside_others = true;
  note_assumption(heddle::trace::AssumptionKind::kCodeNotSeen, pc, entry.function);
  return entry.function;
}

void heddle_note_unseen_call();
}

// All that may carry an argument is kept. The stub has pushed its number; above it is the return address of the call.
asm(".text\n.p2align 4\n"
    ".globl heddle_note_unseen_call\n"
    ".type heddle_note_unseen_call, @function\n"
    "heddle_note_unseen_call:\n"
    "  .cfi_startproc\n"
    "  .cfi_def_cfa_offset 16\n"
    "  subq $192, %rsp\n"
    "  .cfi_def_cfa_offset 208\n"
    "  movq %rax, (%rsp)\n"
    "  movq %rdi, 8(%rsp)\n"
    "  movq %rsi, 16(%rsp)\n"
    "  movq %rdx, 24(%rsp)\n"
    "  movq %rcx, 32(%rsp)\n"
    "  movq %r8, 40(%rsp)\n"
    "  movq %r9, 48(%rsp)\n"
    "  movq %r10, 56(%rsp)\n"
    "  movups %xmm0, 64(%rsp)\n"
    "  movups %xmm1, 80(%rsp)\n"
    "  movups %xmm2, 96(%rsp)\n"
    "  movups %xmm3, 112(%rsp)\n"
    "  movups %xmm4, 128(%rsp)\n"
    "  movups %xmm5, 144(%rsp)\n"
    "  movups %xmm6, 160(%rsp)\n"
    "  movups %xmm7, 176(%rsp)\n"
    "  movq 192(%rsp), %rdi\n"
    "  leaq 8(%rsp), %rdx\n"
    "  movq 200(%rsp), %rsi\n"
    "  call heddle_unseen_call\n"
    "  movq %rax, %r11\n"
    "  movq (%rsp), %rax\n"
    "  movq 8(%rsp), %rdi\n"
    "  movq 16(%rsp), %rsi\n"
    "  movq 24(%rsp), %rdx\n"
    "  movq 32(%rsp), %rcx\n"
    "  movq 40(%rsp), %r8\n"
    "  movq 48(%rsp), %r9\n"
    "  movq 56(%rsp), %r10\n"
    "  movups 64(%rsp), %xmm0\n"
    "  movups 80(%rsp), %xmm1\n"
    "  movups 96(%rsp), %xmm2\n"
    "  movups 112(%rsp), %xmm3\n"
    "  movups 128(%rsp), %xmm4\n"
    "  movups 144(%rsp), %xmm5\n"
    "  movups 160(%rsp), %xmm6\n"
    "  movups 176(%rsp), %xmm7\n"
    "  addq $200, %rsp\n"
    "  .cfi_def_cfa_offset 8\n"
    "  jmp *%r11\n"
    "  .cfi_endproc\n"
    ".size heddle_note_unseen_call, .-heddle_note_unseen_call\n");

namespace heddle::runtime {

void watch_unseen_libraries() {
  std::vector<LoadedModule> modules;
  dl_iterate_phdr(add_module, &modules);
  for (const LoadedModule& caller : modules) {
    if (!caller.instrumented) continue;
    for_each_entry(caller, [&](std::uintptr_t* slot, const char* name) {
      const bool protect = caller.relro.contains(reinterpret_cast<std::uintptr_t>(slot));
      for (const LoadedModule& callee : modules) {
        if (callee.instrumented || !callee.code.contains(*slot)) continue;
        const LibraryMember member = callee.known ? member_of(name) : LibraryMember{};
        if (!callee.known || member.of != LibraryMember::Of::kNothing)
          entries.push_back({slot, *slot, protect, member});
      }
    });
  }
  for (const LoadedModule& module : modules)
    if (!module.known && !module.instrumented) unseen_code.push_back(module.code);
  heddle_unseen_libraries = !unseen_code.empty();
  if (entries.empty()) return;
  const std::size_t bytes = (entries.size() * kStubBytes + kPage - 1) & ~(kPage - 1);
  auto stubs =
      static_cast<unsigned char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (stubs == MAP_FAILED) raw::die("no memory to watch calls of libraries; free some");
  for (std::size_t i = 0; i < entries.size(); ++i)
    write_stub(stubs + i * kStubBytes, static_cast<std::uint32_t>(i), heddle_note_unseen_call);
  mprotect(stubs, bytes, PROT_READ | PROT_EXEC);
  for (std::size_t i = 0; i < entries.size(); ++i)
    set(entries[i], reinterpret_cast<std::uintptr_t>(stubs + i * kStubBytes));
}

}  // namespace heddle::runtime
