#include "report/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/html_sources.h"
#include "report/racing_pair.h"
#include "report/relaxation_table.h"

namespace heddle::report {
namespace {

using namespace trace;
using explore::Explanation;
using explore::Pattern;

class Teller {
 public:
  Teller(const explore::Finding& finding, const Describer& describer)
      : finding_(finding),
        execution_(finding.execution),
        failure_(finding.failure),
        why_(finding.explanation),
        describer_(describer) {}

  Story tell() const {
    Story story{decisive(), critical(), pattern(), orders(), minimized(), "", {}};
    tell_lines(story);
    return story;
  }

 private:
  const Step& at(EventIndex i) const { return *explore::step_at(execution_, i); }
  bool exists(EventIndex i) const { return explore::step_at(execution_, i) != nullptr; }

  // " (bank.cpp:14:3)", with the call that led there if it is given.
  std::string place(const Step& step, const std::string& call = "") const {
    const std::string position = describer_.position(step.where);
    if (position.empty()) return {};
    return " (" + position + (call.empty() ? "" : ", called at " + call) + ")";
  }

  static CodeLine code_line(const std::string& frame) {
    const std::size_t gap = std::min(frame.rfind("  "), frame.size());
    return {frame.substr(std::min(gap + 2, frame.size())), frame.substr(0, gap), ""};
  }

  // Where two steps of one thread part: the lines of the innermost function that both run in. They are what a
  // reader has to hold together when a step itself is deep in a call. Empty where that is the step's own line.
  std::array<CodeLine, 2> calls_apart(const Step& a, const Step& b) const {
    const std::vector<std::string> one = describer_.stack(a.where), two = describer_.stack(b.where);
    const auto frame = [](const std::vector<std::string>& stack, std::size_t from_outside) -> const std::string& {
      return stack[stack.size() - 1 - from_outside];
    };
    std::size_t depth = 0;
    const std::size_t common = std::min(one.size(), two.size());
    while (depth < common && frame(one, depth) == frame(two, depth)) ++depth;
    if (depth == common) return {};
    const CodeLine here = code_line(frame(one, depth)), there = code_line(frame(two, depth));
    if (here.function != there.function) return {};
    return {depth + 1 < one.size() ? here : CodeLine{}, depth + 1 < two.size() ? there : CodeLine{}};
  }

  // Its own line, or that of the call it is in.
  CodeLine line_of(const Step& step, CodeLine call) const {
    const std::string position = describer_.position(step.where);
    if (call.position.empty()) {
      const std::vector<std::string> stack = describer_.stack(step.where);
      return {position, stack.empty() ? "" : code_line(stack.front()).function, describer_.source_line(step.where)};
    }
    call.text = source_text(call.position);
    return call;
  }

  std::string torn_by(bool one_line) const {
    const std::string who = thread(at(why_.check));
    if (why_.pattern == Pattern::kTooEarly || why_.pattern == Pattern::kShutdown)
      return "the wrong way round, by " + who;
    if (why_.pattern == Pattern::kBareWait) return who + " waits, and does not look again";
    if (why_.pattern == Pattern::kUpgrade || why_.pattern == Pattern::kWaitsWithLock)
      return who + " holds it from the first line on";
    return who + " must not be interrupted " + (one_line ? "within" : "between");
  }

  // The lines that a pattern finds torn apart, or else the two that race.
  void tell_lines(Story& story) const {
    if (exists(why_.check) && exists(why_.act) && at(why_.check).thread == at(why_.act).thread) {
      const auto [check, act] = calls_apart(at(why_.check), at(why_.act));
      story.torn = {line_of(at(why_.check), check), line_of(at(why_.act), act)};
      const auto same_line = [](const std::string& position) { return position.substr(0, position.rfind(':')); };
      if (same_line(story.torn[0].position) == same_line(story.torn[1].position)) story.torn.pop_back();
      story.torn_by = torn_by(story.torn.size() == 1);
    } else if (failure_.kind == FailureKind::kDataRace && exists(why_.first) && exists(why_.second)) {
      story.torn = {line_of(at(why_.first), {}), line_of(at(why_.second), {})};
      story.torn_by = "the two that race";
    }
    if (std::any_of(story.torn.begin(), story.torn.end(), [](const CodeLine& line) { return line.text.empty(); }))
      story.torn.clear();
  }

