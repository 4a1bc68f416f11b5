// Loops that are entered with a lock and give it away in each turn, for a moment or to wait for a time (turns.h).
//
// A turn of such a loop is from where the thread is about to take the lock again to where it is so the next time. There it
// stands in the middle of some call, and its registers and frames are full of what nobody needs any more, deadlines among
// it. But how it stands there follows from how it stood at the head and from what it has seen on the way: what its steps have
// found, and what it has read from plain memory, which others may change while they have the lock. If all of that was the
// same on two ways, so is the rest. (Of its own stack, what is read most and full of deadlines, it is enough that nobody else
// has written there.)
#include <string.h>

#include <algorithm>

#include "base/random.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/spinning.h"
#include "native/runtime/turn_writes.h"
#include "native/runtime/virtual_time.h"
#include "trace/turn.h"

namespace heddle::native {

constinit bool ways_watched = false;

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
    same = same && i < a.lock && steps[i].op == step.op && steps[i].where == step.where && steps[i].choice == step.choice;
    ++i;
  });
  while (i < a.lock && steps[i].thread != rt.current) ++i;
  return same && i >= a.lock;
}

}  // namespace

void begin_way(Turns& own, const Turns::Visit& head, bool again) {
  known_steps.cannot_tell();
  accesses_watched = ways_watched = true;
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

void watch_ways(std::uintptr_t address, std::size_t size, bool write) {
  Turns& own = turns[rt.current.index()];
  if (rt.self().stack.contains(address)) return;
  if (write)
    for (std::size_t t = 0; t < rt.threads; ++t)
      if (rt.thread[t].stack.contains(address)) ++turns[t].intrusions;
  if (!own.under_way) return;
  Turns::Way& way = own.way;
  if (write) {
    if (way.writes < Turns::Way::kWrites) way.written[way.writes++] = {address, address + size};
    return;
  }
  const bool written = std::any_of(way.written, way.written + way.writes, [&](const auto& w) {
    return w.begin <= address && address + size <= w.end;
  });
  if (written) return;
  way.reads = combine(way.reads, address);
  for (std::size_t piece; size > 0; address += piece, size -= piece) {
    piece = std::min<std::size_t>(size, 8);
    std::uint64_t word = 0;
    memcpy(&word, reinterpret_cast<const void*>(address), piece);
    way.reads = combine(way.reads, word);
  }
}

}  // namespace heddle::native
