#include "native/runtime/item_worker.h"

#include <errno.h>
#include <link.h>
#include <poll.h>
#include <string.h>

#include <new>

#include "base/random.h"
#include "dist/item_explorer.h"
#include "native/runtime/assumptions.h"
#include "native/runtime/engine_memory.h"
#include "native/runtime/inputs.h"
#include "native/runtime/isolation.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/shared_ids.h"
#include "native/runtime/standby.h"

namespace heddle::runtime {

using protocol::Frame;
using protocol::MessageType;
namespace {

constinit int fd = -1;
constinit protocol::Hurry at_work;  // on this item
constinit bool hurried = false;
constinit protocol::NumberBook* own_book = nullptr;

void send(const protocol::Bytes& frame) {
  if (!raw::write_all(fd, frame.data(), frame.size())) raw::exit(3);  // whoever keeps the search has gone
}

// The next message. Nothing is read beyond it: a forked execution may be the next who reads.
Frame receive() {
  std::uint32_t length = 0;
  if (!raw::read_all(fd, &length, sizeof length)) raw::exit(3);
  protocol::Bytes bytes(sizeof length + length);
  memcpy(bytes.data(), &length, sizeof length);
  if (!raw::read_all(fd, bytes.data() + sizeof length, length)) raw::exit(3);
  protocol::FrameReader reader;
  reader.append(bytes);
  auto next = reader.next();
  if (!next) raw::die(next.error().message.c_str());
  return std::move(next->frame);
}

template <class T>
T sound(Result<T> read) {
  if (!read) raw::die(read.error().message.c_str());
  return std::move(*read);
}

void take_hurry(const Frame& frame) {
  if (sound(protocol::decode_hurry(frame.payload)) == at_work) hurried = true;
}

bool wants_it_soon() {
  pollfd waiting{fd, POLLIN, 0};
  while (!hurried && raw::syscall(SYS_poll, reinterpret_cast<long>(&waiting), 1, 0) > 0) {
    const Frame frame = receive();
    if (frame.type == MessageType::kHurry) take_hurry(frame);
  }
  return hurried;
}

std::uint32_t number_from_socket(const protocol::Numbered& thing) {
  send(protocol::encode_ask(thing));
  for (;;) {
    const Frame frame = receive();
    if (frame.type == MessageType::kHurry) take_hurry(frame);
    if (frame.type == MessageType::kNumber) return sound(protocol::decode_number(frame.payload));
  }
}

// Libraries and where they lie. Where the kernel maps its own page is no matter.
std::uint64_t surroundings() {
  std::uint64_t hash = 1;
  const auto add = [](dl_phdr_info* info, std::size_t, void* argument) {
    auto& sum = *static_cast<std::uint64_t*>(argument);
    const char* slash = strrchr(info->dlpi_name, '/');
    if (slash == nullptr && info->dlpi_name[0] != 0) return 0;
    for (const char* c = slash ? slash + 1 : ""; *c != 0; ++c) sum = combine(sum, static_cast<std::uint8_t>(*c));
    sum = combine(sum, info->dlpi_addr);
    for (int i = 0; i < info->dlpi_phnum; ++i)
      if (info->dlpi_phdr[i].p_type == PT_LOAD) sum = combine(sum, info->dlpi_phdr[i].p_memsz);
    return 0;
  };
  dl_iterate_phdr(add, &hash);
  return hash;
}

// Threads have numbers from the book, and so have places.
class NumbersOfInputs final : public dist::OwnNumbers {
 public:
  trace::Feasibility* judge() override { return inputs->tracking() ? inputs : nullptr; }
  symbolic::TermStore* terms() override { return inputs->tracking() ? &inputs->terms() : nullptr; }
  std::vector<dist::StartedThread> threads() const override { return {}; }
  void use_threads(const std::vector<dist::StartedThread>&) override {}
  std::map<std::uint32_t, std::string> take_left_open() override { return inputs->take_left_open(); }
};

class ItemWorker {
 public:
  ItemWorker(NativeProgram& program, Watch& watch, const explore::StrategyOptions& strategy)
      : program_(program), watch_(watch) {
    options_.strategy = strategy;
    options_.enough = wants_it_soon;
    options_.numbers = &numbers_;
  }

