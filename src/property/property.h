// A property of global states, as the user states it: on the command line, in a model, in a program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "property/names.h"
#include "trace/execution.h"
#include "trace/outcome.h"

namespace heddle::property {

enum class Kind : std::uint8_t {
  kReachable,  // is there a state in which it holds?
  kNever,      // such a state is a bug
  kAlways,     // a state in which it does not hold is a bug
};
const char* name_of(Kind kind);

// As it was written.
struct Statement {
  Kind kind = Kind::kNever;
  std::string text;
  std::string when;         // only in states in which this holds; empty: in all
  std::uint32_t where = 0;  // of the source, if it is written there
  bool operator==(const Statement&) const = default;
};

// What is said about a state in which it is violated, or reached: the same for every one.
trace::Failure failure_of(const Statement& statement, EventIndex step);

struct Property {
  Statement statement;
  Expression expression;
  symbolic::TermId target;  // the states that are looked for

  trace::Failure failure(EventIndex step) const { return failure_of(statement, step); }
  // Has the execution been found to pass a state that is looked for?
  bool shown_by(const trace::Execution& execution) const;
  // The atoms in one, as numbers: "i = 11, !locked(m)".
  std::string describe(const symbolic::Assignment& values) const;
};

// An error with the text and a caret below what is wrong with it.
Result<Property> make_property(const Statement& statement, const Names& names);

// The condition as alternatives, each of which may speak of fewer atoms than the whole: `a || b` is two questions. If
// there would be too many, the condition itself.
std::vector<symbolic::TermId> alternatives(symbolic::TermStore& terms, symbolic::TermId condition);

// What an atom is in a state: a number, and if it depends on the program's inputs, the term of the front end's store.
struct AtomValue {
  std::uint64_t value = 0;
  symbolic::TermId term = symbolic::kNoTerm;
  bool operator==(const AtomValue&) const = default;
};

// The condition with what the atoms are in a state, as a term of another store.
symbolic::TermId substitute(const Expression& expression, symbolic::TermId condition,
                            const std::vector<AtomValue>& values, symbolic::TermStore& into);

}  // namespace heddle::property
