#include "dist/search.h"

#include <algorithm>
#include <map>

namespace heddle::dist {
namespace {

using Clock = std::chrono::steady_clock;
using explore::Cause;

constexpr double kGrace = 10;               // seconds in which explorers have to come to an end when the search has
constexpr std::uint32_t kShortestItem = 5;  // milliseconds
constexpr double kTimesTheRecord = 10;      // an item takes so much longer than keeping what came of it, if it can

class Search {
 public:
  Search(Coordinator& coordinator, WorkPool& pool, const SearchOptions& options)
      : coordinator_(coordinator), pool_(pool), options_(options) {}

  Result<explore::ExploreResult> run() {
    if (auto error = record()) return *error;
    judge();
    while (!coordinator_.is_over()) {
      if (!stop_) give();
      if (coordinator_.out() == 0 && (stop_ || coordinator_.waiting() == 0)) break;
      if (stop_ && elapsed() - stopped_ > kGrace) break;  // what they are at does not count
      const bool wanting = !stop_ && pool_.room() > 0;
      pool_.hurry(stop_ || (wanting && elapsed() >= recorded_ + kTimesTheRecord * recording_));
      // Longer items while everybody has something to do, shorter ones while somebody waits.
      const auto shortest = static_cast<std::uint32_t>(1000 * kTimesTheRecord * recording_);
      length_ = std::clamp(wanting ? length_ / 2 : length_ + length_ / 2,
                           std::clamp(shortest, kShortestItem, options_.longest_item), options_.longest_item);
      for (Answer& answer : pool_.wait(std::chrono::milliseconds(50)))
        if (auto error = take_in(std::move(answer))) return *error;
      if (auto error = record()) return *error;
      judge();
      report();
    }
    return conclude();
  }

 private:
  void give() {
    pool_.hurry(false);
    while (pool_.room() > coordinator_.waiting() && coordinator_.divide()) {
    }
    while (pool_.room() > 0 && left() != 0) {
      auto item = coordinator_.take(budget());
      if (!item) return;
      if (options_.max_executions) promised_[{item->segment, item->attempt}] = item->budget.executions;
      pool_.give(std::move(*item));
    }
  }

  Budget budget() const {
    Budget budget{0, length_, !options_.all};
    if (options_.max_seconds) {
      const double left = std::max(0.0, *options_.max_seconds - elapsed());
      if (left < 0.001 * length_) budget.milliseconds = 1 + static_cast<std::uint32_t>(1000 * left);
    }
    if (const auto n = left()) budget.executions = std::max<std::uint64_t>(1, *n / pool_.room());
    return budget;
  }

  // Executions that nobody has done yet, and that nobody is to do. Nothing: there is no end to them.
  std::optional<std::uint64_t> left() const {
    if (!options_.max_executions) return std::nullopt;
    std::uint64_t taken = executions();
    for (const auto& [item, promised] : promised_) taken += promised;
    return *options_.max_executions - std::min(*options_.max_executions, taken);
  }

  std::optional<Error> take_in(Answer answer) {
    if (!answer.error.empty()) return Error{answer.error};
    promised_.erase({answer.segment, answer.attempt});
    if (answer.discovery && coordinator_.is_front(answer.segment, answer.attempt)) {
      coordinator_.begin_anew();
      pool_.begin_anew(answer);
      promised_.clear();
      stop_.reset();  // what was found has to be found again
    } else if (answer.discovery || answer.for_front_only)
      coordinator_.hold(answer.segment, answer.attempt);
    else if (answer.result)
      coordinator_.accept(std::move(*answer.result));
    else
      coordinator_.lost(answer.segment, answer.attempt);
    return std::nullopt;
  }

  std::optional<Error> record() {
    const double now = elapsed();
    coordinator_.spend(now - std::exchange(spent_, now));
    const Changes changes = coordinator_.take_changes();
    if (!options_.recorder) return std::nullopt;
    auto error = options_.recorder->record(coordinator_, changes, pool_.take_knowledge());
    recorded_ = elapsed();
    recording_ = recorded_ - now;
    return error;
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  std::uint64_t executions() const {
    std::uint64_t n = coordinator_.record().committed.executions;
    for (const Segment& segment : coordinator_.segments()) n += segment.tally.executions;
    return n;
  }

  // A reason to stop? Those at work are asked to come to an end, and what they have done counts.
  void judge() {
    bool found = !coordinator_.record().committed.findings.empty();
    for (const Segment& segment : coordinator_.segments()) found = found || !segment.tally.findings.empty();
    if (found && !options_.all) stop({Cause::kFirstBug});
    if (coordinator_.record().committed.parted) stop({Cause::kNotDeterministic});
    if (options_.max_executions && executions() >= *options_.max_executions)
      stop({Cause::kExecutionBudget, std::to_string(*options_.max_executions)});
    if (options_.gives_way && options_.gives_way(executions()))
      stop({Cause::kExecutionBudget, std::to_string(executions())});
    if (options_.max_seconds && elapsed() >= *options_.max_seconds) stop({Cause::kTimeBudget});
  }

  void stop(explore::Gap why) {
    if (stop_) return;
    stop_ = std::move(why);
    stopped_ = elapsed();
  }

  void report() {
    if (!options_.observer || elapsed() - reported_ < 0.1) return;
    reported_ = elapsed();
    explore::Progress progress;
    const auto count = [&](const Tally& tally) {
      progress.executions += tally.executions;
      progress.classes += tally.classes;
      progress.findings += tally.findings.size();
      progress.steps += tally.steps;
    };
    count(coordinator_.record().committed);
    for (const Segment& segment : coordinator_.segments()) count(segment.tally);
    progress.depth = coordinator_.is_over() ? 0 : coordinator_.segments().front().present.path.size();
    progress.seconds = elapsed();
    if (!options_.observer(progress)) stop({Cause::kInterrupted});
  }

  explore::ExploreResult conclude() {
    explore::ExploreResult result = coordinator_.so_far();
    result.ended = coordinator_.is_over() && coordinator_.samples() == 0;
    if (coordinator_.is_over() && coordinator_.samples() > 0 && !stop_)
      stop_ = explore::Gap{Cause::kExecutionBudget, std::to_string(coordinator_.samples())};
    const bool says_why = std::any_of(result.gaps.begin(), result.gaps.end(),
                                      [&](const explore::Gap& gap) { return gap.cause == Cause::kNotDeterministic; });
    if (stop_ && !result.ended && !says_why) result.gaps.insert(result.gaps.begin(), *stop_);
    result.seconds = coordinator_.record().seconds;
    return result;
  }

  Coordinator& coordinator_;
  WorkPool& pool_;
  const SearchOptions& options_;
  const Clock::time_point start_ = Clock::now();
  std::uint32_t length_ = 20;  // of the next items, in milliseconds
  // By segment and attempt: how many executions whoever has it may do, if there is an end to them.
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> promised_;
  double reported_ = 0;
  double spent_ = 0;                     // as the record knows it
  double recorded_ = 0, recording_ = 0;  // when the last record was safe, and how long that took
  std::optional<explore::Gap> stop_;
  double stopped_ = 0;
};

}  // namespace

Result<explore::ExploreResult> search(Coordinator& coordinator, WorkPool& pool, const SearchOptions& options) {
  return Search(coordinator, pool, options).run();
}

}  // namespace heddle::dist
