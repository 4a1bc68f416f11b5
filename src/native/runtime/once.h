#pragma once

namespace heddle::runtime {

// pthread_once and C11 call_once.
int run_once_only(void* control, void (*function)(), const void* pc);

}  // namespace heddle::runtime
