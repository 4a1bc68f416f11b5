#include "property/class_states.h"

#include <algorithm>

namespace heddle::property {

using symbolic::TermId;
using trace::Execution;

namespace {
// States of one execution that are looked at; beyond, the search is not complete, and says so.
constexpr std::uint64_t kMostStates = 20'000'000;
}  // namespace

ClassStates::ClassStates(Property& property, Changes::Locator locator, Judge judge)
    : property_(property),
      alternatives_(alternatives(property.expression.terms, property.target)),
      changes_(property.expression.atoms, std::move(locator)),
      judge_(std::move(judge)) {
  const auto& atoms = property.expression.atoms;
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    if (atoms[a].kind != AtomKind::kDeadlock) continue;
    speaks_of_deadlock_ = true;
    deadlock_ = a;
  }
}

bool ClassStates::find(const Execution& execution, EventIndex common, std::vector<EventIndex>& cut) {
  execution_ = &execution;
  looked_at_ = 0;
  changes_.read(execution);
  before_.truncate(std::min(common, before_.size()));
  for (EventIndex i = before_.size(); i < execution.steps.size(); ++i) before_.push(execution.steps[i]);
  for (const TermId condition : alternatives_) {
    if (!search(condition, common)) continue;
    least_cut(cut);
    return true;
  }
  if (!speaks_of_deadlock_ || !changes_.deadlocked()) return false;
  condition_ = property_.target;
  values_ = changes_.initial();
  for (const Change& change : changes_.list()) values_[change.atom] = change.to;
  values_[deadlock_].value = 1;
  relevant_.clear();
  cut.resize(execution.steps.size());
  for (EventIndex i = 0; i < cut.size(); ++i) cut[i] = i;
  numbers_.resize(values_.size());
  for (std::size_t a = 0; a < values_.size(); ++a) numbers_[a] = values_[a].value;
  if (property_.expression.terms.evaluate(condition_, numbers_) != 0) return true;
  return judge_ && judge_(condition_, values_, cut);
}

// Steps that change what the condition speaks of.
void ClassStates::collect(TermId condition) {
  condition_ = condition;
  atoms_ = property_.expression.terms.support(condition);
  relevant_.clear();
  for (const Change& change : changes_.list()) {
    if (std::find(atoms_.begin(), atoms_.end(), change.atom) == atoms_.end()) continue;
    if (relevant_.empty() || relevant_.back().step != change.step) relevant_.push_back({change.step, {}, {}});
    relevant_.back().changes.push_back(change);
  }
}

void ClassStates::order_relevant() {
  for (std::uint32_t j = 0; j < relevant_.size(); ++j)
    for (std::uint32_t i = 0; i < j; ++i)
      if (before_.before(relevant_[i].step, relevant_[j].step)) relevant_[j].before.push_back(i);
}

bool ClassStates::search(TermId condition, EventIndex common) {
  collect(condition);
  if (common > 0 && (relevant_.empty() || relevant_.back().step < common)) return false;
  order_relevant();
  in_.assign(relevant_.size(), false);
  values_ = changes_.initial();
  if (common == 0 && holds()) return true;  // before the first step
  for (std::uint32_t latest = 0; latest < relevant_.size(); ++latest)
    if (relevant_[latest].step >= common && with_latest(latest)) return true;
  return false;
}

bool ClassStates::with_latest(std::uint32_t latest) {
  in_.assign(relevant_.size(), false);
  values_ = changes_.initial();
  in_[latest] = true;
  for (const std::uint32_t i : relevant_[latest].before) {
    in_[i] = true;
    for (const Change& change : relevant_[i].changes) values_[change.atom] = change.to;
  }
  for (const Change& change : relevant_[latest].changes) values_[change.atom] = change.to;
  return extend(0, latest);
}

// Goes through what can be added to the ideal of the steps from position `next` on. On success the ideal stays.
bool ClassStates::extend(std::uint32_t next, std::uint32_t end) {
  const auto can_be_added = [&](const Relevant& r) {
    return std::all_of(r.before.begin(), r.before.end(), [&](std::uint32_t b) { return in_[b]; });
  };
  while (next < end && (in_[next] || !can_be_added(relevant_[next]))) ++next;
  if (next == end) return holds();
  if (gave_up_) return false;
  if (extend(next + 1, end)) return true;
  // Later than whatever the ideal has of the same atoms: those changes are ordered.
  std::vector<AtomValue> saved;
  for (const Change& change : relevant_[next].changes) {
    saved.push_back(values_[change.atom]);
    values_[change.atom] = change.to;
  }
  in_[next] = true;
  if (extend(next + 1, end)) return true;
  in_[next] = false;
  for (std::size_t i = saved.size(); i-- > 0;) values_[relevant_[next].changes[i].atom] = saved[i];
  return false;
}

bool ClassStates::holds() {
  if (++looked_at_ > kMostStates) gave_up_ = true;
  bool symbolic = false;
  numbers_.resize(values_.size());
  for (const std::uint32_t a : atoms_) {
    numbers_[a] = values_[a].value;
    symbolic = symbolic || values_[a].term != symbolic::kNoTerm;
  }
  const bool true_here = property_.expression.terms.evaluate(condition_, numbers_) != 0;
  if (!true_here && !(symbolic && judge_)) return false;
  std::vector<EventIndex> cut;
  if (speaks_of_deadlock_ && changes_.deadlocked()) {
    least_cut(cut);
    if (cut.size() == execution_->steps.size()) return false;  // the last state: find() looks at it
  }
  if (true_here) return true;
  least_cut(cut);
  return judge_(condition_, values_, cut);
}

void ClassStates::least_cut(std::vector<EventIndex>& cut) const {
  cut.clear();
  for (EventIndex i = 0; i < execution_->steps.size(); ++i) {
    for (std::uint32_t r = 0; r < relevant_.size(); ++r) {
      if (!in_[r] || relevant_[r].step < i || !before_.before(i, relevant_[r].step)) continue;
      cut.push_back(i);
      break;
    }
  }
}

}  // namespace heddle::property
