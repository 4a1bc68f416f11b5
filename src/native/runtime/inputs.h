// Inputs of the program under test, explored: the native counterpart of model/symbolic_code.cpp.
//
// Code compiled with tracking (native/pass/tracker.h) calls the entry points of symbolic_entries.cpp for whatever
// depends on inputs. Terms, paths and all that answers questions without a solver live here, in the engine's memory,
// which no rewinding touches; the solvers are in another process (remote_solver.h). What belongs to one execution, that
// is terms in memory and the record of arguments, is cleared when it begins.
//
// A branch on a value with a term is a visible operation of its thread. Which outcomes inputs can bring about is worked
// out when the scheduler is about to run the thread (`judge`); if the inputs at hand lead elsewhere than the schedule
// goes, the execution is ended and begun again with others (symbolic/input_space.h).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "native/protocol/messages.h"
#include "native/protocol/symbolic_abi.h"
#include "native/runtime/runtime.h"
#include "native/runtime/term_memory.h"
#include "symbolic/input_space.h"
#include "trace/feasibility.h"

namespace heddle::runtime {

using symbolic::kNoTerm;
using symbolic::TermId;

class Inputs final : public trace::Feasibility {
 public:
  Inputs(const protocol::InputOptions& options, bool code_is_tracked);

  const protocol::InputOptions& options() const { return options_; }
  // Are terms kept in this execution? Otherwise inputs are plain numbers.
  bool tracking() const { return tracking_; }
  symbolic::TermStore& terms() { return space_.terms(); }

  // --- one call of NativeProgram::run ---
  void begin_run(const trace::Schedule& schedule);
  void begin_execution();
  bool again() { return tracking_ && space_.again(); }
  void end_run(trace::Execution& execution);

  // --- the running thread ---
  // Its next input. Whether it is signed, or the first of so many bytes of a buffer, matters to reports only.
  struct Shape {
    unsigned width = 8;
    bool is_signed = false;
    std::uint32_t bytes_left = 0;
  };
  std::uint64_t next(const Shape& shape, const char* label, TermId& term);
  // A step on a condition (count 2) or a number below count; engine code before and after. Returns the outcome, which
  // the inputs at hand lead to; if they do not, this does not return.
  std::size_t decide(TermId value, std::size_t count, std::size_t actual, OpKind kind, const void* pc,
                     SmallSet also = {});
  // The truth of a condition that may have a term.
  bool decide_truth(TermId condition, bool actual, const void* pc) {
    return condition == kNoTerm || terms().is_constant(condition)
               ? actual
               : decide(condition, 2, actual, OpKind::kBranch, pc) != 0;
  }
  // Whether the program says that it failed.
  void decide_exit_code(TermId code, std::uint64_t actual, const void* pc) {
    if (code != kNoTerm) decide_truth(terms().nonzero(terms().extract(code, 0, 8)), (actual & 0xff) != 0, pc);
  }
  // What a term comes to with the inputs at hand.
  symbolic::Bits evaluate(TermId term);
  // Stops the thread where inputs cannot satisfy the condition.
  void assume(TermId condition, bool actual, const void* pc);
  // From here on the value is what it is. If inputs can make it few others (numbers below 128, times a power of two),
  // each is explored; else they are left out, and the result says so.
  void concretise(TermId value, std::uint64_t actual, const void* pc, const std::string& why);
  void leave_open(const void* pc, const std::string& what);
  // The plain pointer that an address with a term was made from, or 0. Addresses of one value that were made from
  // several have the last one's.
  std::uintptr_t made_from(TermId address) const {
    const auto known = made_from_.find(address.value);
    return known == made_from_.end() ? 0 : known->second;
  }
  void note_made_from(TermId address, std::uintptr_t base) {
    if (base != 0) made_from_[address.value] = base;
  }

  // --- the scheduler ---
  bool may_judge(ThreadId t) const { return judging_.contains(t); }
  // Puts the possible outcomes into the pending branch of t. False: they are there already.
  bool judge(ThreadId t);
  // The process ends while threads are about to branch. What they would have done instead of its end is explored, so it
  // must be known what that can be.
  void judge_pending();

  bool feasible(std::span<const trace::Step* const> steps) override;
  symbolic::InputSpace& space() { return space_; }

  // Outcomes that have been seen in this search, by place (BranchOrder::kNewCoverage). Those of an execution in a
  // process of its own have to be told.
  void forget_outcomes() { seen_outcomes_.clear(); }
  void see_outcomes(const trace::Execution& execution);

  // Memory that is compared and swapped holds no terms: whether the swap happens is part of the step. Known from the
  // first comparison of such memory on, which makes the search begin again.
  bool compared(std::uintptr_t address) const { return compared_.contains(address); }
  void learn_compared(std::uintptr_t address);

