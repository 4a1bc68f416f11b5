#include "unfold/global_search.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "base/random.h"

namespace heddle::unfold {

using property::AtomKind;
using symbolic::kNoTerm;
using symbolic::TermKind;

GlobalSearch::GlobalSearch(Unfolding& unfolding, Concurrency& concurrency, GlobalQuestions questions)
    : u_(unfolding), co_(concurrency), asked_(std::move(questions)) {
  for (property::Property& p : asked_.properties) questions_.emplace_back(std::move(p), asked_.locator);
}

// --- what executions tell ---

void GlobalSearch::note(std::size_t number, std::uint32_t atom, EventId event, const AtomValue& value) {
  Question& question = questions_[number];
  Place& place = question.places[atom];
  // With a term the number depends on the inputs at hand.
  const auto same = [&](const Bucket& b) {
    return value.term != kNoTerm ? b.value.term == value.term : b.value == value;
  };
  auto bucket = std::find_if(place.buckets.begin(), place.buckets.end(), same);
  if (bucket == place.buckets.end()) bucket = place.buckets.insert(bucket, {value, false, {}});
  if (event == kNone) {
    bucket->initial = true;
    return;
  }
  bucket->events.push_back(event);
  ++place.events;
  if (question.changed_by.size() <= event.index()) question.changed_by.resize(u_.event_ids(), 0);
  std::uint32_t& first = question.changed_by[event.index()];
  question.changed.push_back({atom, first});
  first = static_cast<std::uint32_t>(question.changed.size() - 1);
}

void GlobalSearch::learn(const Execution& execution, const std::vector<EventId>& events) {
  const bool first = known_.empty();
  if (known_.size() < u_.event_ids()) known_.resize(std::max<std::size_t>(u_.event_ids(), 1), false);
  assumes_ = assumes_ || std::any_of(execution.steps.begin(), execution.steps.end(),
                                     [](const Step& step) { return step.op.kind == OpKind::kAssume; });
  assumes_ = assumes_ || !execution.unwanted.empty();
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    Question& question = questions_[q];
    question.changes.read(execution);
    if (first)
      for (std::uint32_t a = 0; a < question.places.size(); ++a) note(q, a, kNone, question.changes.initial()[a]);
    for (const property::Change& change : question.changes.list())
      if (const EventId e = events[change.step]; e != kNone && !known_[e.index()]) note(q, change.atom, e, change.to);
  }
  learn_answers(execution);
  for (const EventId e : events) known_[e.index()] = true;
}

void GlobalSearch::learn_answers(const Execution& execution) {
  for (Question& question : questions_) question.shown = question.shown || question.property->shown_by(execution);
}

bool GlobalSearch::undecided() const {
  return undecided_ ||
         std::any_of(questions_.begin(), questions_.end(), [](const Question& q) { return q.tried > 0 && !q.shown; });
}

// --- the search ---

bool GlobalSearch::next(std::vector<EventId>& order) {
  for (Question& question : questions_) {
    if (question.answered || (question.shown && !asked_.make_solver) || question.tried == kMostTries) continue;
    if (asked_.make_solver && !assumes_) {
      if (!solve(question)) continue;
      ++question.tried;
      order = order_;
      return true;
    }
    skip_ = question.tried;
    symbolic::TermStore& terms = question.property->expression.terms;
    for (const TermId condition : property::alternatives(terms, question.property->target)) {
      if (!search(question, condition)) continue;
      ++question.tried;
      order = order_;
      return true;
    }
    question.answered = true;  // there is none
  }
  return false;
}

