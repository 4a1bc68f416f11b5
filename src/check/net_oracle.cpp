#include "check/net_oracle.h"

#include <map>
#include <set>

#include "check/brute_force.h"
#include "explore/exhaustive.h"
#include "stateful/marking_search.h"
#include "stateful/stateful_unfolding.h"
#include "trace/object.h"

namespace heddle::check {
namespace {

using namespace trace;
using explore::Strategy;

// What executions show of the net, spelled out. `by_value`: what a variable holds is a place, whoever wrote it.
class Spelling {
 public:
  explicit Spelling(bool by_value) : by_value_(by_value) {}

  std::set<std::string> markings, transitions, failures, blocked;

  void note(const Execution& execution) {
    local_.clear();
    value_.clear();
    early_.clear();
    registered_.clear();
    note_marking();
    for (const Step& step : execution.steps) {
      perform(step);
      note_marking();
    }
    for (const Failure& f : execution.failures) failures.insert(failure_key(f));
    if (execution.outcome == Outcome::kDeadlock) blocked.insert(blocked_set(execution));
  }

 private:
  static std::string number(std::uint64_t n) { return std::to_string(n); }

  int intern(const std::string& text) {
    return names_.try_emplace(text, static_cast<int>(names_.size()) + 1).first->second;
  }

  int local(std::size_t thread) {
    const auto known = local_.find(thread);
    return known == local_.end() ? intern("thread " + number(thread)) : known->second;
  }
  int value(ObjectId object) {
    const auto known = value_.find(object.value);
    return known == value_.end() ? intern("object " + number(object.value)) : known->second;
  }

  void perform(const Step& step) {
    const std::size_t t = step.thread.index();
    const OpKind kind = step.op.kind;
    const bool reads = access_of(kind) == Access::kReads;
    const bool has_object = step.op.object != kNoObject;
    const bool by_state = is_on_counted(kind) || (by_value_ && on_memory(kind));
    // A lock begins in a state, like any other.
    if (has_object && by_state && !value_.contains(step.op.object.value))
      value_[step.op.object.value] =
          begun_.try_emplace(step.op.object.value, state_of(step.op.object, step.op.before)).first->second;
    const int from = local(t);
    const int found = has_object ? value(step.op.object) : 0;
    const std::string choice = has_alternatives(kind) ? number(step.choice) : "";
    std::string seen = choice;
    if (is_on_counted(kind))
      seen = is_attempt(undecided(kind)) ? (reads ? "refused" : "taken") : "";
    else if (has_object && kind != OpKind::kWrite)
      seen += " found " + number(found);
    const int to = intern("after " + number(from) + ":" + seen);
    transitions.insert(number(from) + "/" + number(found) + "/" + choice);
    if (has_object && !reads)
      value_[step.op.object.value] = by_state ? left_by(step) : intern("written in " + number(to));
    local_[t] = to;
    if (early_.contains(t)) {  // the release that it owed
      local_[t] = intern("woken " + number(to) + " by " + number(early_[t]));
      early_.erase(t);
    }
    woken_by(step).for_each([&](std::size_t other) {
      if (other != t) wake(other, local_[t]);
    });
    if (kind == OpKind::kWait) registered_.insert(t);
    if (kind == OpKind::kWaitRelease) registered_.erase(t);
  }

  void wake(std::size_t t, int waker) {
    if (registered_.contains(t))
      early_[t] = waker;
    else
      local_[t] = intern("woken " + number(local(t)) + " by " + number(waker));
  }

  int state_of(ObjectId object, std::uint64_t state) {
    return intern("object " + number(object.value) + " in " + number(state));
  }

  // A value that depends on inputs is the term that it is.
  int left_by(const Step& step) {
    const std::uint64_t term = on_memory(step.op.kind) ? step.set.word_at(0) : 0;
    if (term != 0) return intern("object " + number(step.op.object.value) + " holds term " + number(term));
    return state_of(step.op.object, state_after(step.op.kind, step.op.before, step.op.after));
  }

  // Places that are as they began are left out, so that it does not matter who knows of them.
  void note_marking() {
    std::string text;
    for (const auto& [t, p] : local_) text += number(t) + ":" + number(p) + " ";
    for (const auto& [t, w] : early_) text += number(t) + "+" + number(w) + " ";
    for (const auto& [o, v] : value_)
      if (const auto begun = begun_.find(o); begun == begun_.end() || begun->second != v)
        text += number(o) + "=" + number(v) + " ";
    markings.insert(text);
  }

  std::string blocked_set(const Execution& execution) {
    std::set<std::string> waiting;
    for (const Pending& p : execution.pending) waiting.insert(number(local(p.step.thread.index())));
    // Who is parked is nowhere pending and has not ended.
    std::map<std::size_t, const Step*> last;
    for (const Step& s : execution.steps) {
      last[s.thread.index()] = &s;
      woken_by(s).for_each([&](std::size_t t) {
        if (t != s.thread.index()) last.erase(t);
      });
    }
    for (const auto& [t, s] : last)
      if (s->op.kind == OpKind::kWaitRelease || waits_at_barrier(*s)) waiting.insert(number(local(t)));
    std::string text;
    for (const std::string& w : waiting) text += w + " ";
    return text;
  }

