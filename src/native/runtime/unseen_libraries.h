#pragma once

namespace heddle::native {

// From now on the first call of each function of a library that is not instrumented is noted (unseen_libraries.cpp).
void watch_unseen_libraries();

}  // namespace heddle::native
