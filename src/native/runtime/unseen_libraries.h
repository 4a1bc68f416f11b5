#pragma once

namespace heddle::runtime {

// From now on calls of libraries that are not instrumented are noted, and taken to order what they are given
// (unseen_libraries.cpp).
void watch_unseen_libraries();
// Is this an address in one of them? What it writes between its calls is not seen.
bool is_unseen_code(const void* pc);
// Has one been called while there were several threads, in any execution so far?
bool unseen_code_was_called();
// The current thread, called at `pc`, has waited in the kernel, perhaps inside such a library.
void go_on_in_unseen_library(const void* pc);
// There are such libraries.
extern "C" bool heddle_unseen_libraries;

}  // namespace heddle::runtime