  bool by_value_;
  std::map<std::string, int> names_;
  std::map<std::size_t, int> local_, early_;
  std::map<std::uint32_t, int> value_, begun_;
  std::set<std::size_t> registered_;
};

// Runs a strategy to its end and hands every execution to `f`. False: too many, or one that could not be followed.
template <class F>
bool run_all(Program& program, Strategy& strategy, std::uint64_t limit, F&& f) {
  Schedule schedule;
  Execution execution;
  for (std::uint64_t n = 0; strategy.next(schedule); ++n) {
    program.run(schedule, execution);
    if (execution.outcome == Outcome::kDiverged || n >= limit) return false;
    f(execution);
    strategy.learn(execution);
  }
  return true;
}

std::string compare(const char* what, std::uint64_t wanted, std::uint64_t found) {
  if (wanted == found) return {};
  return std::string(what) + ": " + std::to_string(found) + " instead of " + std::to_string(wanted);
}

// Where threads look in vain, which markings there are is a matter of when they stop looking.
enum class Extent : std::uint8_t { kFailures, kNet };

std::string compare_net(const Spelling& truth, const stateful::Statistics& s, const std::set<std::string>& failures,
                        Extent extent) {
  if (!left_open(s).empty()) return left_open(s);
  if (failures != truth.failures) return "failures differ";
  if (extent == Extent::kFailures) return {};
  if (auto d = compare("transitions", truth.transitions.size(), s.net.feasible); !d.empty()) return d;
  return compare("deadlocks", truth.blocked.size(), s.deadlocks);
}

// Markings of the configurations of the prefix.
std::uint64_t count_configurations(stateful::StatefulUnfolding& strategy) {
  const unfold::Unfolding& u = strategy.unfolding();
  unfold::Concurrency co(u);
  std::set<unfold::PastBuffer> seen;
  std::set<std::pair<std::uint64_t, std::uint64_t>> markings;
  std::vector<unfold::PastBuffer> open{unfold::PastBuffer(u.threads(), 0)};
  while (!open.empty()) {
    const unfold::PastBuffer c = open.back();
    open.pop_back();
    if (!seen.insert(c).second) continue;
    const auto hash = strategy.marking_of(c);
    markings.insert({hash.a, hash.b});
    for (std::uint32_t i = 1; i < u.event_ids(); ++i) {
      const unfold::EventId e(i);
      if (!u[e].covered || u[e].thread == kNoThread || c[u[e].thread.index()] != u[e].previous.value) continue;
      bool causes = true, over = false;
      for (std::size_t t = 0; t < u.past(e).size(); ++t)
        causes =
            causes && (t == u[e].thread.index() || u.past(e)[t] == 0 || u.contains(c, unfold::EventId(u.past(e)[t])));
      for (const std::uint32_t last : c)
        over = over || (last != 0 && u[unfold::EventId(last)].kind == OpKind::kTerminate);
      if (!causes || over || !co.compatible(c, u.past(e))) continue;
      unfold::PastBuffer next = c;
      next[u[e].thread.index()] = i;
      if (strategy.can_be(next)) open.push_back(next);
    }
  }
  return markings.size();
}

}  // namespace

std::optional<std::string> stateful_disagreement(Program& program, stateful::StatefulOptions options,
                                                 std::uint64_t limit) {
  Spelling truth(options.net.values);
  explore::Exhaustive exhaustive(explore::TreeOptions{});
  bool modelled = true, waits = false;
  const bool all = run_all(program, exhaustive, limit, [&](const Execution& e) {
    for (const Step& s : e.steps)
      modelled = modelled && s.op.kind != OpKind::kSleep && s.op.kind != OpKind::kSleepRefused;
    modelled = modelled && e.unwanted.empty();
    waits = waits || !e.idle_turns.empty();
    if (modelled) truth.note(e);
  });
  if (!all || !modelled) return std::nullopt;
  const Extent extent = waits ? Extent::kFailures : Extent::kNet;

  std::set<std::string> failures;
  const auto note = [&](const Execution& e) {
    for (const Failure& f : e.failures) failures.insert(failure_key(f));
  };
  stateful::MarkingSearch search(options);
  if (!run_all(program, search, 4 * limit, note)) return "stateful did not end, or could not follow its own schedule";
  if (auto d = compare_net(truth, search.statistics(), failures, extent); !d.empty()) return "stateful: " + d;
  if (auto d = compare("markings", truth.markings.size(), search.statistics().markings);
      extent == Extent::kNet && !d.empty())
    return "stateful: " + d;

  failures.clear();
  stateful::StatefulUnfolding unfolding(options);
  if (!run_all(program, unfolding, 4 * limit, note))
    return "stateful-unfolding did not end, or could not follow its own schedule";
  if (auto d = compare_net(truth, unfolding.statistics(), failures, extent); !d.empty())
    return "stateful-unfolding: " + d;
  if (extent != Extent::kNet) return std::string();
  const auto a = search.net().counts(), b = unfolding.net().counts();
  if (auto d = compare("places", a.places, b.places); !d.empty()) return "the nets differ: " + d;
  if (auto d = compare("represented markings", truth.markings.size(), count_configurations(unfolding)); !d.empty())
    return "stateful-unfolding: " + d;
  return std::string();
}

}  // namespace heddle::check
