// Loops that wait by looking again and again.
//
// When a thread comes back to the same operation with the same local state - registers and stack, byte for byte - and
// has changed nothing in between, it will go round for ever unless somebody writes what it reads. Going round
// again shows nothing that reading later would not show, so the thread is stopped here: if what it read changes
// later, this execution is redundant (the read that comes after the change belongs to another one, which the race
// between the two leads to) and counts as infeasible; if it never changes, the program livelocks. A loop that
// counts its turns has another local state every time and is left alone.
//
// Frames have holes - padding, slots that are dead - and what lies in them is what was there before: whatever calls had
// their frames at that place, those of the runtime among them, in this execution or an earlier one. Left alone, a
// repetition would be seen or not as it happens, and counts would differ between ways of running. So as soon as a
// thread comes back to an operation having changed nothing, in any execution (a suspicion: the search begins again
// once), the runtime leaves nothing behind: when it gives the processor back to the program, what is below its frame is
// zero, as deep as the frames of a waiting loop reach. Where a schedule nevertheless says that the thread goes on, one
// execution did not see the repetition, and then the thread goes on.
//
// Local state is taken when the program calls. Finding its registers by unwinding from where they are needed costs a
// microsecond, several times per execution of a program that waits in loops; so the entries that such loops go
// through are stubs that note them: eight stores. Elsewhere (try-locks, plain memory) they are unwound.
//
// A loop that does change something - `for (;;) ++x;` - is ended by the step bound. If by then nobody else can run and
// the thread comes back once more to the place where it exceeded the bound with the same local state, that is called a
// livelock as well: nothing in the thread counts towards an end.
#pragma once

#include "native/runtime/runtime.h"

namespace heddle::native {

// The program's frame at a call: where it goes on, its stack pointer and the registers it keeps across the call (the
// others are dead).
struct CallingFrame {
  const void* pc;
  std::uint64_t stack_pointer;      // after the return
  std::uint64_t registers[6];       // rbx, rbp, r12 .. r15
};
extern "C" CallingFrame heddle_calling_frame;   // of the last call through a stub

// Defines the entry "__" name: it notes the frame and goes on in the function `name`.
#define NOTING_ENTRY(name)                             \
  asm(".text\n.p2align 4\n"                            \
      ".globl __" name "\n"                            \
      ".type __" name ", @function\n"                  \
      "__" name ":\n"                                  \
      "  .cfi_startproc\n"                             \
      "  movq (%rsp), %rax\n"                          \
      "  leaq heddle_calling_frame(%rip), %r11\n"      \
      "  movq %rax, (%r11)\n"                          \
      "  leaq 8(%rsp), %rax\n"                         \
      "  movq %rax, 8(%r11)\n"                         \
      "  movq %rbx, 16(%r11)\n"                        \
      "  movq %rbp, 24(%r11)\n"                        \
      "  movq %r12, 32(%r11)\n"                        \
      "  movq %r13, 40(%r11)\n"                        \
      "  movq %r14, 48(%r11)\n"                        \
      "  movq %r15, 56(%r11)\n"                        \
      "  jmp " name "\n"                               \
      "  .cfi_endproc\n"                               \
      ".size __" name ", .-__" name "\n");

// A hash of the current thread's registers and stack where it called for the operation under way; 0: not known.
std::uint64_t local_state();
// The main thread has called for an operation: notes where the frames of the program begin.
void note_frame_of_main();
// Somebody may be waiting in a loop, in some execution so far.
extern bool spinning_suspected;
void suspect_spinning();
// Zeroes the stack below the caller's frame.
extern "C" void heddle_clear_below();
inline void leave_nothing_behind() {
  if (spinning_suspected) [[unlikely]]
    heddle_clear_below();
}

// The current thread is about to do an operation that may change nothing. Does not return if it spins.
void check_spinning(const Step& step);
// The operation is done.
void note_effect(const Step& step);
// A loop at this place was seen to spin.
void learn_spin_site(const void* pc);
// The current thread is about to do more operations than the bound allows. Returns if it shall go on for a moment.
void exceed_step_bound();
// Would a thread that was stopped as spinning go on spinning in the present state?
bool spins_for_ever(const Thread& thread);

}  // namespace heddle::native
