// What one thread asks of another: to end (pthread_cancel), or to handle a signal (pthread_kill).
//
// Requests lie in a box of the thread that they are for, and that is a semaphore to the engine: to ask is a post, to
// look is to try until there is nothing left, to wait for a request is a wait. So when a request comes, between which
// two steps of its thread, is explored by every algorithm as the order of a post and of tries is.
//
// When a thread looks. A cancellation is acted upon at cancellation points, a signal before any operation of the
// thread: in between it does nothing that others see. Threads that nobody asks for anything have no steps of that kind:
// which are asked is learnt when the first request is made, and the search begins again (LearntKind::kAsked).
//
// A thread that is blocked looks no more, and need not: that it waits for a lock, a semaphore or the end of a thread is
// seen by nobody, so to be interrupted there is to come there later, after the request. An execution in which it looked
// too early and is blocked for good beside a request is void: the one in which it comes later is real. Who waits on a
// condition variable or a futex is seen, because wake-ups reach him. Whether he is interrupted there is a choice
// in advance, as with spurious wake-ups: 0 waits and is not, 1 waits for a request and nothing else; if none comes, the
// execution is void again. Both answers are allowed whenever both happen: POSIX leaves open whether a request or a
// wake-up that came first is acted upon.
#pragma once

#include "native/runtime/runtime.h"

namespace heddle::runtime {

inline constexpr std::uint8_t kCancellation = 0;  // other requests are numbers of signals

void ask(ThreadId whom, std::uint8_t request, const void* pc);
// The thread is asked for such things (LearntKind::kAsked).
void learn_asked(ThreadId whom, bool signal);
void learn_asked(std::uint64_t number);

// Before an operation of the current thread, and before its end (kTerminate), if anybody is sent signals.
void look_before(OpKind kind, const void* pc);

// A function that POSIX calls a cancellation point is entered. True: a handler has run, and the function shall return
// as one that is interrupted; the second kind of function goes on if the handler was set up so (SA_RESTART).
enum class Interrupted : std::uint8_t { kNever, kAlways, kUnlessRestarted };
bool enter_cancellation_point(const void* pc, Interrupted rule);
inline bool cancellation_point(const void* pc, Interrupted rule = Interrupted::kNever) {
  return rt.asked != 0 && enter_cancellation_point(pc, rule);
}
// The blocking part of it is over.
inline void leave_cancellation_point() {
  if (rt.asked != 0) rt.self().cancellable = false;
}

// The current thread is about to wait where wake-ups reach it. True: it shall wait for a request instead.
bool chooses_to_be_asked(const void* pc, bool cancellable);
void await_request(const void* pc, bool only_if_asked);
// It waits where wake-ups reach it, and is not interrupted: said, if it could be.
void note_uninterruptible(const void* pc);
// Acts upon a cancellation that was taken, if the thread is not protected from it.
void act_on_cancellation(const void* pc);

// Takes all that the current thread is asked for; false: nothing.
bool look_for_requests(const void* pc);

// The current execution has come to an end with this thread waiting. Would it be asked for something it acts upon?
bool would_be_asked(const Thread& thread, ThreadId t);
void forget_requests_to(ThreadId t);
std::size_t thread_of_box(std::uint64_t address);

}  // namespace heddle::runtime
