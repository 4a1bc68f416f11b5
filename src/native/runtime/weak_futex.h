// Futexes under a memory model.
//
// Whoever sleeps compares a word and queues up, all at once, and that "all at once" is about two things: the word,
// whose stores have an order of their own and may be read late, and the queue. The kernel does both under a lock of the
// queue, and so is it here: sleeping is waiting at a condition variable with that lock as its mutex, but without taking
// it again, and waking is a signal under the lock. Who comes after a wake-up has the lock from who woke, so it finds
// what that one stored.
//
// (Under sequential consistency the word's own order is enough, and each of these is one step: system_calls.cpp.)
#pragma once

#include "native/runtime/spurious.h"

namespace heddle::runtime {

long wait_at_futex(const volatile std::uint32_t* word, std::uint32_t expected, bool timed, const void* pc);
// How many were woken.
long wake_one_at_futex(const volatile std::uint32_t* word, const void* pc);
long wake_all_at_futex(const volatile std::uint32_t* word, const void* pc);

}  // namespace heddle::runtime
