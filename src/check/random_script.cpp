#include "check/random_script.h"

#include "base/random.h"

namespace heddle::check {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Script small() {
    script_.variables = 1 + pick(2);
    script_.locks = 1 + pick(2);
    const int threads = 2 + pick(3);
    return script(threads, threads == 2 ? 9 : 8);
  }

  Script large() {
    script_.variables = 1 + pick(3);
    script_.locks = 2 + pick(4);
    const int threads = 3 + pick(3);
    return script(threads, 10 + pick(6));
  }

  Script ending() {
    ends_ = true;
    return large();
  }

  Script polling() {
    polls_ = true;
    return waiting();
  }

  Script waiting() {
    awaits_ = true;
    ends_ = pick(8) == 0;
    script_.variables = 2 + pick(2);  // the last is a lock made by hand
    script_.locks = 1 + pick(2);
    const int threads = 2 + pick(3);
    return script(threads, threads == 2 ? 9 : 8);
  }

  // Of each kind, and threads assume things about what they have seen.
  Script assuming() {
    assumes_ = true;
    ends_ = pick(3) == 0;
    return pick(2) == 0 ? synchronised() : small();
  }

  // Inputs together with everything else that there is: attempts, assumptions, the end of the process.
  Script mixed() {
    mixed_ = assumes_ = true;
    ends_ = pick(2) == 0;
    theme_ = pick(6);
    return with_inputs(false);
  }

  Script with_inputs(bool spawns) {
    spawns_inputs_ = spawns;
    script_.variables = 1 + pick(2);
    script_.locks = 1 + pick(2);
    const int threads = 2 + pick(2);
    for (int t = 0; t < threads; ++t) {
      budget_ = 3 + pick(threads == 2 ? 5 : 3);
      script_.threads.push_back({});
      // Something to branch on, and to tell the others.
      if (t == 0 || pick(2) == 0) {
        script_.threads.back().push_back({StmtKind::kInput, 0, pick(2) == 0 ? 1 : 3, 0, {}});
        ++inputs_;
        if (pick(2) == 0) script_.threads.back().push_back({StmtKind::kCopy, pick(script_.variables), pick(2), 0, {}});
      }
      for (Stmt& s : input_block(0)) script_.threads.back().push_back(std::move(s));
    }
    return script_;
  }

  Script synchronised() {
    script_.variables = 1 + pick(2);
    script_.locks = 1;
    theme_ = pick(6);
    const int threads = 2 + pick(2);
    if (threads == 3) script_.needed = 2 + pick(2);
    for (int t = 0; t < threads; ++t) {
      budget_ = threads == 2 ? 5 : 3;
      script_.threads.push_back(synchronised_block(0));
    }
    return script_;
  }

 private:
  std::vector<Stmt> synchronised_block(int depth) {
    std::vector<Stmt> statements;
    const int length = depth == 0 ? 5 : 1 + pick(2);
    for (int i = 0; i < length && budget_ > 0; ++i) statements.push_back(synchronised_statement(depth));
    return statements;
  }

