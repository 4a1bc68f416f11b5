// Z3 with logic QF_BV, a fresh solver per query: the second try, and the referee of the tests. (Its incremental mode
// has given wrong models in this version; fresh ones have not. Whoever asks evaluates the model anyway.) The only file
// that includes Z3.
#include <z3++.h>

#include <algorithm>
#include <unordered_map>

#include "base/assert.h"
#include "symbolic/solver.h"

namespace heddle::symbolic {
namespace {

class Z3Solver final : public Solver {
 public:
  explicit Z3Solver(TermStore& store) : store_(store) {}

  Solution solve(std::span<const TermId> conditions, std::chrono::milliseconds limit) override {
    Solution out;
    try {
      run(conditions, limit, out);
    } catch (const z3::exception&) {
      out = {};  // whatever went wrong inside: not known
    }
    return out;
  }

 private:
  using Expressions = std::unordered_map<std::uint32_t, z3::expr>;

  void run(std::span<const TermId> conditions, std::chrono::milliseconds limit, Solution& out) {
    z3::context context;
    z3::solver solver(context, "QF_BV");
    z3::params parameters(context);
    parameters.set("timeout", static_cast<unsigned>(limit.count()));
    // The clock of a short limit may have run out before the solver begins to look at it, and is not looked at again.
    // So its steps are limited, too: some ten times as many as it makes in that time.
    constexpr std::uint64_t kStepsPerMillisecond = 100'000;
    const std::uint64_t steps = static_cast<std::uint64_t>(limit.count()) * kStepsPerMillisecond;
    parameters.set("rlimit", static_cast<unsigned>(std::min<std::uint64_t>(steps, 0xffff'ffffu)));
    solver.set(parameters);
    Expressions known;
    for (const TermId c : conditions) solver.add(translate(context, known, c) == context.bv_val(1, 1));
    switch (solver.check()) {
      case z3::sat: {
        const z3::model model = solver.get_model();
        out.inputs.assign(store_.inputs(), 0);
        for (std::size_t i = 0; i < out.inputs.size(); ++i) {
          const auto place = known.find(store_.input_term(i).value);
          if (place != known.end()) out.inputs[i] = model.eval(place->second, true).get_numeral_uint64();
        }
        out.answer = Answer::kSat;
        break;
      }
      case z3::unsat:
        out.answer = Answer::kUnsat;
        out.core.assign(conditions.begin(), conditions.end());
        break;
      case z3::unknown:
        break;
    }
  }

  z3::expr translate(z3::context& context, Expressions& known, TermId root) {
    std::vector<TermId> stack{root};
    while (!stack.empty()) {
      const TermId id = stack.back();
      if (known.contains(id.value)) {
        stack.pop_back();
        continue;
      }
      const Term& t = store_[id];
      const TermId operands[] = {t.a, t.b, t.c};
      bool ready = true;
      for (int i = 0; i < arity(t.kind); ++i)
        if (!known.contains(operands[i].value)) {
          stack.push_back(operands[i]);
          ready = false;
        }
      if (!ready) continue;
      known.emplace(id.value, expression(context, known, t));
      stack.pop_back();
    }
    return known.at(root.value);
  }

  static z3::expr constant(z3::context& context, const Term& t) {
    const auto low = static_cast<std::uint64_t>(t.value);
    if (t.width <= 64) return context.bv_val(low, t.width);
    const auto high = static_cast<std::uint64_t>(t.value >> 64);
    return z3::concat(context.bv_val(high, t.width - 64u), context.bv_val(low, 64));
  }

  z3::expr expression(z3::context& context, const Expressions& known, const Term& t) {
    if (t.kind == TermKind::kConst) return constant(context, t);
    if (t.kind == TermKind::kInput) {
      const std::string name = "i" + std::to_string(static_cast<std::uint64_t>(t.value));
      return context.bv_const(name.c_str(), t.width);
    }
    const z3::expr& a = known.at(t.a.value);
    const int n = arity(t.kind);
    const z3::expr b = n > 1 ? known.at(t.b.value) : a;
    const z3::expr c = n > 2 ? known.at(t.c.value) : a;
    const auto bit = [&](const z3::expr& e) { return z3::ite(e, context.bv_val(1, 1), context.bv_val(0, 1)); };
    const unsigned extra = t.width - store_.width(t.a);
    switch (t.kind) {
      case TermKind::kConst:
      case TermKind::kInput:
        break;
      case TermKind::kNot:
        return ~a;
      case TermKind::kNeg:
        return -a;
      case TermKind::kAnd:
        return a & b;
      case TermKind::kOr:
        return a | b;
      case TermKind::kXor:
        return a ^ b;
      case TermKind::kAdd:
        return a + b;
      case TermKind::kSub:
        return a - b;
      case TermKind::kMul:
        return a * b;
      case TermKind::kUdiv:
        return z3::udiv(a, b);
      case TermKind::kSdiv:
        return a / b;
      case TermKind::kUrem:
        return z3::urem(a, b);
      case TermKind::kSrem:
        return z3::srem(a, b);
      case TermKind::kShl:
        return z3::shl(a, b);
      case TermKind::kLshr:
        return z3::lshr(a, b);
      case TermKind::kAshr:
        return z3::ashr(a, b);
      case TermKind::kConcat:
        return z3::concat(a, b);
      case TermKind::kExtract:
        return a.extract(t.low + t.width - 1u, t.low);
      case TermKind::kZext:
        return z3::zext(a, extra);
      case TermKind::kSext:
        return z3::sext(a, extra);
      case TermKind::kEq:
        return bit(a == b);
      case TermKind::kUlt:
        return bit(z3::ult(a, b));
      case TermKind::kUle:
        return bit(z3::ule(a, b));
      case TermKind::kSlt:
        return bit(a < b);
      case TermKind::kSle:
        return bit(a <= b);
      case TermKind::kIte:
        return z3::ite(a == context.bv_val(1, 1), b, c);
    }
    REQUIRE(!"a leaf has no expression of its own kind here");
    return a;
  }

  TermStore& store_;
};

}  // namespace

std::unique_ptr<Solver> make_z3_solver(TermStore& store) { return std::make_unique<Z3Solver>(store); }

std::string z3_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace heddle::symbolic
