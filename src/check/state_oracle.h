// The slow twin of properties: every interleaving, by plain enumeration, and every state that each of them passes, its
// atoms worked out from the definition. Shares with what it judges only how a condition is evaluated.
#pragma once

#include <optional>
#include <string>

#include "model/model_program.h"
#include "property/property.h"

namespace heddle::check {

// Does the execution itself pass a state that the property looks for?
bool passes(const trace::Execution& execution, property::Property& property);

// Does any execution of the program? Nothing if there are more than `limit` interleavings. An execution in which an
// assumption fails does not count.
std::optional<bool> reachable(trace::Program& program, property::Property& property, std::uint64_t limit);

// The same for a model that reads inputs, each of them from 0 to `most`.
struct InputRange {
  std::int64_t most = 3;
  std::size_t inputs = 4;  // more, and there is no answer
};
std::optional<bool> reachable_with_inputs(const std::string& model, const property::Statement& statement,
                                          InputRange range, std::uint64_t limit);

// A condition over what the model has: variables, locks, threads, lines. The same seed gives the same.
std::string random_condition(const property::Names& names, std::uint64_t seed);

}  // namespace heddle::check
