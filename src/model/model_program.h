// A model as a program under test: front end 1. The language is described in docs/model-language.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/code.h"
#include "model/compiler.h"
#include "model/interpreter.h"
#include "model/source.h"
#include "property/names.h"
#include "trace/coverage.h"
#include "trace/feasibility.h"
#include "trace/fence_at.h"
#include "trace/program.h"

namespace heddle::model {

class ModelProgram final : public trace::Program, public trace::Describer, public trace::Feasibility {
 public:
  ModelProgram(Source source, Code code, std::uint64_t identity, const ModelOptions& options);
  ModelProgram(const ModelProgram&) = delete;

  void run(const trace::Schedule& schedule, trace::Execution& execution) override {
    interpreter_.run(schedule, execution);
  }

  std::string thread_name(ThreadId thread) const override { return interpreter_.thread_name(thread); }
  std::string object_name(ObjectId object) const override { return interpreter_.object_name(object); }
  std::string position(std::uint32_t where) const override;
  std::string source_line(std::uint32_t where) const override;

  // Of source text and defines: the same model gives the same executions for the same schedules.
  std::uint64_t identity() const { return identity_; }
  // Names and values in effect.
  const std::map<std::string, std::int32_t>& constants() const { return code_.constants; }
  // The final value of every object in the last execution.
  const std::vector<std::int32_t>& values() const { return interpreter_.values(); }
  // Of branches in executions of this program, in any order.
  bool feasible(std::span<const trace::Step* const> steps) override;
  // Null unless inputs are symbolic and the model reads any.
  symbolic::InputSpace* inputs() { return interpreter_.inputs(); }
  // It has inputs, and they are random.
  // Is there a wait that may return for no reason?
  bool waits() const {
    return std::any_of(code_.instructions.begin(), code_.instructions.end(),
                       [](const Instruction& i) { return i.op == Op::kSpurious; });
  }
  // Where it has accesses and fences weaker than seq_cst, or none of an atomic object at all.
  std::vector<std::uint32_t> weaker_orders() const;
  // Loops that count and were not left at each of their turns.
  const std::shared_ptr<HurriedLoops>& hurried() const { return interpreter_.hurried(); }
  // Accesses and fences at these places have other orders than their own from now on, and before some there is a fence
  // that the model does not have (graph/strengthen.h).
  void give_orders(std::span<const trace::OrderAt> orders, std::span<const trace::FenceAt> fences);
  bool has_plain_accesses() const {
    return std::any_of(code_.instructions.begin(), code_.instructions.end(),
                       [](const Instruction& i) { return i.order == trace::MemoryOrder::kPlain; });
  }
  bool assumes() const {
    return std::any_of(code_.instructions.begin(), code_.instructions.end(),
                       [](const Instruction& i) { return i.op == Op::kAssume; });
  }
  bool draws_inputs() { return code_.reads_inputs && inputs() == nullptr; }
  // Why not everything that inputs can bring about was explored; empty: it was.
  std::string left_open() const;
  // The same by places (0: it is about no place), and forgotten; and of somebody else's executions.
  std::map<std::uint32_t, std::string> take_left_open();
  void leave_open(const std::map<std::uint32_t, std::string>& open);
  // Threads that are numbered as they are met (interpreter.h).
  std::vector<Interpreter::Birth> late_births() const { return interpreter_.late_births(); }
  void use_late_births(const std::vector<Interpreter::Birth>& births) { interpreter_.use_late_births(births); }
  // Of all executions so far (ModelOptions::coverage).
  trace::Coverage coverage() const;
  std::size_t static_threads() const { return code_.threads.size(); }

  // For properties (property/).
  std::unique_ptr<property::Names> property_names() const;
  const std::vector<InvariantText>& invariants() const { return code_.invariants; }
  // At a place in the model's text.
  Error error(Offset at, std::string message) const { return source_.error({at, std::move(message)}); }

 private:
  Source source_;
  Code code_;
  struct OwnOrders {
    trace::MemoryOrder order, failure;
  };
  std::vector<std::pair<std::size_t, OwnOrders>> own_orders_;  // of instructions that have others now
  std::uint64_t identity_;
  Interpreter interpreter_;
  bool undecided_ = false;
  std::map<Offset, std::string> left_open_elsewhere_;
};

Result<std::unique_ptr<ModelProgram>> load_model(const std::string& path, const Defines& defines,
                                                 const ModelOptions& options = {});
// The same for a text in memory; `name` stands for the file in messages.
Result<std::unique_ptr<ModelProgram>> load_model_text(std::string text, const std::string& name, const Defines& defines,
                                                      const ModelOptions& options = {});

}  // namespace heddle::model
