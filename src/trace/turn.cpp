#include "trace/turn.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/assert.h"
#include "trace/dependence.h"
#include "trace/object.h"

namespace heddle::trace {
namespace {

std::uint64_t state_after(const Operation& op) { return trace::state_after(op.kind, op.before, op.after); }

// May it be the first change of a turn? Not if somebody could have been blocked by what it gives away.
bool may_begin(OpKind kind) { return on_memory(kind) || takes(kind); }

// Who is queued at an object is nothing of its value: of a futex there are both.
bool is_of_queue(OpKind kind) { return kind == OpKind::kWait || kind == OpKind::kSleep || kind == OpKind::kTimeout; }
constexpr std::uint64_t kOut = 0, kQueued = 1;

// Readers of one lock do not keep each other out.
bool shares(OpKind kind) { return kind == OpKind::kSharedAcquire || kind == OpKind::kSharedRelease; }

// What was taken: the object's state before and after, and the steps between which nobody else may touch it.
struct Taken {
  ObjectId object;
  std::uint64_t before, after;
  EventIndex first, last;
  bool queue = false;  // a place in its queue, not the object itself
  bool given_back() const { return after == before; }
};

// Has the turn found something else there before?
bool finds_another(std::span<const Look> looks, const Operation& op) {
  return std::any_of(looks.begin(), looks.end(),
                     [&](const Look& x) { return x.object == op.object && x.found != op.before; });
}

// The turn in vain that the step belongs to, if any. Those can be struck out, all of them: two threads that look under
// one lock in turn have changed nothing for each other.
const IdleTurn* turn_of(const Execution& execution, EventIndex i) {
  const auto turn = std::find_if(execution.idle_turns.begin(), execution.idle_turns.end(), [&](const IdleTurn& x) {
    return x.thread == execution.steps[i].thread && x.first <= i;
  });
  return turn == execution.idle_turns.end() ? nullptr : &*turn;
}

EventIndex last_step(std::span<const Step> steps, ThreadId t) {
  EventIndex i = static_cast<EventIndex>(steps.size()) - 1;
  while (steps[i].thread != t) --i;
  return i;
}

// Does step i, of another thread, keep the turn from being struck out? Not if it is of a turn in vain that has ended
// with a look at the same object: whoever waits for a spin lock finds it taken and looks again. (If that turn went on
// elsewhere, whether it was in vain would not be known in all equivalent executions.)
bool disturbs(const Execution& execution, EventIndex i, const Taken& x) {
  const auto& steps = execution.steps;
  if (steps[i].op.object != x.object) return false;
  if (x.queue) return steps[i].op.kind == OpKind::kSignal || steps[i].op.kind == OpKind::kBroadcast;
  if (steps[i].op.kind == OpKind::kTimeout) return false;
  if (shares(steps[i].op.kind) && shares(steps[x.first].op.kind)) return false;
  if (turn_of(execution, i) == nullptr) return true;
  const EventIndex last = last_step(steps, steps[i].thread);
  return last > x.last || steps[last].op.object != x.object;
}

// May a turn give away first what it takes again? Not if its thread is to be stopped behind it.
enum class Begins : std::uint8_t { kTaking, kAsItMay };

// What a turn has looked at, and what it has taken and given back.
struct Touched {
  Begins begins = Begins::kTaking;
  std::vector<Taken> taken;
  std::vector<Look> looks;
  bool undone = true;    // it has changed nothing
  bool one_look = true;  // and has found one thing in each object

  Taken* find(ObjectId object, bool queue) {
    const auto it = std::find_if(taken.rbegin(), taken.rend(),
                                 [&](const Taken& x) { return x.object == object && x.queue == queue; });
    return it == taken.rend() ? nullptr : &*it;
  }

  // What the turn has taken is as it left it, unless somebody else has changed it.
  void look(const Operation& op, EventIndex i) {
    Taken* const held = find(op.object, false);
    if (held != nullptr) one_look &= op.before == held->after;
    if (held != nullptr && !held->given_back()) {
      held->last = i;
      return;
    }
    one_look &= !finds_another(looks, op);
    looks.push_back({op.object, op.before, i});
  }

