#include "native/runtime/turn_writes.h"

#include <algorithm>
#include <bit>

#include "base/random.h"
#include "native/runtime/heap.h"
#include "native/runtime/object_state.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/spinning.h"

namespace heddle::runtime {

constinit std::uint64_t writers[64] = {};

namespace {

bool covers(const LoggedWrite& w, std::uintptr_t address, std::size_t size) {
  return w.address <= address && address + size <= w.address + w.size;
}

bool overlaps(const LoggedWrite& w, std::uintptr_t address, std::size_t size) {
  return w.address < address + size && address < w.address + w.size;
}

bool is_as_before(const LoggedWrite& w) { return value_at(w.address, w.size) == w.before; }

// What was freed is nobody's.
bool is_freed(const LoggedWrite& w) {
  return Heap::contains(reinterpret_cast<const void*>(w.address)) && !heap.accessible(w.address, w.size);
}

bool is_back(const LoggedWrite& w) { return !w.seen && (w.on_stack || is_as_before(w) || is_freed(w)); }

LoggedWrite logged(std::uintptr_t address, std::size_t size, bool on_stack) {
  return {address, value_at(address, size), static_cast<std::uint32_t>(size), on_stack};
}

// Another thread accesses these bytes.
void note_seen_in(LoggedWrite* log, std::size_t writes, std::uintptr_t address, std::size_t size, bool write) {
  for (LoggedWrite* w = log; w != log + writes; ++w) {
    if (!overlaps(*w, address, size)) continue;
    if (!is_as_before(*w))
      w->seen = true;
    else if (write)
      w->overwritten = true;
  }
}

void note_seen_of(Thread& thread, Turns& theirs, std::uintptr_t address, std::size_t size, bool write) {
  if (thread.status == ThreadStatus::kEnded) return;  // it makes no turns
  note_seen_in(theirs.write, theirs.writes, address, size, write);
  note_seen_in(thread.spin.write, thread.spin.writes, address, size, write);
  if (!thread.stack.contains(address)) return;
  if (theirs.more_on_stack) theirs.forget();
  if (thread.spin.wrote_stack) thread.spin.forget();
}

// The thread itself writes to them again: struck out, that would be missed by who has written before.
void note_again(LoggedWrite* log, std::size_t writes, std::uintptr_t address, std::size_t size) {
  for (LoggedWrite* w = log; w != log + writes; ++w)
    if (w->overwritten && overlaps(*w, address, size)) w->seen = true;
}

// Room for one more, by forgetting the oldest visits and what was written before the oldest that is left.
bool make_room(Turns& own) {
  if (own.writes < Turns::kWrites) return true;
  const auto needs_less = [](const Turns::Visit& v) { return v.writes > 0; };
  Turns::Visit* const end = own.visit + own.visits;
  Turns::Visit* const oldest = std::find_if(own.visit, end, needs_less);
  if (oldest == end) return false;
  own.visits = static_cast<std::uint32_t>(std::move(oldest, end, own.visit) - own.visit);
  const std::uint32_t unneeded = own.visit[0].writes;
  std::move(own.write + unneeded, own.write + own.writes, own.write);
  own.writes -= unneeded;
  for (std::size_t i = 0; i < own.visits; ++i) own.visit[i].writes -= unneeded;
  return true;
}

// False: there is no room.
bool log_piece(Turns& own, std::uintptr_t address, std::size_t size, bool on_stack) {
  const LoggedWrite* const end = own.write + own.writes;
  if (std::any_of(static_cast<const LoggedWrite*>(own.write) + own.visit[own.visits - 1].writes, end,
                  [&](const LoggedWrite& w) { return covers(w, address, size); }))
    return true;
  const auto is_on_stack = [](const LoggedWrite& w) { return w.on_stack; };
  if (on_stack && std::count_if(static_cast<const LoggedWrite*>(own.write), end, is_on_stack) >=
                      static_cast<std::ptrdiff_t>(Turns::kWritesToStack))
    return false;
  if (!make_room(own)) return false;
  own.write[own.writes++] = logged(address, size, on_stack);
  return true;
}

void log_in_turns(Turns& own, std::uintptr_t address, std::size_t size, bool on_stack) {
  note_again(own.write, own.writes, address, size);
  while (size > 0) {
    const std::size_t piece = std::min<std::size_t>(size, 8);
    if (!log_piece(own, address, piece, on_stack)) {
      if (!on_stack) return own.forget();
      own.more_on_stack = true;
      return;
    }
    address += piece;
    size -= piece;
  }
}

void log_between_operations(Spin& spin, std::uintptr_t address, std::size_t size) {
  note_again(spin.write, spin.writes, address, size);
  for (std::size_t i = 0; i < spin.writes; ++i)
    if (spin.write[i].address == address && spin.write[i].size >= size) return;
  if (size > sizeof(LoggedWrite::before) || spin.writes == Spin::kWrites)
    return spin.forget();  // nothing to come back to
  spin.write[spin.writes++] = logged(address, size, false);
}

}  // namespace

bool written_back(const Spin& spin) { return std::all_of(spin.write, spin.write + spin.writes, is_back); }

namespace {

// Does f hold for all places that are not as they were at the visit? What was there then is what was there before the
// first write since, which f is given.
template <class F>
bool for_changed_since(const Turns& own, const Turns::Visit& v, F&& f) {
  if (rt.self().spin.blocks != v.blocks) return false;
  const LoggedWrite* const first = own.write + v.writes;
  for (const LoggedWrite* w = first; w != own.write + own.writes; ++w)
    if (!is_back(*w) && std::none_of(first, w, [&](const LoggedWrite& e) { return covers(e, w->address, w->size); }) &&
        !f(*w))
      return false;
  return true;
}

}  // namespace

bool written_back_since(const Turns& own, const Turns::Visit& v) {
  return for_changed_since(own, v, [](const LoggedWrite&) { return false; });
}

std::uint64_t counted_in_memory(const Turns& own, const Turns::Visit& v, std::vector<Counter>& counters) {
  std::uint64_t by = 0;
  counters.clear();
  const bool counts = for_changed_since(own, v, [&](const LoggedWrite& w) {
    by = combine(combine(by, w.address), value_at(w.address, w.size) - w.before);
    counters.push_back({w.address, w.size});
    return !w.seen;
  });
  return counts ? by : kNoCounters;
}

bool written_back_but_for(const std::vector<Counter>& counters, const Turns& own, const Turns::Visit& v) {
  return for_changed_since(own, v, [&](const LoggedWrite& w) {
    return !w.seen && std::any_of(counters.begin(), counters.end(),
                                  [&](const Counter& c) { return c.address == w.address && c.size == w.size; });
  });
}

void note_plain_write(std::uintptr_t address, std::size_t size) {
  Spin& spin = rt.self().spin;
  const bool on_stack = rt.self().stack.contains(address);
  if (on_stack && !heddle_spinning_suspected) return;
  // A lock made by hand may be taken by an atomic operation and given back by a plain store, which is no step as long
  // as it races with nobody: a turn would seem to take without giving back.
  if (!on_stack && changes_in_passing_watched() && (shadow.at(address).flags & kAtomicAccess) != 0)
    make_polled_visible(address, size);
  if (rt.threads > 1 && any_visible(address, size)) return;  // a step of its own
  if (Turns& own = turns[rt.current.index()]; own.visits > 0) log_in_turns(own, address, size, on_stack);
  for_writers(address, size, [](std::uint64_t& threads) { threads |= bit_of(rt.current); });
  if (heddle_spinning_suspected) rt.accesses_watched = true;
  if (on_stack)
    spin.wrote_stack = true;
  else
    log_between_operations(spin, address, size);
}

void note_seen_of(std::uint64_t threads, std::uintptr_t address, std::size_t size, bool write) {
  for (; threads != 0; threads &= threads - 1)
    for (std::size_t t = static_cast<std::size_t>(std::countr_zero(threads)); t < rt.threads; t += 64)
      if (t != rt.current.index()) note_seen_of(rt.thread[t], turns[t], address, size, write);
}

std::uint64_t hash_of_write(const LoggedWrite& w) {
  std::uint64_t hash = combine(w.address, w.before);
  return combine(combine(hash, w.size), (w.seen ? 1u : 0u) + (w.overwritten ? 2u : 0u));
}

}  // namespace heddle::runtime
