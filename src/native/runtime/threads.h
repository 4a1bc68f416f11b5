#pragma once

#include <pthread.h>

#include "native/runtime/runtime.h"

namespace heddle::runtime {

// Whose handle it is in this execution, or kNoThread.
ThreadId thread_of(pthread_t handle);

// pthread_create and thrd_create.
int spawn(pthread_t* handle, bool detached, void* (*function)(void*), void* argument, const void* pc);
// pthread_join and thrd_join; `only_tries`: the thread would be as content to hear that the other one still runs.
int join(pthread_t handle, void** result, const void* pc, bool only_tries = false);

// Tears the current thread down: thread_local objects, thread-specific data.
[[noreturn]] void finish_thread();

void clear_thread_keys(Thread& thread);
std::size_t keys_in_use();  // one past the highest

}  // namespace heddle::runtime