  std::string thread(const Step& step) const { return describer_.thread_name(step.thread); }
  std::string object(const Step& step) const {
    if (step.op.object != kNoObject) return " `" + describer_.object_name(step.op.object) + "`";
    if (step.op.peer != kNoThread) return " " + describer_.thread_name(step.op.peer);
    if (step.op.kind == OpKind::kChoose && step.op.after == trace::kTellsWho)
      return " " + describer_.thread_name(ThreadId(step.choice)) + " to be the serial thread";
    if (step.op.kind == OpKind::kChoose) return " " + std::to_string(step.choice);
    return {};
  }
  std::string done(const Step& step) const {
    const bool leaves = why_.pattern == Pattern::kUseAfterScope && step.thread == why_.leaves_scope;
    return leaves ? "leaves the scope of" : row_of(step.op.kind).verb;
  }
  std::string clause(const Step& step) const { return thread(step) + " " + done(step) + object(step) + place(step); }
  // What a library function keeps cannot be made atomic.
  std::string remedy(const Step& racing) const {
    const std::string name = describer_.object_name(racing.op.object);
    return name.starts_with("the hidden state of ") ? "call a function that keeps nothing between calls"
                                                    : "make `" + name + "` atomic";
  }
  std::string named(EventIndex i) const {
    return i < execution_.steps.size() ? fmt::format("step {}", i + 1) : std::string("its next step");
  }

  std::string decisive() const {
    if (why_.inevitable && failure_.kind != FailureKind::kDataRace)
      return why_.inevitable_certain ? "every schedule fails like this: the order of the threads is not the cause"
                                     : fmt::format("no schedule without this failure was found in {} runs", why_.runs);
    if (!exists(why_.first)) return missed();
    const Step& first = at(why_.first);
    if (why_.second == kNoEvent) {
      const bool alternative = has_alternatives(first.op.kind) && first.set.size() > 1;
      return clause(first) + (alternative ? "; with another alternative the run succeeds"
                                          : "; if another thread goes first here, the run succeeds");
    }
    const Step& second = at(why_.second);
    if (failure_.kind == FailureKind::kDataRace) {
      const bool frees = why_.pattern == Pattern::kUseAfterFree;
      // What to do is said with the pattern, or with the orders.
      const bool advised = why_.pattern != Pattern::kNone || why_.orders == explore::Orders::kHelp;
      const bool unseen = why_.beside_unseen_code;
      return fmt::format("{}, then {} {} it{}, and nothing {}orders the two{}{}{}", clause(first), thread(second),
                         frees ? "frees" : done(second), place(second), unseen ? "that was looked at " : "",
                         why_.reversed.steps.empty() ? "" : ": the opposite order was run as well",
                         unseen ? ". The program calls code that was not looked at; if that is what orders them, "
                                  "build it with heddle-cc, too"
                                : "",
                         advised  ? std::string()
                         : unseen ? ". Otherwise put both under one lock, or " + remedy(second)
                                  : ". Put both under one lock, or " + remedy(second));
    }
    return fmt::format("{} before {} {} it{}; in the other order the run succeeds", clause(first), thread(second),
                       row_of(second.op.kind).verb, place(second));
  }

  // A read that is stale.
  std::string missed() const {
    const auto pair = missed_write(execution_, failure_);
    if (!pair) return {};
    return fmt::format("{} and misses that {} {} it{}: nothing makes that happen before the read",
                       clause(at(pair->second)), thread(at(pair->first)), row_of(at(pair->first).op.kind).verb,
                       place(at(pair->first)));
  }

  std::string orders() const {
    if (why_.orders == explore::Orders::kNotTried) return {};
    if (why_.orders == explore::Orders::kDoNotHelp)
      return "stronger memory orders do not prevent it: it happens with sequentially consistent ones, too";
    std::string text;
    const std::vector<StrongerPlace> places = stronger_places(finding_, describer_);
    for (std::size_t i = 0; i < places.size(); ++i)
      text += fmt::format("{}the {} at {} {}",
                          i == 0                   ? "make "
                          : i + 1 == places.size() ? " and "
                                                   : ", ",
                          access_name(places[i].kind), places[i].position, name_of(places[i].wanted));
    text += ": then it cannot happen (every execution was looked at)";
    const std::vector<StrongerPlace> fences = fence_places(finding_, describer_);
    for (std::size_t i = 0; i < fences.size(); ++i) {
      const bool vowel = name_of(fences[i].wanted)[0] == 'a';
      text +=
          fmt::format("{}{} {} fence before the {} at {}",
                      i == 0                   ? ". Or put "
                      : i + 1 == fences.size() ? " and "
                                               : ", ",
                      vowel ? "an" : "a", name_of(fences[i].wanted), access_name(fences[i].kind), fences[i].position);
    }
    return text;
  }

  std::string critical() const {
    if (!exists(why_.critical)) return {};
    return fmt::format("up to step {} a good outcome could still be reached; after it ({}{}) {}", why_.critical + 1,
                       thread(at(why_.critical)) + " ",
                       row_of(at(why_.critical).op.kind).verb + object(at(why_.critical)),
                       why_.critical_certain ? "every continuation fails" : "no continuation we tried did");
  }

