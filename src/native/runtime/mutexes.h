// Mutexes, as the C and C++ front doors use them. State lives in the program's own pthread_mutex_t, so it is
// rewound with it.
#pragma once

#include <pthread.h>

namespace heddle::runtime {

int lock_mutex(pthread_mutex_t* mutex, const void* pc);
int try_lock_mutex(pthread_mutex_t* mutex, int busy, const void* pc);
int unlock_mutex(pthread_mutex_t* mutex, const void* pc);
// For condition variables: gives the mutex up entirely, however often it is held, and takes it back.
unsigned release_for_wait(pthread_mutex_t* mutex, bool timed, const void* pc);
void reacquire_after_wait(pthread_mutex_t* mutex, unsigned count, const void* pc);
// The current thread ends: whoever locks a robust mutex of its next is told.
void release_robust_mutexes(const void* pc);
// The first part for a thread that is no waiter.
unsigned give_up_mutex(pthread_mutex_t* mutex, const void* pc);
// A wait that is left at once.
void release_and_reacquire(pthread_mutex_t* mutex, const void* pc);
bool holds_mutex(const pthread_mutex_t* mutex);

}  // namespace heddle::runtime
