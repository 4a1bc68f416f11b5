// Numbers of objects, threads and positions that mean the same in several processes of one search.
//
// A process numbers what it meets in the order of first use. While several explore together, a number for something
// new comes from a place that all of them ask: a table in memory that they have mapped, if they are copies of one
// process and search execution graphs, or else a book that somebody keeps (native/protocol/number_book.h). Each keeps
// its own copy of what it has met, so it asks once per thing. Numbers that only others have met are gaps.
#pragma once

#include <cstdint>
#include <optional>

#include "native/protocol/number_book.h"

namespace heddle::runtime {

// Before the processes are forked: from now on numbers come from the table.
void share_ids();
// In the process that forked them, when they have ended: their numbers become its own.
void adopt_shared_ids();

// From now on, and for ever: whoever keeps the book, asked by this function.
using NumberSource = std::uint32_t (*)(const protocol::Numbered&);
void take_ids_from(NumberSource source);

bool ids_are_shared();
// `life`: which of those that were at its place in one execution (weak_memory.h).
std::uint32_t shared_object(std::uint64_t address, std::uint32_t size, protocol::ObjectKind kind,
                            std::uint32_t life = 0);
std::uint32_t shared_thread(ThreadId parent, std::uint32_t ordinal);
// Whole call stacks have shared numbers only in a book. Nothing: the position gets one of this process.
std::optional<std::uint32_t> shared_position(const protocol::Position& position);

}  // namespace heddle::runtime