  protocol::InputReport report();
  // The next execution goes along this one, and with the least inputs that lead there: they are shown to the user, and
  // are the same whatever this process has been asked before.
  void use_least_for(const trace::Execution& execution);

  // For a search by several (item_worker.cpp).
  bool any_read() const { return any_read_; }
  void note_that_read() { any_read_ = true; }
  std::map<std::uint32_t, std::string> take_left_open() { return std::exchange(left_open_, {}); }

  // For executions in processes of their own (isolation.cpp).
  std::size_t known_terms() { return terms().size(); }
  const symbolic::Term& term_at(std::size_t i) { return terms()[TermId(static_cast<std::uint32_t>(i))]; }
  const std::map<std::uint32_t, std::string>& left_open() const { return left_open_; }
  struct LabelKey {
    std::uint16_t thread;
    std::uint32_t ordinal;
    auto operator<=>(const LabelKey&) const = default;
  };
  const std::map<LabelKey, std::string>& labels() const { return labels_; }
  void merge_label(LabelKey key, const std::string& label) {
    any_read_ = true;
    labels_[key] = label;
  }
  void leave_open_at(std::uint32_t where, const std::string& what) { left_open_.try_emplace(where, what); }
  // A value that was taken as it was, for the first time in this execution.
  struct Concretised {
    std::vector<TermId> path;  // its conditions, last first
    TermId term;
    std::uint64_t value = 0;
  };
  std::vector<Concretised> newly_concretised();
  void merge_concretised(const Concretised& taken);
  const std::set<std::uintptr_t>& all_compared() const { return compared_; }

  TermMemory memory;
  bool written = false;  // values that depend on inputs have left memory in this execution (written_values.h)

 private:
  symbolic::PathId start_of(const trace::Schedule& schedule);
  std::vector<TermId> conditions_of(std::span<const trace::Step* const> steps);
  bool always_below(TermId value, std::size_t count);
  // A step on which of few numbers the value is; false if it can be too many.
  bool enumerate(TermId value, std::uint64_t actual, const void* pc);
  void follow_concretised(TermId value, std::uint64_t actual, const void* pc);
  std::uint64_t plain_value(unsigned width, const std::string& label, std::uint32_t ordinal);

  // The pending branch of a thread.
  struct Branch {
    TermId on;
    std::size_t count = 2;
    std::size_t actual = 0;
    symbolic::PathId judged_at = 0;
    bool judged = false;
    SmallSet also = {};  // outcomes besides that with given inputs, which lead on alike
  };
  // A branch of the last execution.
  struct Passed {
    EventIndex step;
    symbolic::PathId before;
    TermId on;
  };

  protocol::InputOptions options_;
  bool tracking_ = false;
  symbolic::InputSpace space_;
  symbolic::PathId start_ = symbolic::kEmptyPath;
  Branch branch_[kMaxThreads];
  ThreadSet judging_;
  std::uint32_t ordinal_[kMaxThreads] = {};
  std::vector<trace::InputValue> read_;
  std::vector<std::pair<TermId, std::uint64_t>> given_terms_;  // of inputs that were given, in this execution
  std::vector<Passed> passed_;
  std::vector<trace::Decision> decisions_;  // of the last execution
  using PathAndTerm = std::pair<symbolic::PathId, std::uint32_t>;
  std::map<PathAndTerm, std::uint64_t> concretisations_;
  std::vector<PathAndTerm> first_concretised_;                       // of these, by the execution under way
  std::map<std::uint32_t, SmallSet> seen_outcomes_;                  // by position
  std::vector<std::pair<std::uint32_t, std::uint16_t>> first_seen_;  // of these, by the execution under way
  std::map<std::uint32_t, std::string> left_open_;                   // by position
  std::map<LabelKey, std::string> labels_;
  std::unordered_map<std::uint32_t, std::uintptr_t> made_from_;  // by term, in this execution
  std::map<std::string, std::int64_t> given_;
  std::set<std::uintptr_t> compared_;
  bool any_read_ = false;
};

// Null before the worker has its options.
extern Inputs* inputs;

// "label[main,1]", "label[t2,3]": as reports and schedule files have it.
std::string input_name(const std::string& label, ThreadId thread, std::uint32_t ordinal);

// Is this function compiled with tracking?
bool is_tracked(const void* function);

// --- arguments of threads ---
// The term of argument k of the function of the runtime that is being called.
TermId argument_term(const void* callee, unsigned k);
void offer_argument(const void* callee, TermId term);

}  // namespace heddle::runtime

extern "C" heddle::protocol::SymbolicCall heddle_sym_call;
