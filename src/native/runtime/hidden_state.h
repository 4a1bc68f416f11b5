#pragma once

namespace heddle::runtime {

// Where functions of the C library keep what they return (hidden_state.cpp).
void find_hidden_buffers();

}  // namespace heddle::runtime
