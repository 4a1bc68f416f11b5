// Properties of global states, asked about one marking after the other: for a search that visits every one.
#pragma once

#include <memory>
#include <vector>

#include "stateful/net_atoms.h"
#include "unfold/global_search.h"

namespace heddle::stateful {

class MarkedStates {
 public:
  MarkedStates(net::ProgramNet& net, unfold::GlobalQuestions questions);

  // Which of the states that are looked for the execution has passed.
  void learn(const trace::Execution& execution);

  // Is the marking a state that is looked for, and that no execution has passed yet? Then the next one should lead
  // there: inputs for it are preferred. Asked again about the same marking, it speaks of the next property.
  bool wanted(const net::Marking& marking, bool deadlocked);

  // The solver could not decide about a state, or executions that were to pass one did not.
  bool undecided() const;

 private:
  struct Question {
    Question(property::Property p, net::ProgramNet& net, const property::Changes::Locator& locator)
        : property(std::make_unique<property::Property>(std::move(p))),
          atoms(net, property->expression.atoms, locator) {}
    std::unique_ptr<property::Property> property;  // the atoms refer to it
    NetAtoms atoms;
    net::Marking::Hash asked;  // about the marking that was run last for it
    bool shown = false;
    std::uint32_t tried = 0;  // markings that were run
  };

  bool holds(Question& question, const net::Marking& marking, bool deadlocked);
  bool satisfiable(Question& question, const net::Marking& marking);

  net::ProgramNet& net_;
  unfold::GlobalQuestions asked_;
  std::vector<Question> questions_;
  std::vector<property::AtomValue> values_;
  symbolic::Assignment numbers_;
  bool undecided_ = false;
};

}  // namespace heddle::stateful
