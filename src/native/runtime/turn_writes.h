// Plain writes of turns of waiting loops (spinning.h, turns.h).
//
// A turn may write to plain memory if all is back at its end: the writes are logged, with what was there before. But
// then it can be struck out only if nobody has seen meanwhile what it had written. As a rule nobody can, who does not
// hold the same lock; but a turn may write under one lock and write back under another one, and who takes both in
// between sees it.
//
// So while there are such logs, accesses of other threads to their places are looked at: one that finds the place
// changed, or writes to it before the thread itself does again, has seen the turn. Accesses that race with nothing are
// ordered with the writes before and after them by what happens in between, so all equivalent executions agree about it
// (the same question asked of steps, not of places, would depend on the order of independent ones); accesses that race
// are steps.
//
// What a thread writes to its own stack is part of how it stands, and compared with that; but others may have seen it.
#pragma once

#include <vector>

#include "native/runtime/turns.h"

namespace heddle::runtime {

// Is what the current thread has written since the visit as it was, or freed, and has nobody seen it meanwhile?
bool written_back_since(const Turns& own, const Turns::Visit& v);
bool written_back(const Spin& spin);
// What has changed since the visit may be counters, if nobody else has looked at them: where they are, and by how much
// they have changed, all in one number. kNoCounters: something is not as it was and may be none.
struct Counter {
  std::uintptr_t address = 0;
  std::size_t size = 0;
};
inline constexpr std::uint64_t kNoCounters = ~std::uint64_t{0};
std::uint64_t counted_in_memory(const Turns& own, const Turns::Visit& v, std::vector<Counter>& counters);
// Is everything as it was at the visit but for these?
bool written_back_but_for(const std::vector<Counter>& counters, const Turns& own, const Turns::Visit& v);

// Most accesses are to places that no other thread has written to so. The threads that ever have, by a hash of the
// granule, thread t as bit t % 64.
extern std::uint64_t writers[64];
inline std::uint64_t& writers_of(std::uintptr_t granule) { return writers[granule * 0x9e3779b97f4a7c15 >> 58]; }
template <class F>
void for_writers(std::uintptr_t address, std::size_t size, F&& f) {
  for (std::uintptr_t granule = address >> 3; granule <= (address + size - 1) >> 3; ++granule) f(writers_of(granule));
}
inline std::uint64_t bit_of(ThreadId t) { return std::uint64_t{1} << (t.index() % 64); }

// These may have written to what the current thread accesses.
void note_seen_of(std::uint64_t threads, std::uintptr_t address, std::size_t size, bool write);
// The current thread is about to access plain memory, or has accessed it by an atomic operation.
inline void note_seen(std::uintptr_t address, std::size_t size, bool write) {
  std::uint64_t others = 0;
  for_writers(address, size, [&](std::uint64_t threads) { others |= threads; });
  if (rt.threads <= 64) others &= ~bit_of(rt.current);
  if (others != 0) note_seen_of(others, address, size, write);
}

std::uint64_t hash_of_write(const LoggedWrite& w);

}  // namespace heddle::runtime