// Changes that lead to the values with which some alternative of the condition may hold, for all that each value tells
// alone: the first `most` of each value, and `left_out` says whether there are more.
Cone GlobalSearch::cone_of(Question& question, std::size_t most, bool& left_out) {
  Cone cone(u_);
  left_out = false;
  question_ = &question;
  symbolic::TermStore& terms = question.property->expression.terms;
  values_.assign(question.places.size(), {});
  numbers_.assign(values_.size(), 0);
  for (const TermId condition : property::alternatives(terms, question.property->target)) {
    plan(condition);
    for (const std::uint32_t atom : atoms_)
      for (const Bucket& bucket : question.places[atom].buckets) {
        numbers_[atom] = bucket.value.value;
        const bool refuted =
            bucket.value.term == kNoTerm &&
            std::any_of(literals_.begin(), literals_.end(), [&](const Literal& literal) {
              const auto& support = terms.support(literal.term);
              return support.size() == 1 && support.front() == atom && terms.evaluate(literal.term, numbers_) == 0;
            });
        if (refuted) continue;
        const std::size_t n = std::min(most, bucket.events.size());
        for (std::size_t i = 0; i < n; ++i) cone.add(bucket.events[i]);
        left_out = left_out || n < bucket.events.size();
      }
  }
  return cone;
}

// A formula is put also for what an execution has answered: whoever asks for it wants to compare. The first ways to
// each value make a small formula, and what it says is reachable is; if it says nothing of the kind, the whole one is
// asked.
bool GlobalSearch::solve(Question& question) {
  question.answered = true;
  const auto& atoms = question.property->expression.atoms;
  const bool deadlocks =
      std::any_of(atoms.begin(), atoms.end(), [](const property::Atom& a) { return a.kind == AtomKind::kDeadlock; });
  std::vector<AtomHistory> histories;
  for (const Place& place : question.places) {
    AtomHistory& history = histories.emplace_back();
    for (const Bucket& bucket : place.buckets) {
      if (bucket.initial) history.initial = bucket.value;
      for (const EventId e : bucket.events) history.changes.emplace_back(e, bucket.value);
    }
  }
  constexpr std::size_t kFew = 8, kAll = ~std::size_t{0};
  SmtEncoding::State state;
  symbolic::Answer answer = symbolic::Answer::kUnsat;
  for (const std::size_t most : {kFew, kAll}) {
    bool left_out = false;
    SmtEncoding encoding(u_, cone_of(question, most, left_out), deadlocks, asked_.space, asked_.make_solver);
    answer = encoding.solve(*question.property, histories, state);
    if (answer == symbolic::Answer::kSat || !left_out) break;
  }
  INVARIANT(answer != symbolic::Answer::kUnsat || !question.shown);
  if (answer == symbolic::Answer::kUnsat) return false;
  if (answer == symbolic::Answer::kUnknown || !co_.linearize(state.past, order_)) {
    undecided_ = true;
    return false;
  }
  if (asked_.space != nullptr) asked_.prefer(state.inputs);
  return true;
}

bool GlobalSearch::search(Question& question, TermId condition) {
  question_ = &question;
  condition_ = condition;
  plan(condition);
  values_.assign(question.property->expression.atoms.size(), {});
  numbers_.assign(values_.size(), 0);
  chosen_.assign(atoms_.size(), kNone);
  chosen_bucket_.assign(atoms_.size(), 0);
  for (const bool deadlock : {false, true}) {
    wants_deadlock_ = deadlock;
    // It is no place of its own; alone it has been looked for already (deadlock_search.h).
    if (deadlock && (deadlock_ == kNoAtom || atoms_.empty())) return false;
    if (deadlock_ != kNoAtom) numbers_[deadlock_] = values_[deadlock_].value = deadlock ? 1 : 0;
    good_.clear();
    pasts_.assign(1, PastBuffer(u_.threads(), 0));
    if (atoms_.empty() ? !refuted(0) && found() : choose(0)) return true;
  }
  return false;
}

// Atoms with few conditions first; parts of the conjunction by the atom that comes last.
void GlobalSearch::plan(TermId condition) {
  symbolic::TermStore& terms = question_->property->expression.terms;
  const auto& atoms = question_->property->expression.atoms;
  atoms_.clear();
  deadlock_ = kNoAtom;
  for (const std::uint32_t a : terms.support(condition)) {
    if (atoms[a].kind == AtomKind::kDeadlock)
      deadlock_ = a;
    else
      atoms_.push_back(a);
  }
  std::stable_sort(atoms_.begin(), atoms_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return question_->places[a].events < question_->places[b].events;
  });
  literals_.clear();
  std::vector<TermId> parts{condition};
  while (!parts.empty()) {
    const TermId part = parts.back();
    parts.pop_back();
    if (terms[part].kind == TermKind::kAnd && terms[part].width == 1) {
      parts.push_back(terms[part].a);
      parts.push_back(terms[part].b);
      continue;
    }
    std::size_t level = 0;
    for (const std::uint32_t a : terms.support(part))
      for (std::size_t l = 0; l < atoms_.size(); ++l)
        if (atoms_[l] == a) level = std::max(level, l);
    literals_.push_back({part, level});
  }
}

