#pragma once

namespace heddle::native {

// From now on calls of libraries that are not instrumented are noted, and taken to order what they are given
// (unseen_libraries.cpp).
void watch_unseen_libraries();
// The current thread has waited in the kernel, perhaps inside such a library.
void go_on_in_unseen_library();

}  // namespace heddle::native
