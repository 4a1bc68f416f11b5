// Loops that wait by looking again and again (trace/turn.h), found in running machine code.
//
// When a thread comes back to the same operation with the same local state - registers and stack, byte for byte - and
// its steps in between have changed nothing, it has made a turn in vain and is stopped. What its plain writes have
// changed in between must be back as well: `cache = tail.load()` mostly writes what is there.
//
// The states at the last few operations are kept, so a loop is found whatever else is called in it, and however many
// operations a turn has. To take one costs more than most operations, so that begins with the second time a thread
// comes to a place, but for places where loops were seen to spin before: there it is taken from the first turn on.
// Learning such a place changes what is explored, so the search begins again.
//
// A loop that counts its turns has another local state every time. If it only looks and counts - the state changes by
// the same amount with every turn - it is the same wait with an end: after eight turns the thread hurries on to where
// it gives up, and its looks are no steps. What is left out is at which of the later turns it finds what it looks for,
// and so what the counter is then; unless nobody looks at that, the verdict says so. A turn that writes something else
// ends the hurry. A loop that does not give up for very long is taken for one that never does; but a livelock that
// relies on that is not told, and the search is not complete.
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
// through are stubs that note them: eight stores. Elsewhere (locks, plain memory) they are unwound.
//
// A turn that sets an atomic object and sets it back - a lock made by hand - is one in vain, too. Most threads that
// change atomic objects do not wait, and to look at what they did before would cost all of them. So that is done from
// when a thread has come to the step bound, or to the head of a loop several times in the same way; the search begins
// again then.
//
// A loop that does change something - `for (;;) ++x;` - is ended by the step bound. The bound is there for the others:
// a thread that keeps nobody waiting has a hundred times as many steps.
//
// All of that is for loops in code that is not instrumented by Heddle's pass. Where it is, the heads of loops are
// marked and what is alive there is handed over, and neither the code generator nor the level of optimisation has a
// say in what a turn is (turns.h). What is here begins with the first suspicion, and ends at the first mark on the way
// round.
//
// Plain memory. `while (!flag) {}` on memory that is no atomic object has no visible operation, and nobody else would
// ever run. When the clock says that a thread has not come to one for a while, its plain accesses are watched, and if
// it goes round in the same way, what it reads there becomes visible, as if it had raced; mostly it does.
#pragma once

#include <vector>

#include "native/runtime/runtime.h"
#include "trace/turn.h"

namespace heddle::runtime {

// The program's frame at a call: where it goes on, its stack pointer and the registers it keeps across the call (the
// others are dead).
struct CallingFrame {
  const void* pc;
  std::uint64_t stack_pointer;  // after the return
  std::uint64_t registers[6];   // rbx, rbp, r12 .. r15
};
extern "C" CallingFrame heddle_calling_frame;  // of the last call through a stub

// Defines the entry "__" name: it notes the frame and goes on in the function `name`.
#define NOTING_ENTRY(name)                        \
  asm(".text\n.p2align 4\n"                       \
      ".globl __" name                            \
      "\n"                                        \
      ".type __" name                             \
      ", @function\n"                             \
      "__" name                                   \
      ":\n"                                       \
      "  .cfi_startproc\n"                        \
      "  movq (%rsp), %rax\n"                     \
      "  leaq heddle_calling_frame(%rip), %r11\n" \
      "  movq %rax, (%r11)\n"                     \
      "  leaq 8(%rsp), %rax\n"                    \
      "  movq %rax, 8(%r11)\n"                    \
      "  movq %rbx, 16(%r11)\n"                   \
      "  movq %rbp, 24(%r11)\n"                   \
      "  movq %r12, 32(%r11)\n"                   \
      "  movq %r13, 40(%r11)\n"                   \
      "  movq %r14, 48(%r11)\n"                   \
      "  movq %r15, 56(%r11)\n"                   \
      "  jmp " name                               \
      "\n"                                        \
      "  .cfi_endproc\n"                          \
      ".size __" name ", .-__" name "\n");

// How a thread stands: a hash of some words, and their sum, each with a weight of its own. If every word changes by the
// same amount with every turn of a loop, so does the sum.
struct Standing {
  std::uint64_t hash = 1;  // 0: not known
  std::uint64_t sum = 0;
  std::uint64_t weight = 1;

