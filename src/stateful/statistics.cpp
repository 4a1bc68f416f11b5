#include "stateful/statistics.h"

namespace heddle::stateful {
namespace {

std::string counted(std::uint64_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

}  // namespace

std::string to_text(const Statistics& s) {
  if (s.net.transitions == 0) return s.complete ? "the net is empty: no thread does anything visible" : "";
  std::string text = "net of " + counted(s.net.places, "place") + " and " + counted(s.net.transitions, "transition") +
                     (s.complete ? "; " : " so far; ");
  if (s.events > 0)
    text += "prefix of " + counted(s.events, "event") + ", " + std::to_string(s.cut_off) + " of them cut off; ";
  else
    text += counted(s.markings, "marking") + "; ";
  text += counted(s.executions, "execution") + (s.complete ? " to learn it" : ", not all learnt");
  if (s.confirmations > 0) text += ", " + std::to_string(s.confirmations) + " more to end in what was found in it";
  return text + "; " + std::to_string((s.bytes + (1 << 20) - 1) >> 20) + " MiB";
}

std::string left_open(const Statistics& s) {
  constexpr const char* kRemedy = "; use --algorithm=optimal-dpor";
  if (s.unforeseen > 0)
    return "the program did what its earlier operations do not account for (" + std::to_string(s.unforeseen) +
           " times)" + kRemedy;
  if (s.assumptions)
    return std::string("an assumption failed, and a net does not say which executions it leaves") + kRemedy;
  if (s.words) return std::string("threads wait on a word (futex), which the net does not model") + kRemedy;
  if (s.turns)
    return std::string("a waiting loop does more than to read, and where it stops depends on others") + kRemedy;
  if (s.undecided) return unfold::kUndecided + std::string(kRemedy);
  if (s.missed > 0) return std::to_string(s.missed) + " executions did not show what they were run for" + kRemedy;
  return {};
}

explore::Account account_of(const Statistics& s) {
  explore::Account account{to_text(s)};
  if (s.stopped)
    account.gaps.push_back({explore::Cause::kTimeBudget});
  else if (std::string open = left_open(s); !open.empty())
    account.gaps.push_back({explore::Cause::kNotInNet, std::move(open)});
  return account;
}

}  // namespace heddle::stateful
