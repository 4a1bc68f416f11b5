// What happens before main (start.cpp).
#pragma once

namespace heddle::runtime {

// A global constructor is about to start a thread: the program is started again with its constructors under control.
// Returns if that is not so, or has been done.
void control_constructors();

}  // namespace heddle::runtime
