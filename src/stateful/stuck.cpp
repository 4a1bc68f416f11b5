#include "stateful/stuck.h"

#include "base/random.h"
#include "trace/dependence.h"

namespace heddle::stateful {

using namespace trace;
using net::kNoLocal;
using net::kNoStep;
using net::LocalId;
using net::Status;

namespace {

template <class F>
void for_each_local(const net::Marking& marking, F&& f) {
  for (std::size_t t = 0; t < marking.threads(); ++t)
    if (const LocalId p = marking.local(ThreadId(static_cast<std::uint16_t>(t))); p != kNoLocal) f(p);
}

}  // namespace

ThreadId ended_by(const net::ProgramNet& net, const net::Marking& marking) {
  ThreadId ended = kNoThread;
  for_each_local(marking, [&](LocalId p) {
    if (net[p].status == Status::kStopped && net[p].by != kNoStep && net[net[p].by].kind == OpKind::kTerminate)
      ended = net[p].thread;
  });
  return ended;
}

bool has_ended(const net::ProgramNet& net, const net::Marking& marking, ThreadId thread) {
  const LocalId p = marking.local(thread);
  if (p == kNoLocal) return !net.spawned(thread);  // there from the start, and it does nothing
  return net::ends(net[p].status);
}

Stuck stuck_threads(net::ProgramNet& net, const net::Marking& marking) {
  Stuck stuck;
  if (ended_by(net, marking) != kNoThread) return stuck;
  bool others_ended = true;
  std::uint64_t signature = 0;
  bool waits = false;
  for_each_local(marking, [&](LocalId p) {
    const net::LocalState& state = net[p];
    if (net::ends(state.status)) return;
    if (state.status == Status::kStopped || state.status == Status::kUnwanted || state.status == Status::kAwaiting)
      others_ended = false;
    if (state.status == Status::kStopped || state.status == Status::kUnwanted) return;
    waits = true;
    std::uint64_t where = combine(combine(state.thread.value, state.where), static_cast<std::uint64_t>(state.status));
    // Whether somebody has changed what it looked at decides between a livelock and nothing at all.
    if (state.status == Status::kAwaiting && state.by != kNoStep) {
      const net::Transition& look = net[state.by];
      const net::ValueId now = look.takes == net::kNoValue ? look.takes : marking.value(net, net[look.takes].object);
      where = combine(where, now == look.takes ? 1 : net[now].state == net[look.takes].state ? 2 : 3);
    }
    signature += mix(where);
    stuck.blocked += mix(p.value);
  });
  if (!waits) return stuck;
  stuck.signature = signature | 1;
  stuck.deadlocked = others_ended;
  return stuck;
}

bool races(const net::Transition& a, const net::Transition& b, const net::ProgramNet& net) {
  return a.takes != net::kNoValue && a.takes == b.takes && net[a.from].thread != net[b.from].thread &&
         on_memory(a.kind) && on_memory(b.kind) && dependent_on_one_object(a.kind, b.kind);
}

std::uint64_t pair_key(std::uint64_t tag, std::uint32_t a, std::uint32_t b) {
  return combine(combine(tag, a), b) & ~1ull;
}

void note_limits(const Execution& execution, Statistics& statistics) {
  if (!execution.unwanted.empty()) statistics.assumptions = true;
  // One after which the thread went on; alone it would have been stopped.
  if (!execution.round_trips.empty()) statistics.turns = true;
  for (const IdleTurn& turn : execution.idle_turns)
    for (EventIndex i = turn.first; i < execution.steps.size(); ++i) {
      const Step& step = execution.steps[i];
      if (step.thread == turn.thread && access_of(step.op.kind) != Access::kReads) statistics.turns = true;
    }
}

}  // namespace heddle::stateful
