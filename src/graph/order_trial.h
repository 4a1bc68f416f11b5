// The program with other memory orders than it has: one search over all its executions, which ends as soon as something
// is seen that was asked about. What stronger orders would have prevented (strengthen.h) and which ones nobody would
// miss (relax.h) are found by such trials.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "explore/explorer.h"
#include "trace/fence_at.h"
#include "trace/memory_order.h"
#include "trace/program.h"

namespace heddle::graph {

using namespace trace;

struct OrderTrials {
  MemoryModel model = MemoryModel::kCpp20;
  // The program is run with these orders from now on, with its own everywhere else, and with these fences.
  std::function<void(std::span<const OrderAt>, std::span<const FenceAt>)> give;
  // Has the program turned out to have other steps than it had when the search began? Then what was seen is void.
  std::function<bool()> changed = [] { return false; };
  // Effort per question.
  std::uint64_t max_steps = 1'000'000;
};

enum class Answer { kNo, kYes, kUnknown };

// An access or a fence in the source, with the order that it has and the one that is tried.
struct OrderPlace {
  EventIndex step = kNoEvent;  // of the execution with its own orders that has shown it
  std::uint32_t where = 0;
  OpKind kind = OpKind::kRead;
  MemoryOrder own = MemoryOrder::kSeqCst;
  MemoryOrder now = MemoryOrder::kSeqCst;
};

// Can a load, store, ... have it?
bool may_have(OpKind kind, MemoryOrder order);
bool is_stronger(MemoryOrder a, MemoryOrder b);

// Adds what an execution has done by atomic accesses and fences. Whether there were new places. In a trial, those that
// are known have the orders that they were given, and it is only the new ones that tell anything.
enum class RunWith : std::uint8_t { kOwnOrders, kGivenOrders };
bool note_places(const Execution& execution, RunWith orders, std::vector<OrderPlace>& places);

class OrderTrial {
 public:
  OrderTrial(Program& program, const OrderTrials& how, std::uint64_t max_steps)
      : program_(program), how_(how), max_steps_(max_steps), steps_left_(max_steps) {}

  using Question = std::function<bool(const Execution&)>;
  // Is there an execution with these orders of which `is_it` holds?
  Answer ask(std::span<const OrderAt> orders, const Question& is_it) { return ask(orders, {}, is_it); }
  Answer ask(std::span<const OrderAt> orders, std::span<const FenceAt> fences, const Question& is_it);

  const Execution& execution() const { return execution_; }  // the last one
  std::uint64_t runs() const { return runs_; }
  std::uint64_t steps() const { return max_steps_ - steps_left_; }

 private:
  Program& program_;
  const OrderTrials& how_;
  const std::uint64_t max_steps_;
  std::uint64_t steps_left_;
  std::uint64_t runs_ = 0;
  Execution execution_;
};

}  // namespace heddle::graph