  Stmt synchronised_statement(int depth) {
    --budget_;
    // Half of the statements belong to the theme.
    switch (pick(2) == 0 ? theme_ : pick(6)) {
      case 0:
        return {pick(2) == 0 ? StmtKind::kSemPost : pick(2) == 0 ? StmtKind::kSemWait : StmtKind::kSemTry, 0, 0, 0, {}};
      case 1:
        return {StmtKind::kArrive, pick(4) == 0, 0, 0, {}};
      case 2:
        if (depth < 2) {
          constexpr StmtKind kinds[] = {StmtKind::kShared, StmtKind::kExclusive, StmtKind::kTryShared,
                                        StmtKind::kTryExclusive, StmtKind::kLocked};
          return {kinds[pick(5)], 0, pick(2), 0, synchronised_block(depth + 1)};
        }
        break;
      case 3:
        if (pick(3) == 0) return {pick(3) == 0 ? StmtKind::kBroadcast : StmtKind::kSignal, 0, 0, 0, {}};
        if (depth < 2)
          return {StmtKind::kLocked, 0, 0, 0, {{pick(2) == 0 ? StmtKind::kTimedWait : StmtKind::kWait, 0, 0, 0, {}}}};
        break;
      case 4:
        if (depth < 2) {
          const Stmt exit{StmtKind::kExit, 0, 0, 0, {}};
          if (pick(3) == 0 && (!mixed_ || ends_)) return pick(2) == 0 ? exit : Stmt{StmtKind::kIf, 0, 1, 0, {exit}};
          return {StmtKind::kTryLocked, 0, pick(2), 0, synchronised_block(depth + 1)};
        }
        break;
      default:
        break;
    }
    const int roll = pick(100);
    if (assumes_ && pick(4) == 0) return {StmtKind::kAssume, 0, pick(2), 0, {}};
    if (roll < 10) return {StmtKind::kAssert, 0, 1 + pick(2), 0, {}};
    if (roll < 20 && depth < 2) return {StmtKind::kIf, 0, pick(2), 0, synchronised_block(depth + 1)};
    if (roll < 30) return compare_and_swap();
    if (roll < 70) return {StmtKind::kRead, pick(script_.variables), 0, 0, {}};
    return {StmtKind::kWrite, pick(script_.variables), 1, 0, {}};
  }

  std::vector<Stmt> input_block(int depth) {
    std::vector<Stmt> statements;
    const int length = 1 + pick(depth == 0 ? 5 : 2);
    for (int i = 0; i < length && budget_ > 0; ++i) statements.push_back(input_statement(depth));
    return statements;
  }

  Stmt input_statement(int depth) {
    --budget_;
    if (ends_ && pick(8) == 0) return {StmtKind::kExit, 0, 0, 0, {}};
    if (mixed_ && pick(3) == 0) {
      ++budget_;
      return synchronised_statement(depth);
    }
    if (spawns_inputs_ && depth < 2 && spawned_ < 2 && pick(4) == 0) {
      ++spawned_;
      return {StmtKind::kSpawnJoin, pick(2), 0, 0, input_block(depth + 1)};
    }
    const int roll = pick(100);
    if (roll < 20 && inputs_ < 3) {
      ++inputs_;
      return {StmtKind::kInput, 0, pick(2) == 0 ? 1 : 3, 0, {}};
    }
    if (roll < 30 && depth < 2) return {StmtKind::kIf, 0, pick(4), 0, input_block(depth + 1)};
    if (roll < 42 && depth < 2) return {StmtKind::kIfLess, 0, 1 + pick(3), 0, input_block(depth + 1)};
    if (roll < 46) return {StmtKind::kAssume, 0, pick(4), 0, {}};
    if (roll < 50) return {StmtKind::kAssert, 0, pick(5), 0, {}};
    if (roll < 56 && depth < 2) return {StmtKind::kLocked, pick(script_.locks), 0, 0, input_block(depth + 1)};
    if (roll < 59 && depth < 2) return {StmtKind::kTryLocked, pick(script_.locks), 0, 0, input_block(depth + 1)};
    if (roll < 62) return {StmtKind::kAdd, pick(script_.variables), 1, 0, {}};
    if (roll < 64) return {StmtKind::kChoose, 0, 2, 0, {}};
    if (roll < 80) return {StmtKind::kRead, pick(script_.variables), 0, 0, {}};
    if (roll < 84) return {StmtKind::kWrite, pick(script_.variables), pick(3), 0, {}};
    return {StmtKind::kCopy, pick(script_.variables), pick(2), 0, {}};
  }

  Script script(int threads, int budget) {
    // Each script leans towards one theme, so that rare combinations come up often enough.
    theme_ = pick(6);
    for (int t = 0; t < threads; ++t) {
      budget_ = std::max(1, budget / (threads - t) + pick(2));
      budget -= budget_;
      script_.threads.push_back(block(0, -1));
    }
    return script_;
  }

