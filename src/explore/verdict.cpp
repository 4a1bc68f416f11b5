#include "explore/verdict.h"

namespace heddle::explore {

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBug:
      return "bug";
    case Verdict::kNoBug:
      return "no bug";
    case Verdict::kInconclusive:
      return "inconclusive";
  }
  return "?";
}

std::string text_of(const Gap& gap) {
  switch (gap.cause) {
    case Cause::kFirstBug:
      return "stopped at the first bug";
    case Cause::kExecutionBudget:
      return "the budget of " + gap.detail + " executions is used up";
    case Cause::kTimeBudget:
      return "the time budget is used up";
    case Cause::kInterrupted:
      return "interrupted";
    case Cause::kNotDeterministic:
      return "the program is not deterministic: " + gap.detail +
             "; look for uncontrolled input (time, addresses, random numbers) and for code that was not built with "
             "heddle-cc";
    case Cause::kUnforeseen:
      return "the program did what its earlier operations do not account for (" + gap.detail +
             " times); use --algorithm=optimal-dpor";
    case Cause::kWaitsOpen:
      return (gap.detail.empty() ? "" : gap.detail + ": ") +
             "threads wait in loops, and whether one of them ever finds what it waits for is not known: it looks at "
             "what "
             "another one sets and sets back in passing, or counts very long; let it wait for something that stays";
    case Cause::kInputsDrawn:
      return "inputs were drawn at random (seed " + gap.detail + "), not explored";
    case Cause::kOneExecution:
      return "a replay is one execution";
    case Cause::kNotFollowed:
      return "the schedule could not be followed beyond step " + gap.detail;
    case Cause::kOtherBug:
      return "the schedule was saved for a bug of kind \"" + gap.detail + "\", which did not happen";
    case Cause::kCorpus:
      return "a schedule of the corpus failed: " + gap.detail;
    case Cause::kOtherModel:
      return "another memory model shows bugs besides; run it with --memory=" + gap.detail + ", too";
    case Cause::kParted:
    case Cause::kNotInNet:
    case Cause::kInputsOpen:
    case Cause::kStatesOpen:
    case Cause::kWorkerEnded:
      return gap.detail;
  }
  return gap.detail;
}

std::string text_of(const std::vector<Gap>& gaps) {
  std::string text;
  for (const Gap& gap : gaps) text += (text.empty() ? "" : "; ") + text_of(gap);
  return text;
}

}  // namespace heddle::explore
