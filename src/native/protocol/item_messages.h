// What whoever keeps a search and one of its explorers say to each other, over the socket on which a worker otherwise
// only answers. An explorer is a worker that was told so in its options; it says
//
//   kReady                            when the program is prepared
//   kAsk, and gets kNumber            for something that it meets for the first time (number_book.h)
//   kAnswer                           to kWork, once
//
// kHurry may come at any time; it names the item that it is about, as it may come too late. Items and their results are
// those of dist/work_item.h, in their own frames.
#pragma once

#include "native/protocol/codec.h"
#include "native/protocol/number_book.h"
#include "trace/assumption.h"

namespace heddle::protocol {

struct Readiness {
  std::uint64_t surroundings = 0;  // libraries and where they lie: the same for all explorers of a search
  bool operator==(const Readiness&) const = default;
};

struct WorkOrder {
  std::uint64_t epoch = 0;            // how often the search began anew
  std::vector<PackedLesson> lessons;  // that others have learnt since the last order
  std::string item;                   // its bytes
  bool operator==(const WorkOrder&) const = default;
};

struct Hurry {
  std::uint64_t segment = 0;
  std::uint32_t attempt = 0;
  bool operator==(const Hurry&) const = default;
};

struct ItemAnswer {
  std::string result;  // its bytes
  std::string error;   // instead of a result
  // The result does not count: more of the program became visible, or it did not repeat itself, or not as known.
  bool stale = false, parted = false, refuted = false;
  std::vector<PackedLesson> lessons;           // since the last answer
  std::vector<trace::Assumption> assumptions;  // so far, if there are more than at the last answer
  bool inputs_drawn = false, inputs_read = false;
  bool weaker_orders = false;
  std::uint64_t followed = 0;  // executions of known steps
};

Bytes encode(const Readiness& ready);
Bytes encode(const WorkOrder& order);
Bytes encode(const Hurry& hurry);
Bytes encode(const ItemAnswer& answer);
Bytes encode_ask(const Numbered& thing);
Bytes encode_number(std::uint32_t number);
Result<Readiness> decode_ready(std::span<const std::uint8_t> payload);
Result<WorkOrder> decode_order(std::span<const std::uint8_t> payload);
Result<Hurry> decode_hurry(std::span<const std::uint8_t> payload);
Result<ItemAnswer> decode_answer(std::span<const std::uint8_t> payload);
Result<Numbered> decode_ask(std::span<const std::uint8_t> payload);
Result<std::uint32_t> decode_number(std::span<const std::uint8_t> payload);

// What explorers of one search know together.
struct Knowledge {
  Numbers numbers;
  std::vector<PackedLesson> lessons;
  std::vector<SuppressedRace> suppressed;
  std::vector<trace::Assumption> assumptions;
  bool isolate = false, run_all = false, inputs_drawn = false, inputs_read = false;
  std::uint64_t surroundings = 0;  // 0: not known yet
};
Bytes encode_knowledge(const Knowledge& knowledge);  // not a frame
Result<Knowledge> decode_knowledge(std::span<const std::uint8_t> bytes);

}  // namespace heddle::protocol
