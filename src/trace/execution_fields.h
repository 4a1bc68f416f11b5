// The description of an execution and its parts as bytes (trace/archive.h), for everybody who sends or keeps one: the
// wire between worker and supervisor, executions in processes of their own, and whatever outlives a process. Every
// member is here; a test sets each and compares with ==.
#pragma once

#include <concepts>

#include "trace/archive.h"
#include "trace/execution.h"
#include "trace/schedule.h"

namespace heddle::trace {

// T, or const T where it is written.
template <class V, class T>
concept Described = std::same_as<std::remove_const_t<V>, T>;

template <class A, Described<std::size_t> V>
void fields(A& a, V& v) {
  std::uint64_t wide = v;
  a.number(wide);
  if constexpr (!std::is_const_v<V>) v = static_cast<std::size_t>(wide);
}

template <class A, Described<SmallSet> V>
void fields(A& a, V& v) {
  for (std::size_t w = 0; w < SmallSet::kWords; ++w) {
    std::uint64_t word = v.word_at(w);
    a.number(word);
    if constexpr (!std::is_const_v<V>) v.set_word(w, word);
  }
}

template <class A, Described<Decision> V>
void fields(A& a, V& v) {
  a.number(v.thread.value);
  a.number(v.choice);
}

template <class A, Described<Step> V>
void fields(A& a, V& v) {
  a.enumerator(v.op.kind, kOpKinds);
  a.enumerator(v.op.order, kMemoryOrders);
  a.number(v.op.peer.value);
  a.number(v.op.object.value);
  a.number(v.op.before);
  a.number(v.op.after);
  a.number(v.thread.value);
  a.number(v.choice);
  a.number(v.where);
  fields(a, v.set);
  fields(a, v.enabled);
}

template <class A, Described<Pending> V>
void fields(A& a, V& v) {
  fields(a, v.step);
  a.flag(v.enabled);
  a.optional(v.found, [&](auto& value) { a.number(value); });
}

template <class A, Described<Failure> V>
void fields(A& a, V& v) {
  a.enumerator(v.kind, kFailureKinds);
  a.number(v.step);
  a.number(v.thread.value);
  a.number(v.where);
  a.text(v.message);
  a.list(v.after, [&](auto& step) { a.number(step); });
  a.text(v.state);
}

template <class A, Described<InputValue> V>
void fields(A& a, V& v) {
  a.number(v.thread.value);
  a.number(v.ordinal);
  a.number(v.value);
  a.number(v.bytes_left);
}

template <class A, Described<IdleTurn> V>
void fields(A& a, V& v) {
  a.number(v.thread.value);
  a.number(v.first);
}

template <class A, Described<RoundTrip> V>
void fields(A& a, V& v) {
  a.number(v.thread.value);
  a.number(v.first);
  a.number(v.end);
  a.number(v.same_until);
}

template <class A, Described<Execution> V>
void fields(A& a, V& v) {
  a.list(v.steps, [&](auto& s) { fields(a, s); });
  a.list(v.pending, [&](auto& p) { fields(a, p); });
  a.list(v.failures, [&](auto& f) { fields(a, f); });
  fields(a, v.threads);
  fields(a, v.stopped);
  a.list(v.idle_turns, [&](auto& t) { fields(a, t); });
  a.list(v.round_trips, [&](auto& t) { fields(a, t); });
  fields(a, v.unwanted);
  a.enumerator(v.outcome, kOutcomes);
  a.number(v.diverged_at);
  a.optional(v.diverged_from, [&](auto& s) { fields(a, s); });
  a.list(v.inputs, [&](auto& i) { a.number(i); });
  a.list(v.named_inputs, [&](auto& i) { fields(a, i); });
  a.list(v.written_terms, [&](auto& t) {
    a.number(t.step);
    a.number(t.term);
  });
}

}  // namespace heddle::trace
