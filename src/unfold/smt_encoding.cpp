#include "unfold/smt_encoding.h"

#include <algorithm>

#include "base/random.h"
#include "trace/dependence.h"
#include "unfold/hopes.h"
#include "unfold/outcomes.h"

namespace heddle::unfold {

using symbolic::kNoTerm;
using symbolic::Term;
using symbolic::TermKind;

namespace {

constexpr std::chrono::milliseconds kLimit{60'000};  // of a question
const std::string kInput = "input ";                 // before the names of the program's inputs

std::uint64_t place(ThreadId thread, EventId last) { return std::uint64_t{thread.value} << 32 | last.value; }

}  // namespace

void Cone::add(EventId e) {
  if (e == kNone || in_[e.index()]) return;
  in_[e.index()] = true;
  for (const std::uint32_t last : u_.past(e))
    for (EventId x(last); x != kNone && (x == e || !in_[x.index()]); x = u_[x].previous) in_[x.index()] = true;
}

void Cone::add(ConditionId c) {
  add(u_[c].last);
  add(u_[c].waker);
}

SmtEncoding::SmtEncoding(const Unfolding& unfolding, Cone cone, bool deadlocks, symbolic::InputSpace* space,
                         const MakeSolver& make_solver)
    : u_(unfolding), cone_(std::move(cone)), space_(space), solver_(make_solver(store_)) {
  if (deadlocks) find_stuck();
  make_events();
  encode_pasts();
  encode_branches();
  encode_conflicts();
  if (u_.variant() == Variant::kContextual) encode_order();
  base_ = all(std::move(clauses_));
  clauses_.clear();
}

void SmtEncoding::find_stuck() {
  ThreadEnds ends(u_);
  const Hopes hopes(u_, nullptr, ends);
  const auto waits = [&](const Condition& c) { return c.status == Status::kParked || c.status == Status::kPending; };
  for (const auto& list : ends.stuck)
    for (const ConditionId c : list)
      if (waits(u_[c])) stuck_.push_back(c);
  if (stuck_.empty()) return;
  for (const auto& list : ends.ended)
    for (const ConditionId c : list)
      if (u_[c].status == Status::kEnded) ended_.push_back(c);
  for (const auto* list : {&stuck_, &ended_})
    for (const ConditionId c : *list) cone_.add(c);
}

// Balanced, so that no term is deep.
SmtEncoding::TermId SmtEncoding::all(Terms terms) {
  if (terms.empty()) return store_.truth(true);
  while (terms.size() > 1) {
    const std::size_t pairs = terms.size() / 2;
    for (std::size_t i = 0; i < pairs; ++i) terms[i] = store_.make(TermKind::kAnd, terms[2 * i], terms[2 * i + 1]);
    if (terms.size() % 2 != 0) terms[pairs] = terms.back();
    terms.resize(pairs + terms.size() % 2);
  }
  return terms.front();
}

SmtEncoding::TermId SmtEncoding::any(const Terms& terms) {
  Terms negated;
  for (const TermId t : terms) negated.push_back(negation(t));
  return negation(all(std::move(negated)));
}

SmtEncoding::TermId SmtEncoding::fresh(unsigned width) { return store_.input(width, std::to_string(fresh_++)); }

void SmtEncoding::at_most_one(const Terms& terms) {
  constexpr std::size_t kFew = 4;
  if (terms.size() <= kFew) {
    for (std::size_t i = 0; i < terms.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) require(store_.make(TermKind::kOr, negation(terms[i]), negation(terms[k])));
    return;
  }
  // A ladder: `below` says that one of the terms so far is there.
  TermId below = terms.front();
  for (std::size_t i = 1; i < terms.size(); ++i) {
    implies(terms[i], negation(below));
    if (i + 1 == terms.size()) return;
    const TermId next = fresh(1);
    implies(below, next);
    implies(terms[i], next);
    below = next;
  }
}

void SmtEncoding::make_events() {
  const std::size_t n = u_.event_ids();
  events_.assign(n, store_.truth(true));  // nothing before the first event; initial conditions
  writes_.resize(n);
  reads_.resize(n);
  for (std::uint32_t i = 1; i < n; ++i) {
    const EventId e(i);
    const Event& event = u_[e];
    if (event.thread == kNoThread) continue;
    events_[i] = is_event(e) ? fresh(1) : store_.truth(false);
    if (!is_event(e)) continue;
    next_[place(event.thread, event.previous)].push_back(events_[i]);
    if (event.source != kNone) (event.writes() ? writes_ : reads_)[event.source.index()].push_back(events_[i]);
  }
  for (std::uint32_t i = 1; i < u_.condition_ids(); ++i) {
    const Condition& c = u_[ConditionId(i)];
    states_[place(c.thread, c.last)].push_back(ConditionId(i));
  }
}

void SmtEncoding::encode_pasts() {
  for (std::uint32_t i = 1; i < u_.event_ids(); ++i) {
    const EventId e(i);
    if (!is_event(e)) continue;
    const Past past = u_.past(e);
    for (std::size_t t = 0; t < past.size(); ++t) {
      const EventId before = t == u_[e].thread.index() ? u_[e].previous : EventId(past[t]);
      if (before != kNone) implies(event(e), event(before));
    }
  }
}

void SmtEncoding::encode_branches() {
  if (space_ == nullptr) return;
  for (std::uint32_t i = 1; i < u_.event_ids(); ++i) {
    const EventId e(i);
    if (!is_event(e)) continue;
    const auto value = u_.branch_values.find(u_[e].from.value);
    if (value == u_.branch_values.end()) continue;
    implies(event(e), copied(space_->condition(TermId(static_cast<std::uint32_t>(value->second)), u_[e].choice)));
  }
}

namespace {

// The parts of a graph in which every node leads to every other, as a number per node (Tarjan 1972, without recursion).
std::vector<std::uint32_t> circles(const std::vector<std::vector<std::uint32_t>>& after) {
  const auto n = static_cast<std::uint32_t>(after.size());
  std::vector<std::uint32_t> part(n, n), entered(n, 0), lowest(n, 0), next(n, 0), path, stack;
  std::uint32_t parts = 0, time = 0;
  for (std::uint32_t root = 0; root < n; ++root) {
    if (entered[root] == 0) path.push_back(root);
    while (!path.empty()) {
      const std::uint32_t v = path.back();
      if (entered[v] == 0) {
        entered[v] = lowest[v] = ++time;
        stack.push_back(v);
      }
      if (next[v] < after[v].size()) {
        const std::uint32_t w = after[v][next[v]++];
        if (entered[w] == 0)
          path.push_back(w);
        else if (part[w] == n)
          lowest[v] = std::min(lowest[v], entered[w]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) lowest[path.back()] = std::min(lowest[path.back()], lowest[v]);
      if (lowest[v] != entered[v]) continue;
      for (std::uint32_t w = n; w != v; stack.pop_back()) part[w = stack.back()] = parts;
      ++parts;
    }
  }
  return part;
}

// The last read of w by a thread, up to `last`.
EventId last_read_of(const Unfolding& u, EventId last, EventId w) {
  for (EventId e = last; e > w; e = u[e].previous)
    if (u[e].source == w && !u[e].writes()) return e;
  return kNone;
}

}  // namespace

void SmtEncoding::encode_conflicts() {
  for (const auto& [at, events] : next_) at_most_one(events);
  for (const Terms& writes : writes_) at_most_one(writes);
  if (u_.variant() != Variant::kPlaceReplicated) return;
  // What takes the copy of w that a thread has after its read `key`.
  struct Takers {
    Terms terms;
    bool reads = false;
  };
  std::unordered_map<std::uint64_t, Takers> takers;
  const auto copy = [&](EventId w, std::size_t thread, EventId read) -> Takers& {
    return takers[combine(combine(w.value, thread), read.value)];
  };
  for (std::uint32_t i = 1; i < u_.event_ids(); ++i) {
    const EventId e(i);
    const Event& taken = u_[e];
    if (!is_event(e) || taken.source == kNone) continue;
    if (!taken.writes()) {
      Takers& t = copy(taken.source, taken.thread.index(), last_read_of(u_, taken.previous, taken.source));
      t.terms.push_back(event(e));
      t.reads = true;
      continue;
    }
    for (std::size_t t = 0; t < u_.threads(); ++t) {
      const EventId last = t == taken.thread.index() ? taken.previous : EventId(last_in(u_.past(e), t));
      copy(taken.source, t, last_read_of(u_, last, taken.source)).terms.push_back(event(e));
    }
  }
  for (const auto& [key, t] : takers)
    if (t.reads) at_most_one(t.terms);  // writes alone exclude each other already
}

// A node is an event, or what stands between the reads of an event and whatever replaces it.
template <class F>
void SmtEncoding::for_each_order(F&& f) const {
  const auto n = static_cast<std::uint32_t>(u_.event_ids());
  for (std::uint32_t i = 1; i < n; ++i) {
    const EventId e(i);
    const Event& event = u_[e];
    if (!is_event(e)) continue;
    const Condition& from = u_[event.from];
    std::vector<EventId> direct{event.previous, event.source, from.waker};
    if (event.joined != kNoCondition) {
      direct.push_back(u_[event.joined].last);
      direct.push_back(u_[event.joined].waker);
    }
    for (const EventId d : direct)  // C2
      if (d != kNone && is_event(d)) f(e, d.value, i);
    const std::size_t w = event.source.index();
    if (event.source == kNone || reads_[w].empty() || writes_[w].empty()) continue;
    const std::uint32_t replaced = n + event.source.value;
    if (event.writes())
      f(e, replaced, i);  // C3
    else
      f(e, i, replaced);
  }
}

void SmtEncoding::encode_order() {
  const std::size_t nodes = 2 * u_.event_ids();
  std::vector<std::vector<std::uint32_t>> after(nodes);
  for_each_order([&](EventId, std::uint32_t a, std::uint32_t b) { after[a].push_back(b); });
  const std::vector<std::uint32_t> circle = circles(after);
  std::vector<std::uint32_t> sizes(nodes, 0);
  for (const std::uint32_t c : circle) ++sizes[c];
  unsigned width = 1;
  while ((std::size_t{1} << width) <= longest_execution()) ++width;
  Terms numbers(nodes, kNoTerm);
  const auto number = [&](std::uint32_t node) {
    if (numbers[node] == kNoTerm) numbers[node] = fresh(width);
    return numbers[node];
  };
  for_each_order([&](EventId e, std::uint32_t a, std::uint32_t b) {
    if (circle[a] != circle[b] || sizes[circle[a]] < 2) return;
    const TermId earlier = number(a), later = number(b);
    implies(event(e), store_.make(TermKind::kUlt, earlier, later));
  });
}

// Nodes of one, at most.
std::size_t SmtEncoding::longest_execution() const {
  std::vector<std::uint32_t> depth(u_.event_ids(), 0), deepest(u_.threads(), 0);
  for (std::uint32_t i = 1; i < u_.event_ids(); ++i) {
    const Event& e = u_[EventId(i)];
    if (!is_event(EventId(i))) continue;
    depth[i] = depth[e.previous.index()] + 1;
    deepest[e.thread.index()] = std::max(deepest[e.thread.index()], depth[i]);
  }
  std::size_t most = 2;
  for (const std::uint32_t d : deepest) most += 2 * d;
  return most;
}

SmtEncoding::TermId SmtEncoding::last_write(EventId w) {
  Terms parts{event(w)};
  for (const TermId t : writes_[w.index()]) parts.push_back(negation(t));
  return all(std::move(parts));
}

// Who has been woken is in another condition.
SmtEncoding::TermId SmtEncoding::marked(ConditionId c) {
  const auto [known, added] = marked_.try_emplace(c.value, kNoTerm);
  if (!added) return known->second;
  const Condition& condition = u_[c];
  const std::uint64_t at = place(condition.thread, condition.last);
  Terms parts{event(condition.last), event(condition.waker)};
  for (const TermId t : next_[at]) parts.push_back(negation(t));
  if (condition.waker == kNone)
    for (const ConditionId other : states_[at])
      if (u_[other].waker != kNone) parts.push_back(negation(event(u_[other].waker)));
  return marked_[c.value] = all(std::move(parts));
}

// Of those who are stuck; also by events outside of the cone.
SmtEncoding::TermId SmtEncoding::enabled() {
  std::vector<bool> stuck(u_.condition_ids(), false);
  for (const ConditionId c : stuck_) stuck[c.index()] = true;
  Terms cases;
  for (std::uint32_t i = 1; i < u_.event_ids(); ++i) {
    const Event& e = u_[EventId(i)];
    if (!e.covered || e.thread == kNoThread || !stuck[e.from.index()]) continue;
    Terms preset{marked(e.from)};
    if (e.source != kNone) preset.push_back(last_write(e.source));
    if (e.joined != kNoCondition) preset.push_back(marked(e.joined));
    cases.push_back(all(std::move(preset)));
  }
  return any(cases);
}

SmtEncoding::TermId SmtEncoding::deadlock() {
  if (deadlock_ != kNoTerm) return deadlock_;
  if (stuck_.empty()) return deadlock_ = store_.truth(false);
  std::vector<Terms> ended(u_.threads()), waits(u_.threads()), begun(u_.threads());
  for (std::uint32_t i = 1; i < u_.condition_ids(); ++i)
    if (const Condition& c = u_[ConditionId(i)]; c.last == kNone && c.waker != kNone)
      begun[c.thread.index()].push_back(event(c.waker));
  for (const ConditionId c : ended_) ended[u_[c].thread.index()].push_back(marked(c));
  for (const ConditionId c : stuck_) waits[u_[c].thread.index()].push_back(marked(c));
  Terms somebody, everybody{negation(enabled())};
  for (std::size_t t = 0; t < u_.threads(); ++t) {
    const TermId final = any(ended[t]), waiting = any(waits[t]);  // D2, D3
    somebody.push_back(waiting);
    Terms states{final, waiting};
    if (u_.spawned.contains(t)) states.push_back(negation(any(begun[t])));
    everybody.push_back(any(states));
  }
  everybody.push_back(any(somebody));
  return deadlock_ = all(std::move(everybody));  // D4
}

// Changes of one atom are ordered, and ids with them.
EventId SmtEncoding::previous_change(EventId e, const std::vector<bool>& changes) const {
  EventId latest = kNone;
  const Past past = u_.past(e);
  for (std::size_t t = 0; t < past.size(); ++t) {
    EventId x = t == u_[e].thread.index() ? u_[e].previous : EventId(past[t]);
    while (x > latest && !changes[x.index()]) x = u_[x].previous;
    latest = std::max(latest, x);
  }
  return latest;
}

void SmtEncoding::encode_atom(const AtomHistory& atom, TermId variable) {
  const unsigned width = store_.width(variable);
  const auto value = [&](const property::AtomValue& v) {
    if (v.term == kNoTerm) return store_.constant(width, v.value);
    const TermId term = copied(v.term);
    return store_.width(term) > width ? store_.extract(term, 0, width) : term;
  };
  std::vector<bool> changes(u_.event_ids(), false);
  for (const auto& [e, v] : atom.changes) changes[e.index()] = true;
  std::unordered_map<std::uint32_t, Terms> followed_by;
  for (const auto& [e, v] : atom.changes)
    if (cone_.contains(e)) followed_by[previous_change(e, changes).value].push_back(event(e));
  const auto marked_after = [&](EventId e) {
    Terms parts{event(e)};
    for (const TermId t : followed_by[e.value]) parts.push_back(negation(t));
    return all(std::move(parts));
  };
  const auto has = [&](EventId e, const property::AtomValue& v) {
    implies(marked_after(e), store_.make(TermKind::kEq, variable, value(v)));
  };
  has(kNone, atom.initial);
  for (const auto& [e, v] : atom.changes)
    if (cone_.contains(e)) has(e, v);
}

symbolic::Answer SmtEncoding::solve(const property::Property& property, const std::vector<AtomHistory>& atoms,
                                    State& state) {
  const property::Expression& expression = property.expression;
  std::vector<property::AtomValue> variables;
  for (std::size_t a = 0; a < expression.atoms.size(); ++a) {
    const bool deadlocks = expression.atoms[a].kind == property::AtomKind::kDeadlock;
    const TermId variable = deadlocks ? deadlock() : fresh(expression.atoms[a].type.bits);
    if (!deadlocks) encode_atom(atoms[a], variable);
    variables.push_back({0, variable});
  }
  require(property::substitute(expression, property.target, variables, store_));
  const TermId question = all(std::move(clauses_));
  clauses_.clear();
  if (store_.is_constant(question) && store_[question].value == 0) return symbolic::Answer::kUnsat;
  const std::vector<TermId> conditions{base_, question};
  const symbolic::Solution solution = solver_->solve(conditions, kLimit);
  if (solution.answer == symbolic::Answer::kSat) decode(solution.inputs, state);
  return solution.answer;
}

void SmtEncoding::decode(const symbolic::Assignment& found, State& state) const {
  const auto number = [&](std::size_t ordinal) { return ordinal < found.size() ? found[ordinal] : 0; };
  state.past.assign(u_.threads(), 0);
  for (std::uint32_t i = 1; i < u_.event_ids(); ++i) {
    const Event& e = u_[EventId(i)];
    if (!is_event(EventId(i)) || number(static_cast<std::size_t>(store_[event(EventId(i))].value)) == 0) continue;
    state.past[e.thread.index()] = i;  // the latest has the largest id
  }
  if (space_ == nullptr) return;
  symbolic::TermStore& terms = space_->terms();
  state.inputs.assign(terms.inputs(), 0);
  for (std::size_t i = 0; i < store_.inputs(); ++i) {
    if (!store_.input_name(i).starts_with(kInput)) continue;
    const std::string name = store_.input_name(i).substr(kInput.size());
    for (std::size_t k = 0; k < terms.inputs(); ++k)
      if (terms.input_name(k) == name) state.inputs[k] = number(i);
  }
}

SmtEncoding::TermId SmtEncoding::copied(TermId term) {
  const symbolic::TermStore& from = space_->terms();
  std::vector<TermId> stack{term};
  const auto done = [&](TermId t) { return t == kNoTerm || copies_.contains(t.value); };
  while (!stack.empty()) {
    const TermId id = stack.back();
    const Term t = from[id];
    if (!done(t.a) || !done(t.b) || !done(t.c)) {
      for (const TermId operand : {t.a, t.b, t.c})
        if (!done(operand)) stack.push_back(operand);
      continue;
    }
    stack.pop_back();
    const auto operand = [&](TermId o) { return o == kNoTerm ? kNoTerm : copies_[o.value]; };
    TermId copy;
    if (t.kind == TermKind::kConst)
      copy = store_.constant(t.width, t.value);
    else if (t.kind == TermKind::kInput)
      copy = store_.input(t.width, kInput + from.input_name(static_cast<std::size_t>(t.value)));
    else if (t.kind == TermKind::kExtract)
      copy = store_.extract(operand(t.a), t.low, t.width);
    else if (t.kind == TermKind::kZext || t.kind == TermKind::kSext)
      copy = store_.extend(t.kind, operand(t.a), t.width);
    else
      copy = store_.make(t.kind, operand(t.a), operand(t.b), operand(t.c));
    copies_[id.value] = copy;
  }
  return copies_[term.value];
}

}  // namespace heddle::unfold