  void add(std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull + (hash >> 29);
    sum += word * weight;
    weight = weight * 0xd1342543de82ef95ull + 2;  // odd, and different for each
  }
};

// Stacks deeper than this are not compared: no spin loop, and hashing would cost.
inline constexpr std::size_t kDeepest = 16 * 1024;
// The same for the frames of who has called a function with a marked loop, buffers among them (turns.h).
inline constexpr std::size_t kDeepestCallers = 256 * 1024;
// A hash of the current thread's registers and stack where it called for the operation under way; 0: not known.
std::uint64_t local_state();
// The main thread has called for an operation: notes where the frames of the program begin.
void note_frame_of_main();
// Somebody may be waiting in a loop, in some execution so far. The marks of loops are heard from then on (turns.h).
extern "C" bool heddle_spinning_suspected;
void suspect_spinning();
// Zeroes the stack below the caller's frame.
extern "C" void heddle_clear_below();
inline void leave_nothing_behind() {
  if (heddle_spinning_suspected) [[unlikely]]
    heddle_clear_below();
}

// The current thread is about to do an operation with which a turn of a waiting loop may begin. Does not return if one
// has been made in vain.
void check_spinning(const Step& step);
// The same for both kinds of loops. A turn that began with step `first` was in vain; what it looked at is in the list.
std::vector<trace::Look>& looks_of_turn();
struct Counter;
std::vector<Counter>& counters_of_turn();  // in memory, of the loop that is then hurried through (turn_writes.h)
[[noreturn]] void stop_in_loop(EventIndex first);
// A loop that counts and has no more turns than this is explored turn by turn; then the thread hurries to its end.
inline constexpr std::uint32_t kFewTurns = 8;
struct Hurrying {
  const void* pc = nullptr;     // where a turn begins
  EventIndex first = 0;         // its last turn that has steps
  std::uint64_t state = 0;      // how the thread stands; 0: not known
  bool at_mark = false;         // of a loop (turns.h)
  bool counter_matters = true;  // somebody may look at how often it has looked
  bool in_memory = false;       // it has counters there (counters_of_turn)
};
void begin_hurry(const Hurrying& how);
// The same for a loop of which no turn differs from another one but in what the clock says.
void hurry_by_the_clock(const Hurrying& how);
// Meanwhile it enters a loop. Does a mark belong to the loop that it hurries through, or to one that it has entered
// since?
void enter_in_a_hurry(std::uint64_t loop);
bool is_inside_hurry(const void* mark, std::uint64_t loop);
// The thread hurries and comes to where a turn begins. False: it does not hurry any more.
bool count_hurried_turn(const void* place, std::uint64_t state);
// The thread hurries through a loop and comes to an operation. Is it one of the loop's looks, to be done without a
// step? `change_in_vain`: a write or an update that would leave what it finds.
bool look_in_a_hurry(const Step& step, bool change_in_vain);
// Nobody can go on: threads that are blocked in waiting loops are so for ever.
void note_blocked_in_loops();
// The operation is done.
void note_effect(const Step& step);
// A plain write is about to happen (turn_writes.h).
void note_plain_write(std::uintptr_t address, std::size_t size);
// The runtime is about to change something that it keeps for the program: how often a mutex is held, a thread's own
// value.
template <class T>
void note_kept(const T& kept) {
  if (controlled() && rt.self().spin.unchanged) note_plain_write(reinterpret_cast<std::uintptr_t>(&kept), sizeof kept);
}
// The current thread changes what the kernel or the C library keeps for it. A loop that reads a file is no repetition
// of itself: one day it comes to the end.
inline void note_hidden_change() {
  if (controlled()) rt.self().spin.unchanged = false;
}
// A loop at this place was seen to spin.
void learn_spin_site(const void* pc);
bool is_spin_site(const void* pc);
// A thread was seen to go on for long.
void learn_long_loop();
bool changes_in_passing_watched();  // was one?
// The current thread is about to do more operations than the bound allows. Returns if it shall go on.
void exceed_step_bound();

// --- plain memory (plain_loops.cpp) ---

// The current thread has not come to a visible operation for some time.
void suspect_plain_loop();
// A plain access while that is so (Runtime::plain_loop_suspected).
void watch_plain_loop(std::uintptr_t address, std::size_t size, bool write, const void* pc);

}  // namespace heddle::runtime
