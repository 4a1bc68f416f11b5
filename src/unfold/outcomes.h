// How an operation turns out in a marking, and what it leaves behind: everything about the kinds of operations that the
// unfolding must know in advance. Lemma 2 of Kähkönen 2015 asks that the same event means the same local state; it
// does, because what an operation finds is the state of its object, and that is a function of the event that wrote it
// last.
#pragma once

#include <optional>

#include "trace/object.h"
#include "unfold/unfolding.h"

namespace heddle::unfold {

// What the pending operation of `c` would be recorded as in a marking with the object condition left by `source`;
// nothing if it would have to wait there.
std::optional<OpKind> outcome(const Unfolding& u, ConditionId c, EventId source);

// Who waits on a condition variable in the condition left by `e`.
ThreadSet waiters(const Unfolding& u, EventId e);

// Who is started or woken by a covered event, besides its own thread.
ThreadSet woken(const Unfolding& u, EventId e);

// Who waits on the object after a write that was run as `step`, or is woken by it.
void note_set(Unfolding& u, EventId e, const Step& step);

// Of a lock, by its owner.
constexpr bool releases(OpKind kind) { return kind == OpKind::kRelease || kind == OpKind::kWaitRelease; }

constexpr bool on_queue(OpKind kind) {
  return row_of(kind).subject == Subject::kQueue && access_of(kind) == Access::kWrites;
}

}  // namespace heddle::unfold
