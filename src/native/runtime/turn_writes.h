// Plain writes of turns of waiting loops (spinning.h, turns.h).
//
// A turn may write to plain memory if all is back at its end: the writes are logged, with what was there before. But then it
// can be struck out only if nobody has seen meanwhile what it had written. As a rule nobody can, who does not hold the same
// lock; but a turn may write under one lock and write back under another one, and who takes both in between sees it.
//
// So while there are such logs, accesses of other threads to their places are looked at: one that finds the place
// changed, or writes to it before the thread itself does again, has seen the turn. Accesses that race with nothing are
// ordered with the writes before and after them by what happens in between, so all equivalent executions agree about it
// (the same question asked of steps, not of places, would depend on the order of independent ones); accesses that race are
// steps.
//
// What a thread writes to its own stack is part of how it stands, and compared with that; but others may have seen it.
#pragma once

#include "native/runtime/turns.h"

namespace heddle::native {

// Is what the thread has written since the visit as it was, and has nobody seen it meanwhile?
bool written_back_since(const Turns& own, const Turns::Visit& v);
bool written_back(const Spin& spin);

// Somebody must be told of accesses: those below, or watch_ways (turns.h).
extern bool accesses_watched;
// The current thread is about to access plain memory, or has accessed it by an atomic operation.
void note_seen(std::uintptr_t address, std::size_t size, bool write);

std::uint64_t hash_of_write(const LoggedWrite& w);

}  // namespace heddle::native