  int pick(int n) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(n))); }

  // `held`: the innermost lock held, or -1.
  std::vector<Stmt> block(int depth, int held) {
    std::vector<Stmt> statements;
    const int length = 1 + pick(depth == 0 ? 4 : 2);
    for (int i = 0; i < length && budget_ > 0; ++i) statements.push_back(statement(depth, held));
    return statements;
  }

  Stmt statement(int depth, int held) {
    --budget_;
    if (ends_ && pick(10) == 0) return {StmtKind::kExit, 0, 0, 0, {}};
    if (awaits_ && pick(4) == 0) return waiting_loop(depth);
    if (assumes_ && pick(6) == 0) return {StmtKind::kAssume, 0, pick(3), 0, {}};
    const int roll = pick(100);
    if (depth < 2 && theme_ == 1 && roll < 50) return locked(depth);
    if (depth < 2 && theme_ == 2 && roll < 60) return condition(depth, held);
    if (depth < 2 && theme_ == 3 && roll < 35 && spawned_ < 2) return spawned(depth);
    if (theme_ == 4 && roll < 50) return compare_and_swap();
    if (roll < 14 && depth < 2) return locked(depth);
    if (roll < 20 && depth < 2) return {StmtKind::kTryLocked, pick(script_.locks), 0, 0, block(depth + 1, -1)};
    if (roll < 28) return compare_and_swap();
    if (roll < 33) return {StmtKind::kAdd, variable(), 1 + pick(2), 0, {}};
    if (roll < 41 && depth < 2) return {StmtKind::kIf, 0, pick(3), 0, block(depth + 1, held)};
    if (roll < 46) return {StmtKind::kAssert, 0, 1 + pick(3), 0, {}};
    if (roll < 48) return {StmtKind::kChoose, 0, 2, 0, {}};
    if (roll < 51) return {StmtKind::kSignal, 0, 0, 0, {}};
    if (roll < 53 && depth < 1 && spawned_ < 1) return spawned(depth);
    if (roll < 72) return {StmtKind::kRead, variable(), 0, 0, {}};
    if (roll < 86) return {StmtKind::kWrite, variable(), 1 + pick(2), 0, {}};
    return {StmtKind::kCopy, variable(), 1, 0, {}};
  }

  int variable() { return pick(script_.variables - (awaits_ ? 1 : 0)); }

  Stmt waiting_loop(int depth) {
    const int spin_lock = script_.variables - 1;
    if (polls_ && depth == 0 && pick(2) == 0)
      return {
          pick(2) == 0 ? StmtKind::kPollTimed : StmtKind::kPollQueued, variable(), pick(3), pick(script_.locks), {}};
    switch (pick(10)) {
      case 0:
        return {StmtKind::kRetry, variable(), 1 + pick(2), 0, {}};
      case 1:
        return {StmtKind::kPollLocked, variable(), pick(3), pick(script_.locks), {}};
      case 2:
        return {StmtKind::kPollTried, variable(), pick(3), pick(script_.locks), {}};
      case 3:
        return {StmtKind::kPollSpun, variable(), pick(3), spin_lock, {}};
      case 7:
        if (script_.locks == 2)
          return {pick(2) == 0 ? StmtKind::kPollJoint : StmtKind::kPollHanded, variable(), pick(3), pick(2), {}};
        [[fallthrough]];
      case 4:
        if (depth < 2) return {StmtKind::kSpun, spin_lock, 0, 0, block(depth + 1, -1)};
        [[fallthrough]];
      case 5:
      case 6:
        return {StmtKind::kAwait, variable(), pick(3), 0, {}};
      default:
        return {StmtKind::kAwaitEither, variable(), pick(3), variable(), {}};
    }
  }

  Stmt locked(int depth) {
    const int m = pick(script_.locks);
    return {StmtKind::kLocked, m, 0, 0, block(depth + 1, m)};
  }

  Stmt condition(int depth, int held) {
    if (held >= 0 && pick(2) == 0) return {StmtKind::kWait, 0, held, 0, {}};
    switch (pick(3)) {
      case 0:
        return {StmtKind::kSignal, 0, 0, 0, {}};
      case 1:
        return pick(3) == 0 ? Stmt{StmtKind::kBroadcast, 0, 0, 0, {}} : locked(depth);
      default: {
        const int m = pick(script_.locks);
        return {StmtKind::kLocked, m, 0, 0, {{StmtKind::kWait, 0, m, 0, {}}}};
      }
    }
  }

  Stmt compare_and_swap() { return {StmtKind::kCas, variable(), pick(2), 1 + pick(2), {}}; }

  Stmt spawned(int depth) {
    ++spawned_;
    return {StmtKind::kSpawnJoin, pick(2), 0, 0, block(depth + 1, -1)};
  }

  Random random_;
  Script script_;
  int theme_ = 0;
  int budget_ = 0;
  int spawned_ = 0;
  int inputs_ = 0;
  bool spawns_inputs_ = false;
  bool ends_ = false;
  bool awaits_ = false;
  bool polls_ = false;
  bool assumes_ = false;
  bool mixed_ = false;
};

