// What a program does that is not modelled. It is done, and the result says where it was and is not called exhausted.
#pragma once

#include <vector>

#include "native/protocol/messages.h"

namespace heddle::runtime {

// `text` is a constant of the executable.
void note_unmodelled(const void* pc, const char* text);
void add_unmodelled(std::vector<protocol::LeftOpen>& left_open);

}  // namespace heddle::runtime
