// std::atomic::wait and notify under a memory model, and std::latch, std::barrier and std::counting_semaphore, which
// are built on them (include/heddle/std/bits/atomic_wait.h).
//
// [atomics.wait] lets a waiting thread wake up for no reason, and it looks again then. So with regard to what it finds
// a wait is a loop that looks, and is explored as one (turns.h). What a loop does not show is that a thread may sleep
// on: it has found X, something newer has been stored since, and nobody wakes it. By the standard a call to notify is
// sure to wake it if a store Y that is newer than X happens before that call. So the execution in which the thread has
// looked too early, which a loop leaves behind as void, is a deadlock if there is no such call in it.
//
// notify_one is sure to wake one of those who wait, and which one is left open. So where others wait for the object,
// too, a thread sleeps on if each call that might have woken it may have woken another one: one that looked earlier at
// a store older than what it found in the end, and that can have been asleep when the call was made. (Who is woken is
// taken to find what happens before the call: the standard does not say so, but it is so wherever threads can be
// woken.) The looks of such a thread are no steps, as they were in vain; that they are possible follows from the graph:
// nothing newer may happen before its call of wait.
//
// What the library makes of it is not looked at: libstdc++ 12 skips the system call if it finds no one registered, and
// reads that without a fence behind the program's store. On x86, and by the rules of C++, a release store and a notify
// can so leave a thread asleep.
#pragma once

#include <vector>

#include "trace/execution.h"

namespace heddle::runtime {

// Does this thread wait for that object, and is no call sure to wake it, as these steps stored what is newer than what
// it has found?
bool stays_asleep(ThreadId thread, ObjectId object, const std::vector<EventIndex>& newer);
// Does it wait for an atomic object?
bool waits_for_notification(ThreadId thread);

}  // namespace heddle::runtime