// Tries every script that is one deletion or unwrapping away; true if one still fails and replaced `script`.
class Shrinker {
 public:
  Shrinker(Script& script, const std::function<bool(const Script&)>& fails) : script_(script), fails_(fails) {}

  bool step() {
    for (std::size_t t = 0; t < script_.threads.size() && script_.threads.size() > 1; ++t) {
      Script smaller = script_;
      smaller.threads.erase(smaller.threads.begin() + static_cast<std::ptrdiff_t>(t));
      if (accept(smaller)) return true;
    }
    Script copy = script_;
    for (auto& thread : copy.threads)
      if (shrink_block(copy, thread)) return true;
    return false;
  }

 private:
  bool accept(const Script& candidate) {
    if (!fails_(candidate)) return false;
    script_ = candidate;
    return true;
  }

  bool shrink_block(Script& whole, std::vector<Stmt>& block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::vector<Stmt> saved = block;
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
      if (accept(whole)) return true;
      const bool waits_inside = saved[i].kind == StmtKind::kLocked;
      if (!saved[i].body.empty() && !waits_inside) {
        block.insert(block.begin() + static_cast<std::ptrdiff_t>(i), saved[i].body.begin(), saved[i].body.end());
        if (accept(whole)) return true;
      }
      block = saved;
      if (shrink_block(whole, block[i].body)) return true;
    }
    return false;
  }

  Script& script_;
  const std::function<bool(const Script&)>& fails_;
};

}  // namespace

Script random_script(std::uint64_t seed) { return Generator(mix(seed)).small(); }
Script random_input_script(std::uint64_t seed) { return Generator(mix(seed ^ 0x1234567)).with_inputs(false); }
Script random_spawning_input_script(std::uint64_t seed) { return Generator(mix(seed ^ 0x3456789)).with_inputs(true); }
Script random_synchronised_script(std::uint64_t seed) { return Generator(mix(seed ^ 0x7654321)).synchronised(); }
Script random_ending_script(std::uint64_t seed) { return Generator(mix(seed ^ 0x2468ace)).ending(); }
Script random_waiting_script(std::uint64_t seed) { return Generator(mix(seed ^ 0x1f2e3d4)).waiting(); }
Script random_polling_script(std::uint64_t seed) { return Generator(mix(seed ^ 0x3c2d1e0)).polling(); }
Script random_assuming_script(std::uint64_t seed) { return Generator(mix(seed ^ 0x13579bd)).assuming(); }
Script random_mixed_script(std::uint64_t seed) { return Generator(mix(seed ^ 0x5678123)).mixed(); }
Script random_large_script(std::uint64_t seed) { return Generator(mix(~seed)).large(); }

Script shrink(Script script, const std::function<bool(const Script&)>& fails) {
  Shrinker shrinker(script, fails);
  while (shrinker.step()) {
  }
  return script;
}

}  // namespace heddle::check
