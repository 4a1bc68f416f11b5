// Crashes of the program, and the write faults by which the world learns its hot pages.
#pragma once

namespace heddle::native {

void install_signal_handlers();

}  // namespace heddle::native
