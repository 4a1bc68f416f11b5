// `--check`: Heddle under suspicion. While a program is explored, every execution is looked at again by the obvious
// methods of this folder, and in the end every finding is replayed. A disagreement is a bug of ours and ends the
// process with the schedule that shows it.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "explore/explorer.h"
#include "trace/program.h"

namespace heddle::check {

// Where a C++ program has had a lock that was held to the end of its life, it may have another one.
enum class Locks : std::uint8_t { kForever, kMadeAnew };

class SelfCheck {
 public:
  SelfCheck(const explore::StrategyOptions& strategy, Locks locks);
  ~SelfCheck();
  SelfCheck(const SelfCheck&) = delete;
  SelfCheck& operator=(const SelfCheck&) = delete;

  // Happens-before agrees with the transitive closure of dependence; locks exclude; no class comes twice where none
  // may.
  void on_execution(const trace::Execution& execution);
  // The classes were counted right, and every finding replays to itself. (`program` looks at the states that an
  // execution passes, if there are properties; explore::explain_findings has made findings such executions.)
  void conclude(trace::Program& program, const explore::ExploreResult& result);

 private:
  Locks locks_;
  bool each_class_once_;
  std::set<std::string> classes_;  // by canonical form, not by fingerprint
};

}  // namespace heddle::check
