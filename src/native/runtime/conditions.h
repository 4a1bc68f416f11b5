#pragma once

#include <pthread.h>

#include "native/runtime/spurious.h"
#include "native/runtime/virtual_time.h"

namespace heddle::runtime {

// Without a deadline: until woken.
int wait_on_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, const Deadline* deadline, const Call& call);
int signal_condition(pthread_cond_t* condition, const void* pc);
int broadcast_condition(pthread_cond_t* condition, const void* pc);

}  // namespace heddle::runtime
