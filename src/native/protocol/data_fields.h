// The description of plain accesses (messages.h), for what goes over the wire and from one process to another.
#pragma once

#include "native/protocol/messages.h"
#include "trace/archive.h"

namespace heddle::protocol {

template <class A, class V>
void fields_of_data_access(A& a, V& v) {
  a.number(v.finding);
  a.number(v.step);
  a.number(v.thread.value);
  a.number(v.where);
  a.flag(v.write);
  a.number(v.distance);
  a.number(v.address);
  a.number(v.size);
  a.number(v.before);
  a.number(v.after);
  a.flag(v.on_heap);
  a.number(v.allocated_at);
  a.number(v.block_size);
  a.number(v.offset);
  for (auto* bytes : {&v.around_before, &v.around_after}) a.list(*bytes, [&](auto& byte) { a.number(byte); });
}

template <class A>
void fields(A& a, std::vector<DataAccess>& accesses) {
  a.list(accesses, [&](auto& access) { fields_of_data_access(a, access); });
}
template <class A>
void fields(A& a, const std::vector<DataAccess>& accesses) {
  a.list(accesses, [&](auto& access) { fields_of_data_access(a, access); });
}

}  // namespace heddle::protocol
