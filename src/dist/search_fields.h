// The descriptions of what dist/ sends and keeps (trace/archive.h), innermost first.
#pragma once

#include "dist/coordinator.h"
#include "dist/frame.h"
#include "dist/work_item.h"
#include "trace/execution_fields.h"

namespace heddle::dist {

using trace::Described;
using trace::fields;

template <class A, Described<explore::SavedNode> V>
void fields(A& a, V& v) {
  a.list(v.wakeups, [&](auto& sequence) { a.list(sequence, [&](auto& step) { fields(a, step); }); });
  fields(a, v.enabled);
  fields(a, v.backtrack);
  fields(a, v.done);
  fields(a, v.choices_left);
  a.number(v.preemptions);
  a.number(v.siblings_tried);
  a.flag(v.awaits);
  a.list(v.explored, [&](auto& step) { fields(a, step); });
  a.flag(v.open);
}

template <class A, Described<explore::SavedSearch> V>
void fields(A& a, V& v) {
  a.flag(v.begun);
  a.number(v.floor);
  a.list(v.path, [&](auto& step) { fields(a, step); });
  a.list(v.nodes, [&](auto& node) { fields(a, node); });
  for (auto* n : {&v.next_sample, &v.end_sample, &v.longest}) a.number(*n);
}

template <class A, Described<Budget> V>
void fields(A& a, V& v) {
  a.number(v.executions);
  a.number(v.milliseconds);
  a.flag(v.stop_at_bug);
}

// Of a finding without its explanation, which is made when the search is over.
template <class A, Described<explore::Finding> V>
void fields(A& a, V& v) {
  fields(a, v.failure);
  fields(a, v.execution);
  a.list(v.schedule, [&](auto& decision) { fields(a, decision); });
  a.number(v.count);
}

template <class A, Described<Tally> V>
void fields(A& a, V& v) {
  a.text(v.algorithm);
  a.optional(v.preemptions, [&](auto& n) { a.number(n); });
  a.list(v.gaps, [&](auto& gap) {
    a.enumerator(gap.cause, explore::kCauses);
    a.text(gap.detail);
  });
  for (auto* n :
       {&v.executions, &v.classes, &v.asleep, &v.deadlocked, &v.failed, &v.cut, &v.infeasible, &v.states, &v.steps})
    a.number(*n);
  a.number(v.seconds);
  a.number(v.cpu_seconds);
  a.list(v.findings, [&](auto& finding) { fields(a, finding); });
  a.list(v.assumptions, [&](auto& s) {
    a.enumerator(s.kind, trace::kAssumptionKinds);
    a.text(s.text);
    a.list(s.places, [&](auto& where) { a.number(where); });
  });
  a.optional(v.parted, [&](auto& p) {
    a.number(p.step);
    a.optional(p.once, [&](auto& step) { fields(a, step); });
    a.optional(p.again, [&](auto& step) { fields(a, step); });
  });
  a.list(v.seen, [&](auto& seen) {
    a.number(seen.fingerprint);
    a.enumerator(seen.outcome, trace::kOutcomes);
  });
  a.list(v.drawn, [&](auto& sample) {
    a.number(sample.fingerprint);
    a.list(sample.pairs, [&](auto& pair) { a.number(pair); });
  });
}

template <class A, Described<Bytes> V>
void fields(A& a, V& v) {
  a.list(v, [&](auto& byte) { a.number(byte); });
}

template <class A, Described<symbolic::PackedTerm> V>
void fields(A& a, V& v) {
  a.number(v.number.value);
  a.enumerator(v.term.kind, std::uint64_t{symbolic::kTermKinds});
  a.number(v.term.width);
  a.number(v.term.low);
  for (auto* operand : {&v.term.a, &v.term.b, &v.term.c}) a.number(operand->value);
  a.number(v.term.value);
  a.text(v.name);
}

template <class A, Described<symbolic::TermParcel> V>
void fields(A& a, V& v) {
  a.list(v, [&](auto& term) { fields(a, term); });
}

template <class A, Described<StartedThread> V>
void fields(A& a, V& v) {
  a.number(v.parent.value);
  a.number(v.ordinal);
  a.number(v.function);
}

template <class A, Described<WorkItem> V>
void fields(A& a, V& v) {
  a.number(v.segment);
  a.number(v.attempt);
  a.flag(v.certain);
  fields(a, v.budget);
  fields(a, v.search);
  fields(a, v.terms);
  a.list(v.threads, [&](auto& thread) { fields(a, thread); });
}

template <class A, Described<WorkResult> V>
void fields(A& a, V& v) {
  a.number(v.segment);
  a.number(v.attempt);
  fields(a, v.search);
  fields(a, v.tally);
  fields(a, v.terms);
  a.list(v.threads, [&](auto& thread) { fields(a, thread); });
}

template <class A, Described<SearchRecord> V>
void fields(A& a, V& v) {
  a.number(v.next_id);
  a.list(v.order, [&](auto& id) { a.number(id); });
  a.number(v.redone);
  a.number(v.divided);
  a.number(v.seconds);
  fields(a, v.committed);
  a.list(v.threads, [&](auto& thread) { fields(a, thread); });
}

template <class A, Described<Segment> V>
void fields(A& a, V& v) {
  a.number(v.id);
  a.number(v.parent);
  a.number(v.attempt);
  fields(a, v.before);
  fields(a, v.present);
  fields(a, v.tally);
}

template <class T>
Bytes written(FrameKind kind, const T& value) {
  return framed(kind, [&](trace::ArchiveWriter& a) { fields(a, value); });
}

template <class T>
Result<T> read(FrameKind kind, std::span<const std::uint8_t> bytes, const char* what) {
  const auto content = unframed(kind, bytes);
  if (!content) return content.error();
  trace::ArchiveReader reader(content.value());
  T value;
  fields(reader, value);
  return reader.finish(std::move(value), what);
}

// Is what was read a search that a strategy can go on from? (A floor may be far behind a damaged path.)
inline bool is_sound(const explore::SavedSearch& search) {
  return search.path.size() == search.nodes.size() && (search.nodes.empty() || search.floor < search.nodes.size());
}

}  // namespace heddle::dist