  // False: it gives away what it has not taken. (What it takes again after it has given it back others may have had
  // meanwhile.)
  bool change(const Operation& op, EventIndex i) {
    Taken* const held = find(op.object, false);
    if (held == nullptr || held->given_back()) {
      if (begins == Begins::kTaking && !may_begin(op.kind)) return false;
      one_look &= !finds_another(looks, op) && (held == nullptr || shares(op.kind) || op.before == held->after);
      taken.push_back({op.object, op.before, state_after(op), i, i});
      return true;
    }
    held->last = i;
    held->after = shares(op.kind) ? held->after + state_after(op) - op.before : state_after(op);
    return true;
  }

  bool queue_or_leave(const Operation& op, EventIndex i) {
    if (op.kind == OpKind::kSleep) look(op, i);
    if (op.kind != OpKind::kTimeout) {
      taken.push_back({op.object, kOut, kQueued, i, i, true});
      return true;
    }
    Taken* const place = find(op.object, true);
    if (place == nullptr || place->given_back()) return false;
    place->last = i;
    place->after = kOut;
    return true;
  }

  bool add(const Step& step, EventIndex i) {
    const Operation& op = step.op;
    switch (effect_of(step)) {
      case Effect::kNone:
        return true;
      case Effect::kLook:
        look(op, i);
        return true;
      case Effect::kTransient:
        return is_of_queue(op.kind) ? queue_or_leave(op, i) : change(op, i);
      case Effect::kLasting:
        break;
    }
    return false;
  }
};

Touched touched_by(std::span<const Step> steps, const RoundTrip& turn, Begins begins = Begins::kTaking) {
  Touched out;
  out.begins = begins;
  for (EventIndex i = turn.first; i < turn.end && out.undone; ++i)
    if (steps[i].thread == turn.thread) out.undone = out.add(steps[i], i);
  out.undone =
      out.undone && std::all_of(out.taken.begin(), out.taken.end(), [](const Taken& x) { return x.given_back(); });
  return out;
}

bool is_of(const RoundTrip& turn, EventIndex i, const Step& step) {
  return turn.thread == step.thread && turn.first <= i && i < turn.end;
}

// Under a memory model: has it found, or was it put, behind what was newest when it was run? Then it is not where the
// interleaving has it.
bool is_elsewhere(const Step& step) { return step.choice != 0 && !has_alternatives(step.op.kind); }

// The first of another thread's steps, of none of these turns, that was made while the turn lasted and keeps it from
// being struck out, or a step of the turn itself that does; kNoEvent: there is none.
EventIndex seen_by(std::span<const RoundTrip> turns, const Execution& execution, const RoundTrip& turn,
                   const Touched& touched) {
  const auto& steps = execution.steps;
  const auto is_other = [&](EventIndex i) {
    return steps[i].thread != turn.thread &&
           std::none_of(turns.begin(), turns.end(), [&](const RoundTrip& x) { return is_of(x, i, steps[i]); });
  };
  for (const Taken& x : touched.taken)
    for (EventIndex i = x.first; i <= x.last; ++i)
      if (disturbs(execution, i, x) && is_other(i)) return i;
  const auto& looks = touched.looks;
  for (std::size_t a = 0; a < looks.size(); ++a)
    for (std::size_t b = a + 1; b < looks.size(); ++b) {
      if (looks[a].object != looks[b].object || looks[a].found == looks[b].found) continue;
      if (is_elsewhere(steps[looks[a].at]) || is_elsewhere(steps[looks[b].at])) return looks[b].at;
      for (EventIndex i = looks[a].at; i <= looks[b].at; ++i)
        if (steps[i].op.object == looks[a].object && effect_of(steps[i]) != Effect::kLook && is_other(i)) return i;
    }
  return kNoEvent;
}

// Does step a happen before step b?
bool happens_before(std::span<const Step> steps, EventIndex a, EventIndex b) {
  std::vector<EventIndex> after{a};
  for (EventIndex i = a + 1; i <= b; ++i) {
    const auto comes_after = [&](EventIndex x) { return dependent(steps[x], steps[i]); };
    if (!std::any_of(after.rbegin(), after.rend(), comes_after)) continue;
    if (i == b) return true;
    after.push_back(i);
  }
  return a == b;
}

// The largest set of turns, this one among them, that can be struck out together: those are left out one by one that
// somebody else has seen. Turns of threads that have been stopped since are turns as well, if that is so in all
// equivalent executions.
bool in_vain_with_whole_turns(const Execution& execution, const RoundTrip& turn) {
  const auto& steps = execution.steps;
  std::vector<RoundTrip> together = execution.round_trips;
  std::erase_if(together, [&](const RoundTrip& x) { return x.thread == turn.thread && x.end > turn.first; });
  const EventIndex now = last_step(steps, turn.thread);
  for (const IdleTurn& x : execution.idle_turns) {
    const EventIndex last = last_step(steps, x.thread);
    if (x.thread != turn.thread && last >= x.first && happens_before(steps, last, now))
      together.push_back({x.thread, x.first, last + 1});
  }
  together.push_back(turn);
  for (;;) {
    const auto seen = std::find_if(together.begin(), together.end(), [&](const RoundTrip& x) {
      return seen_by(together, execution, x, touched_by(execution.steps, x)) != kNoEvent;
    });
    if (seen == together.end()) return true;
    if (*seen == turn) return false;
    together.erase(seen);
  }
}

// The thread's next step from `first` on; `end`: it has none before that.
EventIndex next_step(std::span<const Step> steps, ThreadId t, EventIndex first, EventIndex end) {
  while (first < end && steps[first].thread != t) ++first;
  return first;
}

// Behind the step of the round trip that its thread stood at as it stands behind step `to`, of the next turn; kNoEvent:
// there is none.
EventIndex same_place(std::span<const Step> steps, const RoundTrip& trip, EventIndex to) {
  if (to < trip.end || to >= trip.same_until) return kNoEvent;
  EventIndex before = trip.first;
  for (EventIndex i = trip.end; i <= to; ++i) {
    if (steps[i].thread != trip.thread) continue;
    const EventIndex match = next_step(steps, trip.thread, before, trip.end);
    if (match == trip.end) return kNoEvent;
    const Step &a = steps[match], &b = steps[i];
    if (a.op != b.op || a.where != b.where || a.choice != b.choice) return kNoEvent;
    before = match + 1;
  }
  return before;
}

// A turn of the thread from the middle of one to the middle of another, with all of its steps between the two.
std::optional<RoundTrip> turn_between(const Execution& execution, ThreadId t, EventIndex from, EventIndex to) {
  const auto& trips = execution.round_trips;
  for (const RoundTrip& last : trips) {
    if (last.thread != t) continue;
    const RoundTrip* trip = &last;
    for (EventIndex place = to; trip != nullptr;) {
      const EventIndex same = same_place(execution.steps, *trip, place);
      if (same == kNoEvent) break;
      if (same <= from) return RoundTrip{t, same, to + 1};
      place = same - 1;
      const auto before = std::find_if(trips.begin(), trips.end(),
                                       [&](const RoundTrip& x) { return x.thread == t && x.end == trip->first; });
      trip = before == trips.end() ? nullptr : &*before;
    }
  }
  return std::nullopt;
}

// Whatever has seen the turn, or one that is to be struck out with it, must be part of such a turn itself.
bool in_vain_with_parts(const Execution& execution, const RoundTrip& turn) {
  std::vector<RoundTrip> together{turn};
  for (std::size_t i = 0; i < together.size();) {
    const Touched touched = touched_by(execution.steps, together[i], i == 0 ? Begins::kTaking : Begins::kAsItMay);
    if (!touched.undone) return false;
    const EventIndex seen = seen_by(together, execution, together[i], touched);
    if (seen == kNoEvent) {
      ++i;
      continue;
    }
    const ThreadId other = execution.steps[seen].thread;
    const auto known =
        std::find_if(together.begin(), together.end(), [&](const RoundTrip& x) { return x.thread == other; });
    if (known == together.begin()) return false;
    const bool is_new = known == together.end();
    const auto wider = turn_between(execution, other, is_new ? seen : std::min(seen, known->first),
                                    is_new ? seen : std::max(seen, known->end - 1));
    if (!wider) return false;
    if (is_new)
      together.push_back(*wider);
    else
      *known = *wider;
    i = 0;
  }
  return true;
}

bool in_vain_together(const Execution& execution, const RoundTrip& turn) {
  return !execution.round_trips.empty() &&
         (in_vain_with_whole_turns(execution, turn) || in_vain_with_parts(execution, turn));
}

bool undisturbed(const Execution& execution, const RoundTrip& turn, const Touched& touched) {
  for (const Taken& x : touched.taken)
    for (EventIndex i = x.first; i <= x.last; ++i)
      if (execution.steps[i].thread != turn.thread && disturbs(execution, i, x)) return false;
  return touched.one_look;
}

RoundTrip turn_until_now(const Execution& execution, EventIndex first, ThreadId t) {
  return {t, first, static_cast<EventIndex>(execution.steps.size())};
}

}  // namespace

bool changes_nothing(const Execution& execution, EventIndex first, ThreadId t, std::vector<Look>& looks) {
  const RoundTrip turn = turn_until_now(execution, first, t);
  Touched touched = touched_by(execution.steps, turn);
  if (!touched.undone || !(undisturbed(execution, turn, touched) || in_vain_together(execution, turn))) return false;
  looks = std::move(touched.looks);
  for (const Taken& x : touched.taken)
    if (!x.queue) looks.push_back({x.object, x.before, x.last});
  // One that only queues and leaves waits for something else than these; one without any step waits for nothing.
  return !looks.empty() || touched.taken.empty();
}

RoundTrip* note_round_trip(Execution& execution, EventIndex first, ThreadId t) {
  const RoundTrip turn = turn_until_now(execution, first, t);
  // Of two round trips that overlap only one can be struck out, unless one is inside the other.
  const bool overlaps = std::any_of(
      execution.round_trips.begin(), execution.round_trips.end(),
      [&](const RoundTrip& x) { return x.thread == t && x.first < first && first < x.end && x.end < turn.end; });
  if (overlaps) return nullptr;
  const Touched touched = touched_by(execution.steps, turn);
  if (!touched.undone || (touched.taken.empty() && touched.one_look)) return nullptr;
  execution.round_trips.push_back(turn);
  return &execution.round_trips.back();
}

namespace {

bool changes_in_passing(const Execution& execution, const IdleTurn& turn, ObjectId object) {
  return std::any_of(execution.steps.begin() + turn.first, execution.steps.end(), [&](const Step& step) {
    return step.thread == turn.thread && step.op.object == object && effect_of(step) == Effect::kTransient &&
           !is_of_queue(step.op.kind);
  });
}

// Turns in vain count where they come last, and in the order of threads among themselves: so an execution without them
// counts once. What comes after a step of one and depends on it comes before it in another execution, in which the
// thread looks later.
bool come_last(const Execution& execution) {
  const auto& steps = execution.steps;
  for (const IdleTurn& turn : execution.idle_turns)
    for (EventIndex i = turn.first; i < steps.size(); ++i) {
      if (steps[i].thread != turn.thread) continue;
      for (EventIndex j = i + 1; j < steps.size(); ++j) {
        if (steps[j].thread == turn.thread || !dependent(steps[i], steps[j])) continue;
        if (turn_of(execution, j) == nullptr || steps[j].thread < turn.thread) return false;
      }
    }
  return true;
}

// Might the thread find something else if it looked while another one makes its turn once more? (Where both take it,
// each looks again when the other has it.)
bool might_meet(const Execution& execution, const IdleTurn& mine, std::span<const Look> looks) {
  return std::any_of(looks.begin(), looks.end(), [&](const Look& look) {
    if (changes_in_passing(execution, mine, look.object)) return false;
    return std::any_of(execution.idle_turns.begin(), execution.idle_turns.end(), [&](const IdleTurn& turn) {
      return turn.thread != mine.thread && changes_in_passing(execution, turn, look.object);
    });
  });
}

}  // namespace

Waits judge_waits(const Execution& execution, Search search) {
  if (execution.idle_turns.empty()) return Waits::kNone;
  if (!execution.steps.empty() && execution.steps.back().op.kind == OpKind::kTerminate) return Waits::kVoid;
  if (search == Search::kTurnsRacesRound && !come_last(execution)) return Waits::kVoid;
  std::vector<Look> looks;
  for (const IdleTurn& turn : execution.idle_turns) {
    const bool idle = changes_nothing(execution, turn.first, turn.thread, looks);
    INVARIANT(idle);
    if (might_meet(execution, turn, looks)) return Waits::kUnknown;
  }
  return Waits::kForEver;
}

namespace {

using Stores = std::map<ObjectId, std::vector<EventIndex>>;  // of each object, oldest first

bool is_of_lock(OpKind kind) { return kind == OpKind::kAcquire || kind == OpKind::kRelease; }

// The lock that a turn in vain takes and gives back, if any. Whoever has it later may change what it protects; so the
// turn is judged where nobody has, but others that wait like it, in the order of threads. Whoever tried it meanwhile
// has seen the turn. With several locks, whether a turn is in vain may depend on what happens between them.
Waits judge_weak_lock(const Execution& execution, const IdleTurn& turn, const Stores& stores,
                      const std::vector<EventIndex>& source) {
  const std::vector<Step>& steps = execution.steps;
  EventIndex last = kNoEvent;
  for (EventIndex i = turn.first; i < steps.size(); ++i) {
    if (steps[i].thread != turn.thread || !is_of_lock(steps[i].op.kind)) continue;
    if (last != kNoEvent && steps[i].op.object != steps[last].op.object) return Waits::kUnknown;
    last = i;
  }
  if (last == kNoEvent) return Waits::kNone;
  if (steps[last].op.kind != OpKind::kRelease) return Waits::kUnknown;
  for (EventIndex i = turn.first; i < steps.size(); ++i)
    if (steps[i].thread != turn.thread && source[i] != kNoEvent && source[i] >= turn.first && source[i] != last &&
        steps[source[i]].thread == turn.thread && is_of_lock(steps[source[i]].op.kind))
      return Waits::kUnknown;
  const std::vector<EventIndex>& order = stores.at(steps[last].op.object);
  for (auto later = std::find(order.begin(), order.end(), last) + 1; later != order.end(); ++later)
    if (turn_of(execution, *later) == nullptr || steps[*later].thread < turn.thread) return Waits::kVoid;
  return Waits::kForEver;
}

}  // namespace

Waits judge_weak_waits(const Execution& execution, const SleepsOn& sleeps_on) {
  if (execution.idle_turns.empty()) return Waits::kNone;
  const std::vector<Step>& steps = execution.steps;
  Stores stores;
  std::vector<EventIndex> source(steps.size(), kNoEvent);
  for (EventIndex i = 0; i < steps.size(); ++i) {
    const Step& s = steps[i];
    if (s.op.object == kNoObject || has_alternatives(s.op.kind)) continue;
    std::vector<EventIndex>& order = stores[s.op.object];
    const auto place = order.end() - std::min<std::ptrdiff_t>(s.choice, order.end() - order.begin());
    if (place != order.begin()) source[i] = *(place - 1);
    if (access_of(s.op.kind) == Access::kWrites) order.insert(place, i);
  }
  Waits waits = Waits::kForEver;
  for (const IdleTurn& turn : execution.idle_turns) {
    switch (judge_weak_lock(execution, turn, stores, source)) {
      case Waits::kUnknown:
        return Waits::kUnknown;
      case Waits::kVoid:
        waits = Waits::kVoid;
        break;
      case Waits::kNone:
      case Waits::kForEver:
        break;
    }
    for (EventIndex i = turn.first; i < steps.size(); ++i) {
      const Step& s = steps[i];
      if (s.thread != turn.thread || effect_of(s) == Effect::kNone || is_of_lock(s.op.kind)) continue;
      if (effect_of(s) != Effect::kLook) return Waits::kUnknown;
      const std::vector<EventIndex>& order = stores[s.op.object];
      const auto first = source[i] == kNoEvent ? order.begin() : std::find(order.begin(), order.end(), source[i]) + 1;
      const std::vector<EventIndex> newer(first, order.end());
      const bool changed = std::any_of(newer.begin(), newer.end(),
                                       [&](EventIndex store) { return effect_of(steps[store]) != Effect::kLook; });
      if (changed && !sleeps_on(turn.thread, s.op.object, newer)) waits = Waits::kVoid;
    }
  }
  return waits;
}

bool same_finds(std::span<const Look> a, std::span<const Look> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Look& x, const Look& y) { return x.object == y.object && x.found == y.found; });
}

}  // namespace heddle::trace
