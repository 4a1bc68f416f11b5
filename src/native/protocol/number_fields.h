// The descriptions of numbers and of what they stand for (trace/archive.h).
#pragma once

#include "native/protocol/messages.h"
#include "trace/execution_fields.h"

namespace heddle::protocol {

inline constexpr std::uint64_t kObjectKinds = static_cast<std::uint64_t>(ObjectKind::kGiven) + 1;

template <class A, trace::Described<Position> V>
void fields(A& a, V& v) {
  a.list(v.pcs, [&](auto& pc) { a.number(pc); });
  a.list(v.stack_pointers, [&](auto& sp) { a.number(sp); });
}

template <class A, trace::Described<NumberedThread> V>
void fields(A& a, V& v) {
  a.number(v.parent.value);
  a.number(v.ordinal);
}

template <class A, trace::Described<NumberedObject> V>
void fields(A& a, V& v) {
  a.number(v.address);
  a.number(v.size);
  a.enumerator(v.kind, kObjectKinds);
}

template <class A, trace::Described<Numbers> V>
void fields(A& a, V& v) {
  a.list(v.threads, [&](auto& thread) { fields(a, thread); });
  a.list(v.objects, [&](auto& object) { fields(a, object); });
  a.list(v.positions, [&](auto& position) { fields(a, position); });
}

template <class A, class V>
void fields_lessons(A& a, V& lessons) {
  a.list(lessons, [&](auto& lesson) { a.list(lesson, [&](auto& byte) { a.number(byte); }); });
}

}  // namespace heddle::protocol