// Some part of the condition is certain not to hold.
bool GlobalSearch::refuted(std::size_t level) {
  symbolic::TermStore& terms = question_->property->expression.terms;
  for (const Literal& literal : literals_) {
    if (literal.level != level) continue;
    const auto& support = terms.support(literal.term);
    if (std::any_of(support.begin(), support.end(), [&](std::uint32_t a) { return values_[a].term != kNoTerm; }))
      continue;
    if (terms.evaluate(literal.term, numbers_) == 0) return true;
  }
  return false;
}

// Values of the atom at `level` that are not refuted by those before it.
const std::vector<std::uint32_t>& GlobalSearch::good_values(std::size_t level) {
  std::uint64_t key = level + 1;
  for (std::size_t l = 0; l < level; ++l) key = combine(key, chosen_bucket_[l]);
  const auto [place, added] = good_.try_emplace(key);
  if (!added) return place->second;
  const std::uint32_t atom = atoms_[level];
  const auto& buckets = question_->places[atom].buckets;
  for (std::uint32_t b = 0; b < buckets.size(); ++b) {
    values_[atom] = buckets[b].value;
    numbers_[atom] = buckets[b].value.value;
    if (!refuted(level)) place->second.push_back(b);
  }
  return place->second;
}

// Has the search been given up?
bool GlobalSearch::given_up() {
  constexpr std::uint64_t kOften = 4096;
  if (!given_up_ && ++choices_ % kOften == 0 && asked_.goes_on && !asked_.goes_on()) given_up_ = undecided_ = true;
  return given_up_;
}

bool GlobalSearch::choose(std::size_t level) {
  if (given_up()) return false;
  if (level == atoms_.size()) return found();
  const std::uint32_t atom = atoms_[level];
  const auto& buckets = question_->places[atom].buckets;
  const std::vector<std::uint32_t> good = good_values(level);
  for (const std::uint32_t b : good) {
    chosen_bucket_[level] = b;
    values_[atom] = buckets[b].value;
    numbers_[atom] = buckets[b].value.value;
    if (level + 1 < atoms_.size() && good_values(level + 1).empty()) continue;
    values_[atom] = buckets[b].value;
    if (buckets[b].initial && try_initial(level)) return true;
    for (const EventId e : buckets[b].events) {
      if (given_up()) return false;
      if (try_event(level, e)) return true;
    }
  }
  return false;
}

bool GlobalSearch::try_initial(std::size_t level) {
  chosen_[level] = kNone;
  if (changed_since(atoms_[level], pasts_.back(), kNone)) return false;
  pasts_.push_back(pasts_.back());
  if (choose(level + 1)) return true;
  pasts_.pop_back();
  return false;
}

bool GlobalSearch::try_event(std::size_t level, EventId e) {
  if (level > 0 && !co_.compatible(pasts_.back(), u_.past(e))) return false;
  chosen_[level] = e;
  PastBuffer joint = pasts_.back();
  join_past(joint, u_.past(e));
  // What comes with it does not change the atoms chosen before it again, nor do they come with a change of this one.
  if (!leaves_alone(joint, pasts_.back(), level) || changed_since(atoms_[level], joint, e)) return false;
  pasts_.push_back(std::move(joint));
  if (choose(level + 1)) return true;
  pasts_.pop_back();
  return false;
}

bool GlobalSearch::changes(std::uint32_t event, std::uint32_t atom) const {
  if (event >= question_->changed_by.size()) return false;
  std::uint32_t i = question_->changed_by[event];
  while (i != 0 && question_->changed[i].atom != atom) i = question_->changed[i].next;
  return i != 0;
}