  // "a reads `x` (f:1:1), step 1, and writes it (f:4:1), step 4"
  std::string unit() const {
    const Step& check = at(why_.check);
    const Step& act = at(why_.act);
    const bool same = check.op.object == act.op.object;
    const bool again = same && check.op.kind == OpKind::kAcquire && act.op.kind == OpKind::kAcquire;
    const auto [check_call, act_call] = calls_apart(check, act);
    return fmt::format("{} {}{}{}, {},{} and {}{}{}{}, {}", thread(check), row_of(check.op.kind).verb, object(check),
                       place(check, check_call.position), named(why_.check), again ? " lets go of it" : "",
                       row_of(act.op.kind).verb, same ? " it" : object(act), again ? " again" : "",
                       place(act, act_call.position), named(why_.act));
  }

  // Who came between the two.
  std::string intruder() const {
    const Step& check = at(why_.check);
    for (const EventIndex i : {why_.first, why_.second})
      if (exists(i) && at(i).thread != check.thread) return thread(at(i));
    return "another thread";
  }

  std::string pattern() const {
    const std::string name = explore::name_of(why_.pattern);
    switch (why_.pattern) {
      case Pattern::kNone:
        return {};
      case Pattern::kLostUpdate:
        return fmt::format(
            "{}: {}; {} wrote in between and that is overwritten. Put both under one lock, or make them one "
            "atomic operation",
            name, unit(), intruder());
      case Pattern::kCheckThenAct:
        return fmt::format("{}: {}; {} came in between, and what was found no longer held. {}", name, unit(),
                           intruder(),
                           at(why_.check).op.kind == OpKind::kAcquire ? "Hold one lock from the first line to the last"
                                                                      : "Put both under one lock");
      case Pattern::kAba:
        return fmt::format(
            "{}: {}; in between {} changed it and changed it back. Count versions, or do not reuse the value", name,
            unit(), intruder());
      case Pattern::kLostWakeup:
        return fmt::format(
            "{}: {} when nobody waits yet, then {} for ever. Change the condition under the mutex "
            "that the waiter holds, and check it there before waiting",
            name, clause(at(why_.check)), clause(at(why_.act)));
      case Pattern::kLockOrder:
        return name + ": each thread holds a lock that the next one waits for. Take the locks in one order everywhere";
      case Pattern::kBareWait:
        return fmt::format(
            "{}: {} waits{}, {}, and goes on when it has the lock again, {}; {}. Wait in a loop that looks "
            "again (while, not if), or give wait the condition",
            name, thread(at(why_.check)), place(at(why_.check)), named(why_.check), named(why_.act),
            at(why_.check).op.kind == OpKind::kChoose ? "nobody had woken it, which a wait has to expect"
                                                      : "between the signal and that another thread had the lock");
      case Pattern::kWrongWaiter:
        return fmt::format(
            "{}: {}, {}, which wakes {}; that waits again, and {}, which has waited since {}, is not woken. Use "
            "notify_all, or one condition variable for each condition",
            name, clause(at(why_.check)), named(why_.check), describer_.thread_name(ThreadId(at(why_.check).choice)),
            thread(at(why_.act)), named(why_.act));
      case Pattern::kTooFewWoken:
        return fmt::format(
            "{}: {}, {}, which wakes {}; {} has waited since {} and is not woken. If both have to know, use "
            "notify_all",
            name, clause(at(why_.check)), named(why_.check), describer_.thread_name(ThreadId(at(why_.check).choice)),
            thread(at(why_.act)), named(why_.act));
      case Pattern::kNoSignal:
        return fmt::format(
            "{}: {}, {}, and nobody signals it in this run. Notify wherever what it waits for is changed", name,
            clause(at(why_.act)), named(why_.act));
      case Pattern::kUpgrade:
        return fmt::format(
            "{}: {} shares{}{}, {}, and waits to have it alone{}, for which it would have to let go itself. Let go "
            "first and look again, or take it alone from the start",
            name, thread(at(why_.check)), object(at(why_.check)), place(at(why_.check)), named(why_.check),
            place(at(why_.act)));
      case Pattern::kPublication:
        return fmt::format(
            "{}: {} hands it over by `{}`{}, {}, and {} finds that{}, {}, but nothing orders what was written "
            "before. The first has to be an atomic store that releases, the second an atomic load that acquires",
            name, thread(at(why_.check)), describer_.object_name(at(why_.check).op.object), place(at(why_.check)),
            named(why_.check), thread(at(why_.act)), place(at(why_.act)), named(why_.act));
      case Pattern::kTooEarly:
        return fmt::format(
            "{}: {} hands it over by `{}`{}, {}, and goes on to write it{}, {}. Write it first, and hand it over last",
            name, thread(at(why_.check)), describer_.object_name(at(why_.check).op.object), place(at(why_.check)),
            named(why_.check), place(at(why_.act)), named(why_.act));
      case Pattern::kUseAfterScope:
        return name +
               ": a variable ends with its scope, and another thread may still use it. Join that thread first, or give "
               "it "
               "what it uses (a copy, a std::shared_ptr)";
      case Pattern::kUseAfterFree:
        return name + ": a thread still uses memory that it got from a shared variable, and the other one " +
               (failure_.kind == FailureKind::kDataRace ? "frees" : "has freed") +
               " it. Free it only when nobody can have got hold of it";
      case Pattern::kWaitsWithLock:
        return fmt::format(
            "{}: {}, {}, and still holds it when it {}{}{}; {} waits for that lock. Let go of it before waiting for "
            "what "
            "others do",
            name, clause(at(why_.check)), named(why_.check), row_of(at(why_.act).op.kind).verb, object(at(why_.act)),
            place(at(why_.act)), waits_for(at(why_.check).op.object));
      case Pattern::kShutdown:
        return fmt::format(
            "{}: {} takes away what {} still uses{}, and joins it only afterwards{}. Join first, then take away", name,
            thread(at(why_.check)), describer_.thread_name(at(why_.act).op.peer), place(at(why_.check)),
            place(at(why_.act)));
      case Pattern::kInvalidated:
        return name +
               ": a thread still points into a container (an iterator, a pointer, a reference), and another one "
               "changes "
               "it, which gives the memory back. Keep the lock for as long as the element is used, or copy the element";
    }
    return {};
  }

