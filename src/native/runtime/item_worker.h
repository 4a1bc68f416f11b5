// One of several explorers of a search (src/dist): explores parts of it as they are sent, and answers.
#pragma once

#include "native/protocol/item_messages.h"
#include "native/runtime/properties.h"

namespace heddle::runtime {

// From now on numbers come from whoever listens on this socket. Before anything has a number.
void ask_for_numbers(int socket);
// ... or from this book, which is what several explorers knew together.
void use_numbers(const protocol::Numbers& numbers);
// Makes what the executions of these findings speak of known here, by its number.
void adopt_numbers(const protocol::Numbers& numbers, const std::vector<explore::Finding>& findings);

// Until whoever keeps the search closes the socket.
[[noreturn]] void explore_items(NativeProgram& program, Watch& watch, const explore::StrategyOptions& strategy);

}  // namespace heddle::runtime
