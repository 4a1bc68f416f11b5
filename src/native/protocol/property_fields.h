// Questions about global states, as they are written and read (codec.cpp): `A` is an archive of either direction.
#pragma once

#include "native/protocol/messages.h"

namespace heddle::protocol {

template <class A, class V>
void fields_ranges(A& a, V& v) {
  a.list(v, [&](auto& range) {
    a.number(range.first);
    a.number(range.last);
  });
}

template <class A, class V>
void fields_properties(A& a, V& v) {
  a.list(v.statements, [&](auto& s) {
    a.enumerator(s.kind, static_cast<std::uint64_t>(property::Kind::kAlways) + 1);
    a.text(s.text);
    a.text(s.when);
    a.number(s.where);
  });
  a.list(v.variables, [&](auto& m) {
    a.text(m.name);
    a.number(m.address);
    a.number(m.type.bits);
    a.flag(m.type.is_signed);
  });
  a.list(v.locks, [&](auto& l) {
    a.text(l.name);
    a.number(l.address);
    a.number(l.size);
  });
  a.list(v.lines, [&](auto& l) {
    a.text(l.name);
    fields_ranges(a, l.code);
  });
  fields_ranges(a, v.own_code);
  a.flag(v.by_formula);
}

}  // namespace heddle::protocol
