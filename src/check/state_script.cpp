#include "check/state_script.h"

#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <utility>

#include "base/random.h"

namespace heddle::check {
namespace {

// --- drawing ---

class StateScriptGenerator {
 public:
  explicit StateScriptGenerator(std::uint64_t seed) : random_(seed) {}

  StateScript script() {
    StateScript script;
    script.memory = pick(3) != 0;
    if (script.memory) families_.push_back(Family::kAccess);
    if (pick(2) == 0) families_.push_back(Family::kWaiting);
    if (families_.empty() || pick(3) == 0) families_.push_back(Family::kSection);
    ends_ = pick(6) == 0;
    keeps_ = pick(3) == 0;
    base_ = pick(4);
    const std::uint32_t threads = 2 + pick(2);
    const bool meets = pick(6) == 0;
    for (last_ = threads; last_-- > 0;) {
      std::vector<StateStatement>& statements = script.threads.emplace_back();
      const std::uint32_t length = threads == 2 ? 2 + pick(3) : 1 + pick(3);
      for (std::uint32_t i = 0; i < length; ++i) add(statements);
      if (meets) statements.insert(statements.begin() + place(statements), {StateOp::kMeet});
    }
    return script;
  }

 private:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_.below(n)); }

  void add(std::vector<StateStatement>& statements) {
    if (ends_ && pick(3) == 0) return statements.push_back(end());
    switch (families_[pick(static_cast<std::uint32_t>(families_.size()))]) {
      case Family::kAccess:
        return statements.push_back(access());
      case Family::kWaiting:
        return statements.push_back(waiting());
      case Family::kSection:
        return add_section(statements);
    }
  }

  // Somewhere outside of what is done under the lock.
  std::ptrdiff_t place(const std::vector<StateStatement>& statements) {
    std::uint32_t at = pick(static_cast<std::uint32_t>(statements.size()) + 1);
    while (at > 0 && statements[at - 1].more) --at;
    return at;
  }

  // Close together, so that they overlap and lie across the boundary at 8.
  StateStatement access() {
    constexpr std::uint32_t kSizes[] = {1, 2, 4, 8};
    constexpr StateOp kRanges[] = {StateOp::kFill, StateOp::kPut, StateOp::kGet};
    StateStatement s;
    const bool range = pick(4) == 0;
    s.op = range          ? kRanges[pick(3)]
           : pick(2) == 0 ? StateOp::kLoad
           : pick(2) == 0 ? StateOp::kStore
                          : StateOp::kStoreSum;
    s.size = range ? 1 + pick(7) : kSizes[pick(4)];
    s.at = base_ + pick(5);
    // What lies on both sides of a boundary is touched by a function of the library in more than one step.
    if (range && s.at < 8) s.size = std::min(s.size, 8 - s.at);
    s.value = 0x0101010101010101u * (1 + pick(3));
    return s;
  }

  StateStatement waiting() {
    StateStatement s;
    s.value = 1 + (pick(4) == 0);  // mostly something that comes
    if (keeps_) {
      s.op = pick(5) < 3 ? StateOp::kKeep : StateOp::kAwaitKept;
      // Who waits on a condition variable can be cancelled there, with the lock.
      if (s.op == StateOp::kAwaitKept) s.size = ends_ ? 1 + pick(kKeptWays - 1) : pick(kKeptWays);
      return s;
    }
    constexpr StateOp kOps[] = {StateOp::kSet,   StateOp::kAdd,  StateOp::kAdd,   StateOp::kAdd,
                                StateOp::kRetry, StateOp::kLook, StateOp::kAwait, StateOp::kAwait};
    s.op = kOps[pick(8)];
    if (s.op == StateOp::kLook && std::exchange(looks_, true)) s.op = StateOp::kAwait;  // it is many classes
    s.at = pick(4) == 0;
    if (s.op == StateOp::kSet) s.value = pick(2);
    if (s.op == StateOp::kAwait) s.size = pick(kAwaitWays);
    return s;
  }

