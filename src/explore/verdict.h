// What a search can say, and why it cannot say more. A search keeps *gaps*: causes for which something was not looked
// at. Everything else follows from them in one place: it is exhausted if the strategy came to its end and left no gap;
// the verdict is a bug if there are findings, no bug if it is exhausted, else inconclusive; the reason is what the gaps
// say. Whoever learns of a gap adds it, and changes nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::explore {

enum class Verdict : std::uint8_t { kBug, kNoBug, kInconclusive };
const char* name_of(Verdict verdict);

// In the words of text_of(); {} is the detail.
enum class Cause : std::uint8_t {
  kFirstBug,          // stopped at the first bug
  kExecutionBudget,   // the budget of {} executions is used up
  kTimeBudget,        // the time budget is used up
  kInterrupted,       // interrupted
  kNotDeterministic,  // the program is not deterministic: {}; look for ...
  kParted,            // {}: the step at which two runs of such a program parted
  kUnforeseen,        // an unfolding met what earlier operations do not account for, {} times
  kNotInNet,          // {}: something that the net of a stateful algorithm does not model
  kInputsOpen,        // {}: something about the inputs that was not followed
  kStatesOpen,        // {}: global states that a property was not looked at in
  kWaitsOpen,         // {}: the place of a loop of which it is not known whether it waits for ever
  kInputsDrawn,       // inputs were drawn at random (seed {}), not explored
  kWorkerEnded,       // {}: the process that searched came to an end before its time
  kOneExecution,      // a replay is one execution
  kNotFollowed,       // the schedule could not be followed beyond step {}
  kOtherBug,          // the schedule was saved for a bug of kind {}, which did not happen
  kCorpus,            // a schedule of the corpus failed: {}
  kOtherModel,        // another memory model has bugs besides: {}
};
inline constexpr std::uint64_t kCauses = static_cast<std::uint64_t>(Cause::kOtherModel) + 1;

struct Gap {
  Cause cause = Cause::kInterrupted;
  std::string detail = {};
  bool operator==(const Gap&) const = default;
};
std::string text_of(const Gap& gap);

// All of them, in their order, as one sentence.
std::string text_of(const std::vector<Gap>& gaps);

}  // namespace heddle::explore
