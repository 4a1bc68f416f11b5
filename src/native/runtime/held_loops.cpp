// Loops that are entered with a lock and give it away in each turn, for a moment or to wait for a time (turns.h).
//
// A turn of such a loop is from where the thread is about to take the lock again to where it is so the next time. There
// it stands in the middle of some call, and its registers and frames are full of what nobody needs any more, deadlines
// among it. But how it stands there follows from how it stood at the head and from what it has seen on the way: what
// its steps have found, and what it has read from plain memory, which others may change while they have the lock. If
// all of that was the same on two ways, so is the rest. (Of its own stack, what is read most and full of deadlines, it
// is enough that nobody else has written there.)
//
// Turns that others have seen are compared in the same way, step by step, with the turn before: as long as a thread has
// seen the same in both, it stands where it stood then.
#include <string.h>

#include <algorithm>

#include "base/random.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/spinning.h"
#include "native/runtime/turn_writes.h"
#include "native/runtime/virtual_time.h"
#include "trace/turn.h"

namespace heddle::runtime {

namespace {

// Calls f for each of the current thread's steps since `first`.
template <class F>
void for_own_steps(EventIndex first, F&& f) {
  const auto& steps = rt.execution->steps;
  for (EventIndex i = first; i < steps.size(); ++i)
    if (steps[i].thread == rt.current) f(steps[i]);
}

// Has the thread given it away since, and had it before?
bool given_away_since(EventIndex head, ObjectId lock) {
  bool first = true, given = false;
  for_own_steps(head, [&](const Step& step) {
    if (step.op.object != lock) return;
    if (first) given = is_release(step.op.kind);
    first = false;
  });
  return given;
}

bool same_steps(const Turns::Way& a, const Turns::Way& b) {
  const auto& steps = rt.execution->steps;
  EventIndex i = a.head;
  bool same = true;
  for_own_steps(b.head, [&](const Step& step) {
    while (i < a.lock && steps[i].thread != rt.current) ++i;
    same =
        same && i < a.lock && steps[i].op == step.op && steps[i].where == step.where && steps[i].choice == step.choice;
    ++i;
  });
  while (i < a.lock && steps[i].thread != rt.current) ++i;
  return same && i >= a.lock;
}

// The current thread's last turn, if it was kept as a round trip.
trace::RoundTrip* trip_until(EventIndex head) {
  auto& trips = rt.execution->round_trips;
  const auto it = std::find_if(trips.rbegin(), trips.rend(),
                               [&](const trace::RoundTrip& x) { return x.thread == rt.current && x.end == head; });
  return it == trips.rend() ? nullptr : &*it;
}

std::uint64_t hash_at(std::uint64_t hash, std::uintptr_t address, std::size_t size) {
  hash = combine(hash, address);
  for (std::size_t piece; size > 0; address += piece, size -= piece) {
    piece = std::min<std::size_t>(size, 8);
    std::uint64_t word = 0;
    memcpy(&word, reinterpret_cast<const void*>(address), piece);
    hash = combine(hash, word);
  }
  return hash;
}

}  // namespace

void begin_way(Turns& own, const Turns::Visit& head, bool again) {
  known_steps.cannot_tell();
  rt.accesses_watched = rt.ways_watched = true;
  const trace::RoundTrip* const trip = trip_until(rt.conductor.position());
  own.follows = trip != nullptr && own.under_way && trip->first == own.way.head;
  own.steps_before = own.follows ? own.way.steps : 0;
  std::copy(own.way.seen, own.way.seen + own.steps_before, own.before);
  own.under_way = true;
  own.again = again;
  own.way = {};
  own.way.loop = head.loop;
  own.way.frame = head.frame;
  own.way.state = head.state;
  own.way.intrusions = own.intrusions;
  own.way.head = rt.conductor.position();
}

void end_way(Turns& own, const Step& step) {
  Turns::Way& way = own.way;
  const Turns::Way& last = own.last_way;
  if (!given_away_since(way.head, step.op.object)) return;
  own.under_way = false;
  way.lock = rt.conductor.position();
  way.clock = rt.self().looks_at_clock;
  way.known = true;
  const bool same = last.known && own.again && last.loop == way.loop && last.frame == way.frame &&
                    last.state == way.state && last.reads == way.reads && last.intrusions == own.intrusions &&
                    same_steps(last, way);
  if (same && trace::changes_nothing(*rt.execution, last.lock, rt.current, looks_of_turn())) {
    if (last.clock != way.clock && !last.leapt)
      way.leapt = leap_in_time();
    else if (!rt.conductor.is_yet_to_run(rt.current) && !rt.conductor.samples())
      stop_in_loop(last.lock);
  }
  own.last_way = way;
}

void follow_way(Turns& own) {
  Turns::Way& way = own.way;
  if (!own.under_way || way.steps == Turns::Way::kSteps) return;
  const std::uint64_t seen = combine(combine(way.reads, way.replaced), own.intrusions - way.intrusions);
  own.follows = own.follows && way.steps < own.steps_before && own.before[way.steps] == seen;
  way.seen[way.steps++] = seen;
  if (!own.follows) return;
  if (trace::RoundTrip* const trip = trip_until(way.head)) trip->same_until = rt.conductor.position() + 1;
}

void watch_ways(std::uintptr_t address, std::size_t size, bool write) {
  Turns& own = turns[rt.current.index()];
  if (rt.self().stack.contains(address)) return;
  if (write)
    for (std::size_t t = 0; t < rt.threads; ++t)
      if (rt.thread[t].stack.contains(address)) ++turns[t].intrusions;
  if (!own.under_way) return;
  Turns::Way& way = own.way;
  const bool written = std::any_of(way.written, way.written + way.writes,
                                   [&](const auto& w) { return w.begin <= address && address + size <= w.end; });
  if (written) return;
  if (!write) {
    way.reads = hash_at(way.reads, address, size);
    return;
  }
  way.replaced = hash_at(way.replaced, address, size);
  if (way.writes < Turns::Way::kWrites) way.written[way.writes++] = {address, address + size};
}

}  // namespace heddle::runtime