  [[noreturn]] void run() {
    send(protocol::encode(protocol::Readiness{surroundings()}));
    for (;;) {
      const Frame frame = receive();
      if (frame.type == MessageType::kWork)
        send(protocol::encode(answer_to(sound(protocol::decode_order(frame.payload)))));
    }
  }

 private:
  protocol::ItemAnswer answer_to(const protocol::WorkOrder& order) {
    protocol::ItemAnswer answer;
    learn_news(order.lessons);
    if (epoch_ != order.epoch) {
      epoch_ = order.epoch;
      program_.begin_search();
    }
    const auto bytes = reinterpret_cast<const std::uint8_t*>(order.item.data());
    auto item = dist::decode_item({bytes, order.item.size()});
    if (!item) raw::die(item.error().message.c_str());
    at_work = {item->segment, item->attempt};
    hurried = false;
    const std::uint64_t followed = known_steps.followed();
    // (What two explorers have learnt, neither of it a reason to begin anew, may be one together. Then nothing is run.)
    auto result = dist::explore_item(watch_.begin(property::Look::kClass), *item, options_);
    answer.refuted = known_steps.refuted();
    answer.stale = program_.stale();
    answer.lessons = take_news();
    answer.inputs_drawn = rt.inputs_drawn;
    answer.inputs_read = inputs->any_read();
    answer.weaker_orders = weaker_orders_met();
    answer.followed = known_steps.followed() - followed;
    if (const std::uint64_t noted = assumptions_noted(); noted != noted_) {
      noted_ = noted;
      answer.assumptions = assumptions_so_far();
    }
    if (!result) {
      answer.error = result.error().message;
      return answer;
    }
    answer.parted = result->tally.parted && !program_.isolated();
    if (std::string open = watch_.left_open(); !open.empty())
      result->tally.gaps.push_back({explore::Cause::kStatesOpen, std::move(open)});
    if (answer.stale || answer.parted) return answer;
    const protocol::Bytes whole = dist::encode(*result);
    answer.result.assign(whole.begin(), whole.end());
    return answer;
  }

  NativeProgram& program_;
  Watch& watch_;
  NumbersOfInputs numbers_;
  dist::ItemOptions options_;
  std::uint64_t epoch_ = ~std::uint64_t{0};
  std::uint64_t noted_ = 0;
};

}  // namespace

void ask_for_numbers(int socket) {
  fd = socket;
  take_ids_from(number_from_socket);
}

void use_numbers(const protocol::Numbers& numbers) {
  own_book = new (engine_memory.allocate(sizeof(protocol::NumberBook))) protocol::NumberBook(numbers);
  take_ids_from([](const protocol::Numbered& thing) { return own_book->find_or_add(thing); });
}

// Objects only as far as they are spoken of: one that speculation has met may lie across others, which makes them one.
void adopt_numbers(const protocol::Numbers& numbers, const std::vector<explore::Finding>& findings) {
  for (std::size_t t = 1; t < numbers.threads.size(); ++t)
    child_id(numbers.threads[t].parent, static_cast<std::uint16_t>(numbers.threads[t].ordinal));
  for (std::size_t i = 1; i < numbers.positions.size(); ++i) add_position(numbers.positions[i]);
  const auto adopt = [&](const Step& step) {
    if (step.op.object == kNoObject || step.op.object.index() >= numbers.objects.size()) return;
    const protocol::NumberedObject& object = numbers.objects[step.op.object.index()];
    objects.at(reinterpret_cast<const void*>(object.address), object.size, object.kind);
  };
  for (const explore::Finding& finding : findings) {
    for (const Step& step : finding.execution.steps) adopt(step);
    for (const trace::Pending& pending : finding.execution.pending) adopt(pending.step);
  }
}

void explore_items(NativeProgram& program, Watch& watch, const explore::StrategyOptions& strategy) {
  standby.switch_off();
  ItemWorker(program, watch, strategy).run();
}

}  // namespace heddle::runtime
