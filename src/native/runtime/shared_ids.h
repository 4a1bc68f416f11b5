// Numbers of objects, threads and positions that mean the same in several processes of one search.
//
// A process numbers what it meets in the order of first use. While several explore together, a number for something
// new comes from a table in memory that all of them have mapped; each keeps its own copy of what it has met, so the
// table is asked once per thing and process. Numbers that only others have met are gaps.
#pragma once

#include <cstdint>

#include "native/protocol/messages.h"

namespace heddle::native {

// Before the processes are forked: from now on numbers come from the table.
void share_ids();
// In the process that forked them, when they have ended: their numbers become its own.
void adopt_shared_ids();

bool ids_are_shared();
// `life`: which of those that were at its place in one execution (weak_memory.h).
std::uint32_t shared_object(std::uint64_t address, std::uint32_t size, ObjectKind kind, std::uint32_t life = 0);
std::uint32_t shared_thread(ThreadId parent, std::uint32_t ordinal);
std::uint32_t shared_position(std::uint64_t pc);

}  // namespace heddle::native
