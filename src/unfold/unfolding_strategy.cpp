// What is run next: an event that is possible but not covered; when there is none, what the finished unfolding shows of
// global states.
#include "unfold/unfolding_strategy.h"

#include <algorithm>

#include "base/assert.h"

namespace heddle::unfold {

UnfoldingStrategy::UnfoldingStrategy(const UnfoldingOptions& options)
    : options_(options), u_(options.variant), co_(u_), extensions_(u_, co_, targets_), marking_(u_) {
  if (!options_.global.properties.empty()) global_ = std::make_unique<GlobalSearch>(u_, co_, options_.global);
}

bool UnfoldingStrategy::next(Schedule& schedule) {
  schedule.steps.clear();
  schedule.sleep.clear();
  schedule.tail = {};
  schedule.fresh = 0;
  target_ = kNone;
  aimed_deadlock_ = 0;
  aim_ = Aim::kCover;
  if (!begun_) {
    begun_ = true;
    return true;
  }
  return next_target(schedule) || next_whole(schedule) || next_deadlock(schedule) || next_lost_work(schedule) ||
         next_global(schedule);
}

bool UnfoldingStrategy::next_target(Schedule& schedule) {
  while (!targets_.empty() || !joins_.empty()) {
    const bool late = targets_.empty();
    std::vector<EventId>& from = late ? joins_ : targets_;
    const EventId target = from.back();
    from.pop_back();
    if (u_[target].covered || u_.idle(u_[target].from)) continue;
    if (!late && options_.idle_joins && u_[target].kind == OpKind::kJoin) {
      joins_.push_back(target);
      continue;
    }
    PastBuffer joint(u_.past(target).begin(), u_.past(target).end());
    if (!feasible(joint)) {
      ++statistics_.infeasible;
      continue;
    }
    if (options_.several_targets) add_targets(joint);
    const bool possible = co_.linearize(joint, order_);
    INVARIANT(possible);
    target_ = target;
    write_schedule(order_, schedule);
    return true;
  }
  statistics_.covered = true;
  return false;
}

// Joins the pasts of as many of the latest targets as fit. They stay targets until an execution has run them.
void UnfoldingStrategy::add_targets(PastBuffer& joint) {
  constexpr int kLooks = 32;
  constexpr int kQuestions = 4;  // to a solver
  PastBuffer tried;
  int looks = 0, questions = 0;
  co_.fix(joint);
  for (std::size_t i = targets_.size(); i-- > 0 && looks < kLooks;) {
    const EventId e = targets_[i];
    if (u_[e].covered || u_.idle(u_[e].from)) {
      targets_.erase(targets_.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    ++looks;
    if (!co_.fits(u_.past(e))) continue;
    tried = joint;
    join_past(tried, u_.past(e));
    if (!u_.branch_values.empty() && (++questions > kQuestions || !feasible(tried))) continue;
    joint.swap(tried);
    co_.fix(joint);
  }
}

// Do inputs exist that lead through all branches of a past?
bool UnfoldingStrategy::feasible(Past past) {
  if (options_.feasibility == nullptr || u_.branch_values.empty()) return true;
  branches_.clear();
  for (const std::uint32_t last : past) {
    for (EventId e(last); e != kNone; e = u_[e].previous) {
      const auto value = u_.branch_values.find(u_[e].from.value);
      if (value == u_.branch_values.end()) continue;
      Step& step = branches_.emplace_back();
      step.thread = u_[e].thread;
      step.op.kind = u_[e].kind;
      step.op.before = value->second;
      step.choice = u_[e].choice;
    }
  }
  if (branches_.empty()) return true;
  std::vector<const Step*> steps;
  for (const Step& step : branches_) steps.push_back(&step);
  return options_.feasibility->feasible(steps);
}

Judge UnfoldingStrategy::judge() {
  return [this](Past past) { return feasible(past); };
}

// Events that have been run only where some assumption failed.
bool UnfoldingStrategy::next_whole(Schedule& schedule) {
  if (void_.empty()) return false;
  if (!whole_) {
    whole_ = std::make_unique<WholeExecutions>(u_, co_, judge(), options_.global.goes_on);
    std::sort(void_.begin(), void_.end());  // the latest first: what is before it is run with it
  }
  while (!void_.empty()) {
    const EventId e = void_.back();
    void_.pop_back();
    if (u_[e].counted || !sought_.insert(e.value).second) continue;
    const auto past = whole_->with(e);
    if (!past || !co_.linearize(*past, order_)) continue;
    write_schedule(order_, schedule);
    return true;
  }
  return false;
}

bool UnfoldingStrategy::next_deadlock(Schedule& schedule) {
  if (!options_.deadlocks) return false;
  if (!deadlocks_) {
    sign_deadlocks_again();
    deadlocks_ = std::make_unique<DeadlockSearch>(u_, co_, deadlocks_seen_, judge(), options_.global.goes_on);
  }
  while (const Deadlock* deadlock = deadlocks_->next()) {
    if (deadlocks_seen_.contains(deadlock->signature)) continue;
    if (!co_.linearize(deadlock->past, order_)) continue;
    aim_ = Aim::kDeadlock;
    aimed_deadlock_ = deadlock->signature;
    write_schedule(order_, schedule);
    return true;
  }
  return false;
}

bool UnfoldingStrategy::next_lost_work(Schedule& schedule) {
  if (!options_.deadlocks || exits_seen_.empty()) return false;
  if (!lost_work_) lost_work_ = std::make_unique<LostWorkSearch>(u_, co_, judge());
  while (const LostWork* lost = lost_work_->next(exits_seen_, exits_reported_)) {
    if (!co_.linearize(lost->past, order_)) continue;
    aim_ = Aim::kLostWork;
    write_schedule(order_, schedule);
    return true;
  }
  return false;
}

bool UnfoldingStrategy::next_global(Schedule& schedule) {
  if (!global_ || !global_->next(order_)) return false;
  aim_ = Aim::kGlobal;
  write_schedule(order_, schedule);
  return true;
}

void UnfoldingStrategy::write_schedule(const std::vector<EventId>& order, Schedule& schedule) {
  for (const EventId e : order)
    schedule.steps.push_back({u_[e].thread, has_alternatives(u_[e].kind) ? u_[e].choice : std::uint16_t{0}});
  const std::size_t n = std::min(schedule.steps.size(), previous_.size());
  while (schedule.fresh < n && schedule.steps[schedule.fresh] == previous_[schedule.fresh]) ++schedule.fresh;
}

namespace {

std::string counted(std::uint64_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

}  // namespace

std::string to_text(const UnfoldingStatistics& s) {
  if (s.events == 0) return s.covered ? "the unfolding is empty: no thread does anything visible" : "";
  std::string text = "unfolding of " + counted(s.events, "event") + " and " + counted(s.objects, "object") +
                     (s.covered ? ", " : " so far, ") + std::to_string(bytes_each(s)) + " bytes each; " +
                     counted(s.executions, "execution") + (s.covered ? " to cover it" : ", not all covered");
  if (s.confirmations > 0)
    text += ", " + std::to_string(s.confirmations) + " more to reach deadlocks, exits or states found in it";
  return text;
}

UnfoldingStatistics UnfoldingStrategy::statistics() const {
  UnfoldingStatistics s = statistics_;
  s.undecided =
      (global_ && global_->undecided()) || (deadlocks_ && deadlocks_->given_up()) || (whole_ && whole_->given_up());
  s.checks = co_.checks();
  s.objects = u_.objects();
  s.bytes = u_.bytes() + co_.bytes() + extensions_.bytes() + (targets_.size() + void_.size()) * 4 + waits_.size() * 96;
  return s;
}

explore::Account UnfoldingStrategy::account() const {
  const UnfoldingStatistics s = statistics();
  explore::Account account{to_text(s)};
  if (s.unforeseen > 0) account.gaps.push_back({explore::Cause::kUnforeseen, std::to_string(s.unforeseen)});
  if (s.undecided) account.gaps.push_back({explore::Cause::kStatesOpen, kUndecided});
  return account;
}

}  // namespace heddle::unfold
