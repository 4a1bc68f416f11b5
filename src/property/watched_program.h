// A program whose states are looked at: violations of properties become failures of its executions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "property/class_states.h"
#include "symbolic/input_space.h"
#include "trace/program.h"

namespace heddle::property {

// Which states.
enum class Look : std::uint8_t {
  kClass,   // all of the execution's class: for searches that run every class
  kAlong,   // those that the execution itself passes, with the inputs it has: an unfolding is searched afterwards
  kReplay,  // those that it passes; if other inputs on the same path would do, it is run with those
};

// Of a program with symbolic inputs.
struct InputQuestions {
  symbolic::InputSpace* space = nullptr;
  std::function<void(const symbolic::Assignment&)> prefer;  // inputs to begin the next execution with
  // The program makes assumptions. Then inputs must lead not only to a state, but on to the end of the execution: its
  // class and path stand for all that pass the state and come to that end.
  bool assumes = true;
};

class WatchedProgram final : public trace::Program {
 public:
  WatchedProgram(trace::Program& program, std::vector<Property> properties, Look look, InputQuestions inputs = {},
                 Changes::Locator locator = {});

  void run(const trace::Schedule& schedule, trace::Execution& execution) override;
  void set_look(Look look) { look_ = look; }

  // Why not every state was looked at; empty: it was.
  std::string left_open() const;

 private:
  void look_at_class(trace::Execution& execution);
  void look_along(trace::Execution& execution);
  bool look_for_inputs(const trace::Execution& execution, symbolic::Assignment& inputs, EventIndex& steps);
  bool satisfiable(const Expression& expression, symbolic::TermId condition, const std::vector<AtomValue>& values,
                   const std::vector<const trace::Step*>& path, symbolic::Assignment& inputs);

  trace::Program& program_;
  std::vector<Property> properties_;
  Look look_;
  InputQuestions inputs_;
  Changes::Locator locator_;
  std::vector<ClassStates> states_;  // by property
  const trace::Execution* execution_ = nullptr;
  std::vector<trace::Decision> looked_at_;  // the execution of which all states are known
  bool undecided_ = false;
  bool unseen_ = false;
};

}  // namespace heddle::property