// Does the past change the atom after e? Changes of one atom are ordered, and ids with them.
bool GlobalSearch::changed_since(std::uint32_t atom, const PastBuffer& past, EventId e) const {
  for (const std::uint32_t last : past)
    for (std::uint32_t x = last; x > e.value; x = u_[EventId(x)].previous.value)
      if (changes(x, atom)) return true;
  return false;
}

// Does what `past` has more than `since` leave the atoms of the first levels as they are?
bool GlobalSearch::leaves_alone(const PastBuffer& past, const PastBuffer& since, std::size_t levels) const {
  for (std::size_t t = 0; t < past.size(); ++t)
    for (std::uint32_t x = past[t]; x > last_in(since, t); x = u_[EventId(x)].previous.value)
      for (std::size_t l = 0; l < levels; ++l)
        if (changes(x, atoms_[l])) return false;
  return true;
}

// Every atom has a value, and these can be marked together.
bool GlobalSearch::found() {
  if (wants_deadlock_ || assumes_) return whole();
  symbolic::Assignment inputs;
  if (!co_.linearize(pasts_.back(), order_) || !satisfiable(pasts_.back(), inputs)) return false;
  return take(inputs);
}

// Unless it has been tried.
bool GlobalSearch::take(const symbolic::Assignment& inputs) {
  if (skip_ > 0) {
    --skip_;
    return false;
  }
  if (asked_.space != nullptr) asked_.prefer(inputs);
  return true;
}

// Does an execution that counts pass the state, or end in it by a deadlock? The first events are those of the state.
bool GlobalSearch::whole() {
  if (!whole_) whole_ = std::make_unique<WholeExecutions>(u_, co_, nullptr, asked_.goes_on);
  const PastBuffer state = pasts_.back();
  const bool taken = whole_->extend(state, [&](const PastBuffer& all, bool deadlocked) {
    if (wants_deadlock_ && (!deadlocked || !leaves_alone(all, state, atoms_.size()))) return false;
    symbolic::Assignment inputs;
    std::vector<EventId> events;
    if (!co_.linearize(all, events)) return false;
    const PastBuffer passed = passed_by(events, state);
    if (!leaves_alone(passed, state, atoms_.size()) || !satisfiable(all, inputs)) return false;
    co_.linearize(passed, order_);
    for (const EventId e : events)
      if (!u_.contains(passed, e)) order_.push_back(e);
    return take(inputs);
  });
  if (whole_->given_up()) given_up_ = undecided_ = true;
  return taken;
}

// What the whole execution has done when it has done what leads to the state: reads of values that are replaced on the
// way there come before it, though nothing else says so (contextual).
PastBuffer GlobalSearch::passed_by(const std::vector<EventId>& events, const PastBuffer& state) const {
  PastBuffer passed = state;
  for (bool more = true; more;) {
    more = false;
    std::vector<bool> replaced(u_.event_ids(), false);
    for (const EventId e : events)
      if (u_[e].source != kNone && u_[e].writes() && u_.contains(passed, e)) replaced[u_[e].source.index()] = true;
    for (const EventId e : events) {
      if (u_[e].source == kNone || u_[e].writes() || !replaced[u_[e].source.index()] || u_.contains(passed, e))
        continue;
      join_past(passed, u_.past(e));
      more = true;
    }
  }
  return passed;
}

// Inputs that lead along the branches of the past to values with which the condition holds.
bool GlobalSearch::satisfiable(const PastBuffer& past, symbolic::Assignment& inputs) {
  if (asked_.space == nullptr) return true;
  symbolic::InputSpace& space = *asked_.space;
  std::vector<TermId> conditions{
      property::substitute(question_->property->expression, condition_, values_, space.terms())};
  for (const std::uint32_t last : past)
    for (EventId e(last); e != kNone; e = u_[e].previous)
      if (const auto value = u_.branch_values.find(u_[e].from.value); value != u_.branch_values.end())
        conditions.push_back(space.condition(TermId(static_cast<std::uint32_t>(value->second)), u_[e].choice));
  const symbolic::Answer answer = space.queries().ask(std::move(conditions), space.last_inputs(), inputs);
  undecided_ = undecided_ || answer == symbolic::Answer::kUnknown;
  return answer == symbolic::Answer::kSat;
}

}  // namespace heddle::unfold
