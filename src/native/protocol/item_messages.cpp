#include "native/protocol/item_messages.h"

#include "native/protocol/number_fields.h"

namespace heddle::protocol {
namespace {

using trace::ArchiveReader;
using trace::ArchiveWriter;

template <class A, class V>
void fields_assumptions(A& a, V& assumptions) {
  a.list(assumptions, [&](auto& s) {
    a.enumerator(s.kind, trace::kAssumptionKinds);
    a.text(s.text);
    a.list(s.places, [&](auto& where) { a.number(where); });
  });
}

template <class A, trace::Described<Readiness> V>
void fields(A& a, V& v) {
  a.number(v.surroundings);
}

template <class A, trace::Described<WorkOrder> V>
void fields(A& a, V& v) {
  a.number(v.epoch);
  fields_lessons(a, v.lessons);
  a.text(v.item);
}

template <class A, trace::Described<Hurry> V>
void fields(A& a, V& v) {
  a.number(v.segment);
  a.number(v.attempt);
}

template <class A, trace::Described<ItemAnswer> V>
void fields(A& a, V& v) {
  a.text(v.result);
  a.text(v.error);
  a.flag(v.stale);
  a.flag(v.parted);
  a.flag(v.refuted);
  fields_lessons(a, v.lessons);
  fields_assumptions(a, v.assumptions);
  a.flag(v.inputs_drawn);
  a.flag(v.inputs_read);
  a.flag(v.weaker_orders);
  a.number(v.followed);
}

template <class A, trace::Described<Knowledge> V>
void fields(A& a, V& v) {
  fields(a, v.numbers);
  fields_lessons(a, v.lessons);
  a.list(v.suppressed, [&](auto& race) {
    a.number(race.pc);
    a.number(race.other_pc);
    a.number(race.address);
  });
  fields_assumptions(a, v.assumptions);
  a.flag(v.isolate);
  a.flag(v.run_all);
  a.flag(v.inputs_drawn);
  a.flag(v.inputs_read);
  a.number(v.surroundings);
}

template <class T>
Bytes frame(MessageType type, const T& value) {
  FrameWriter w(type);
  fields(w, value);
  return w.finish();
}

template <class T>
Result<T> content(std::span<const std::uint8_t> payload, const char* what) {
  ArchiveReader r(payload);
  T value;
  fields(r, value);
  return r.finish(std::move(value), what);
}

}  // namespace

Bytes encode(const Readiness& ready) { return frame(MessageType::kReady, ready); }
Bytes encode(const WorkOrder& order) { return frame(MessageType::kWork, order); }
Bytes encode(const Hurry& hurry) { return frame(MessageType::kHurry, hurry); }
Bytes encode(const ItemAnswer& answer) { return frame(MessageType::kAnswer, answer); }
Result<Readiness> decode_ready(std::span<const std::uint8_t> p) { return content<Readiness>(p, "readiness"); }
Result<WorkOrder> decode_order(std::span<const std::uint8_t> p) { return content<WorkOrder>(p, "order"); }
Result<Hurry> decode_hurry(std::span<const std::uint8_t> p) { return content<Hurry>(p, "hurry"); }
Result<ItemAnswer> decode_answer(std::span<const std::uint8_t> p) { return content<ItemAnswer>(p, "answer"); }

Bytes encode_ask(const Numbered& thing) {
  FrameWriter w(MessageType::kAsk);
  w.number(static_cast<std::uint8_t>(thing.index()));
  std::visit([&](const auto& value) { fields(w, value); }, thing);
  return w.finish();
}

Result<Numbered> decode_ask(std::span<const std::uint8_t> payload) {
  ArchiveReader r(payload);
  std::uint8_t kind = 0;
  r.enumerator(kind, std::variant_size_v<Numbered>);
  Numbered thing;
  if (kind == 1)
    thing = NumberedObject{};
  else if (kind == 2)
    thing = Position{};
  std::visit([&](auto& value) { fields(r, value); }, thing);
  return r.finish(std::move(thing), "question for a number");
}

Bytes encode_number(std::uint32_t number) {
  FrameWriter w(MessageType::kNumber);
  w.number(number);
  return w.finish();
}

Result<std::uint32_t> decode_number(std::span<const std::uint8_t> payload) {
  ArchiveReader r(payload);
  std::uint32_t number = 0;
  r.number(number);
  return r.finish(number, "number");
}

Bytes encode_knowledge(const Knowledge& knowledge) {
  ArchiveWriter w;
  fields(w, knowledge);
  return w.take();
}

Result<Knowledge> decode_knowledge(std::span<const std::uint8_t> bytes) {
  return content<Knowledge>(bytes, "knowledge about the program");
}

}  // namespace heddle::protocol