  std::string waits_for(ObjectId lock) const {
    std::string names;
    for (const Pending& pending : execution_.pending)
      if (!pending.enabled && pending.step.op.object == lock)
        names += (names.empty() ? "" : ", ") + describer_.thread_name(pending.step.thread);
    return names;
  }

  std::string minimized() const {
    if (!why_.minimized) return {};
    const auto words = [](const explore::ScheduleCost& c) {
      return fmt::format("{} pre-emption{}, {} switch{}, {} step{}", c.preemptions, c.preemptions == 1 ? "" : "s",
                         c.switches, c.switches == 1 ? "" : "es", c.steps, c.steps == 1 ? "" : "s");
    };
    std::string text = "shortest way there: " + words(why_.shown);
    if (why_.found != why_.shown) text += " (found with " + words(why_.found) + ")";
    return text;
  }

  const explore::Finding& finding_;
  const Execution& execution_;
  const Failure& failure_;
  const Explanation& why_;
  const Describer& describer_;
};

}  // namespace

std::vector<std::string> Story::lines() const {
  std::vector<std::string> all;
  for (const std::string* line : {&decisive, &critical, &pattern, &orders, &minimized})
    if (!line->empty()) all.push_back(*line);
  return all;
}

namespace {

std::vector<StrongerPlace> by_place(const std::vector<explore::StrongerOrder>& orders, const explore::Finding& finding,
                                    const Describer& describer) {
  std::vector<StrongerPlace> places;
  for (const explore::StrongerOrder& order : orders) {
    const Step* step = explore::step_at(finding.execution, order.step);
    const StrongerPlace place{describer.position(step != nullptr ? step->where : order.where), order.kind, order.own,
                              order.wanted};
    const auto known = std::find_if(places.begin(), places.end(), [&](const StrongerPlace& other) {
      return other.position == place.position && other.kind == place.kind;
    });
    if (known == places.end())
      places.push_back(place);
    else if (place.wanted == MemoryOrder::kSeqCst)
      known->wanted = place.wanted;
    else if (known->wanted != MemoryOrder::kSeqCst && known->wanted != place.wanted)
      known->wanted = MemoryOrder::kAcqRel;
  }
  return places;
}

}  // namespace

std::vector<StrongerPlace> stronger_places(const explore::Finding& finding, const Describer& describer) {
  return by_place(finding.explanation.stronger, finding, describer);
}

std::vector<StrongerPlace> fence_places(const explore::Finding& finding, const Describer& describer) {
  return by_place(finding.explanation.fences, finding, describer);
}

Story tell(const explore::Finding& finding, const Describer& describer) { return Teller(finding, describer).tell(); }

MarkedPair marked_pair(const explore::Finding& finding) {
  const Explanation& why = finding.explanation;
  if (why.has_pair()) return {why.first, why.second, true};
  if (why.inevitable) return {};
  if (const auto missed = missed_write(finding.execution, finding.failure))
    return {missed->first, missed->second, false, true};
  const auto pair = racing_pair(finding.execution, finding.failure);
  return pair ? MarkedPair{pair->first, pair->second, false} : MarkedPair{};
}

}  // namespace heddle::report
