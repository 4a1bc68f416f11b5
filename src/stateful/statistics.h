// What stateful testing came to, besides its findings.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "explore/strategy.h"
#include "net/program_net.h"
#include "trace/feasibility.h"
#include "unfold/global_search.h"

namespace heddle::stateful {

struct StatefulOptions {
  net::NetOptions net;
  trace::Feasibility* feasibility = nullptr;  // of a program with branches on inputs
  bool predict = true;                        // fire transitions that no execution has run
  bool findings = true;              // look for what local states do not show: deadlocks, lost work, data races
  bool races = false;                // data races are failures
  unfold::GlobalQuestions global{};  // about global states
  // Asked now and then between executions, which may be minutes apart; false ends the search.
  std::function<bool()> goes_on;
};

struct Statistics {
  net::ProgramNet::Counts net;
  std::uint64_t markings = 0;       // visited; of an unfolding: those of its local configurations
  std::uint64_t visits = 0;         // of markings, with those met again
  std::uint64_t events = 0;         // of the prefix
  std::uint64_t cut_off = 0;        // of these
  std::uint64_t executions = 0;     // to learn the net
  std::uint64_t confirmations = 0;  // to end in what was found in it
  std::uint64_t deadlocks = 0;      // sets of blocked local states where nobody can go on
  std::uint64_t missed = 0;         // executions that did not show what they were run for
  std::uint64_t unforeseen = 0;     // steps that differ from what was known of their local state
  std::size_t bytes = 0;
  bool complete = false;     // the net is
  bool stopped = false;      // before that, because somebody asked for it
  bool assumptions = false;  // one has failed
  bool words = false;        // threads wait on words (futex)
  bool turns = false;        // threads look in vain by more than reading
  bool undecided = false;    // whether a global state that is looked for can be reached
};

// One sentence for the user; empty if there is nothing to say.
std::string to_text(const Statistics& statistics);
// Why a run that came to its end has not been through everything; empty if it has.
std::string left_open(const Statistics& statistics);
// Both.
explore::Account account_of(const Statistics& statistics);

}  // namespace heddle::stateful