  StateStatement end() {
    // Threads are joined in order, and who has been joined is nobody to cancel.
    const std::uint32_t roll = pick(3);
    return {roll == 0 && last_ > 0 ? StateOp::kCancel : roll == 1 ? StateOp::kQuit : StateOp::kBeCanceled};
  }

  void add_section(std::vector<StateStatement>& statements) {
    const std::uint32_t length = 1 + pick(3);
    for (std::uint32_t i = 0; i < length; ++i) {
      StateStatement s;
      s.op = static_cast<StateOp>(static_cast<int>(StateOp::kInsert) + pick(12));
      s.at = 1 + pick(2);
      s.value = pick(3);
      s.more = i + 1 < length;
      statements.push_back(s);
    }
  }

  Random random_;
  enum class Family : std::uint8_t { kAccess, kWaiting, kSection };
  std::vector<Family> families_;
  bool ends_ = false, keeps_ = false, looks_ = false;
  std::uint32_t base_ = 0, last_ = 0;
};

// --- meaning ---

struct MachineState {
  std::array<std::uint8_t, kStateBytes> bytes{};
  std::array<std::uint64_t, kStateCounts> counts{};
  std::uint64_t kept = 0, box = 0;
  std::map<std::uint64_t, std::uint64_t> map;
  std::list<std::uint64_t> list;
  std::string text, letters;
  std::vector<std::size_t> pc;
  std::vector<std::uint64_t> r;
  std::vector<bool> cancelled;
  auto operator<=>(const MachineState&) const = default;
};

constexpr std::size_t kGone = ~std::size_t{0};  // behind the last statement

class Machine {
 public:
  Machine(const StateScript& script, MachineState& state, std::size_t t) : script_(script), state_(state), t_(t) {}

  // What the thread does at once: an access, or all that is under the lock. False: it waits.
  bool step() {
    const StateStatement& first = next();
    if (first.op == StateOp::kMeet) return meet();
    if (first.op == StateOp::kAwait && state_.counts[first.at] < first.value) return false;
    if (first.op == StateOp::kAwaitKept && state_.kept < first.value) return false;
    bool more = true;
    while (more) {
      const StateStatement& s = next();
      ++state_.pc[t_];
      if (s.op < StateOp::kInsert)
        perform_outside(s);
      else
        perform_under_lock(s);
      more = s.more;
    }
    if (state_.pc[t_] == script_.threads[t_].size()) state_.pc[t_] = kGone;
    return true;
  }

 private:
  const StateStatement& next() const { return script_.threads[t_][state_.pc[t_]]; }

  bool meet() {
    for (std::size_t t = 0; t < script_.threads.size(); ++t)
      if (state_.pc[t] == kGone || script_.threads[t][state_.pc[t]].op != StateOp::kMeet) return false;
    for (std::size_t t = 0; t < script_.threads.size(); ++t)
      if (++state_.pc[t] == script_.threads[t].size()) state_.pc[t] = kGone;
    return true;
  }

  void store(const StateStatement& s, std::uint64_t value) {
    for (std::uint32_t i = 0; i < s.size; ++i) state_.bytes[s.at + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }

  void perform_outside(const StateStatement& s) {
    std::uint64_t& r = state_.r[t_];
    const auto end_if = [&](bool condition) {
      if (condition) state_.pc[t_] = script_.threads[t_].size();
    };
    switch (s.op) {
      case StateOp::kLoad:
      case StateOp::kGet:
        r = 0;
        for (std::uint32_t i = s.size; i-- > 0;) r = r << 8 | state_.bytes[s.at + i];
        break;
      case StateOp::kStore:
      case StateOp::kFill:
        store(s, s.value);
        break;  // whose bytes are all the same
      case StateOp::kStoreSum:
      case StateOp::kPut:
        store(s, r + s.value);
        break;
      case StateOp::kSet:
        state_.counts[s.at] = s.value;
        break;
      case StateOp::kAdd:
      case StateOp::kRetry:
        r = state_.counts[s.at]++;
        break;
      case StateOp::kLook:
        r = r * 2 + (state_.counts[s.at] >= s.value);
        break;
      case StateOp::kQuit:
        end_if((r & 1) != 0);
        break;
      case StateOp::kCancel:
        state_.cancelled[t_ + 1] = true;
        break;
      case StateOp::kBeCanceled:
        end_if(state_.cancelled[t_]);
        break;
      default:
        break;  // awaited
    }
  }

  void perform_under_lock(const StateStatement& s) {
    std::uint64_t& r = state_.r[t_];
    switch (s.op) {
      case StateOp::kInsert:
        r = r * 2 + (state_.map.insert({s.value, s.at}).second ? 1 : 0);
        break;
      case StateOp::kErase:
        r = r * 2 + state_.map.erase(s.value);
        break;
      case StateOp::kLookUp: {
        const auto found = state_.map.find(s.value);
        r = r * 3 + (found == state_.map.end() ? 0 : found->second);
        break;
      }
      case StateOp::kPushBack:
        state_.list.push_back(s.value);
        break;
      case StateOp::kPushFront:
        state_.list.push_front(s.value);
        break;
      case StateOp::kPopFront:
        r = state_.list.empty() ? 9 : state_.list.front();
        if (!state_.list.empty()) state_.list.pop_front();
        break;
      case StateOp::kAppend:
        state_.text.append(8, static_cast<char>('a' + s.value));
        break;
      case StateOp::kMeasure:
        r = state_.text.size();
        break;
      case StateOp::kScribble:
        state_.letters += static_cast<char>('a' + s.value);
        break;
      case StateOp::kSpell:
        r = r * 2 + state_.letters.size();
        break;
      case StateOp::kRenew:
        state_.box = s.value;
        break;
      case StateOp::kUnpack:
        r = state_.box;
        break;
      default:
        ++state_.kept;
        break;
    }
  }

  const StateScript& script_;
  MachineState& state_;
  const std::size_t t_;
};

std::uint64_t digest(const MachineState& state) {
  std::uint64_t d = 1469598103934665603u;
  const auto add = [&](std::uint64_t value) { d = (d ^ value) * 1099511628211u; };
  for (const std::uint64_t r : state.r) add(r);
  for (const std::uint8_t b : state.bytes) add(b);
  for (const std::uint64_t c : state.counts) add(c);
  add(state.kept);
  add(state.box);
  for (const auto& [key, value] : state.map) add(key), add(value);
  for (const std::uint64_t v : state.list) add(v + 100);
  for (const char c : state.text) add(static_cast<std::uint64_t>(c));
  for (const char c : state.letters) add(static_cast<std::uint64_t>(c));
  return d;
}

}  // namespace

StateScript random_state_script(std::uint64_t seed) { return StateScriptGenerator(mix(seed ^ 0x6f5e4d3)).script(); }

std::optional<StateEnds> ends_of(const StateScript& script, std::size_t limit) {
  const std::size_t threads = script.threads.size();
  MachineState start;
  for (const auto& statements : script.threads) start.pc.push_back(statements.empty() ? kGone : 0);
  start.r.assign(threads, 0);
  start.cancelled.assign(threads, false);
  std::set<MachineState> seen{start};
  std::vector<MachineState> open{start};
  StateEnds ends;
  while (!open.empty()) {
    const MachineState state = open.back();
    open.pop_back();
    bool goes_on = false;
    for (std::size_t t = 0; t < threads; ++t) {
      MachineState next = state;
      if (state.pc[t] == kGone || !Machine(script, next, t).step()) continue;
      goes_on = true;
      if (seen.insert(next).second) open.push_back(next);
    }
    if (goes_on) continue;
    const bool ended = std::all_of(state.pc.begin(), state.pc.end(), [](std::size_t pc) { return pc == kGone; });
    if (ended)
      ends.finals.insert(digest(state));
    else
      ends.stuck = true;
    if (ends.finals.size() > limit) return std::nullopt;
  }
  return ends;
}

}  // namespace heddle::check
