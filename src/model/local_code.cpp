// A thread's code between two visible operations, and the announcement of the one it arrives at.
#include <algorithm>

#include "model/interpreter.h"

namespace heddle::model {

using symbolic::kNoTerm;
using trace::FailureKind;
using trace::OpKind;
using trace::Step;

namespace {
// Does an arithmetic instruction have an operand that depends on inputs? A unary one has no second operand.
bool has_term(const symbolic::TermId* tm, const Instruction& i) {
  return tm[i.b] != kNoTerm || (i.op < Op::kNegate && tm[i.c] != kNoTerm);
}
}  // namespace

// Models without inputs pay nothing for terms, and nobody pays for coverage unless it is asked for.
void Interpreter::advance(ThreadId t) {
  if (options_.coverage) return symbolic_ ? advance_as<true, true>(t) : advance_as<false, true>(t);
  return symbolic_ ? advance_as<true, false>(t) : advance_as<false, false>(t);
}

// The dispatch loop; an exception to the length rule, being a table of one-line cases.
template <bool kSymbolic, bool kCovered>
void Interpreter::advance_as(ThreadId t) {
  Thread& th = thread(t);
  std::int32_t* r = th.registers + th.window;
  symbolic::TermId* tm = kSymbolic ? th.terms + th.window : nullptr;  // beside r
  const Instruction* const begin = code_.instructions.data();
  const Instruction* ip = begin + th.pc;
  const auto pc = [&] { return static_cast<std::uint32_t>(ip - begin); };

  for (std::uint32_t budget = kLocalBudget; budget != 0; --budget) {
    const Instruction& i = *ip;
    if constexpr (kCovered)
      if (th.stage == 0) ++coverage_.hits[pc()];
    if (th.rushed != 0 && i.op >= Op::kCall) [[unlikely]] {
      th.pc = pc();
      if (look_in_a_hurry(th, i, r)) {
        ++ip;
        continue;
      }
      end_hurry(th);
      r = th.registers + th.window;
      if constexpr (kSymbolic) tm = th.terms + th.window;
      ip = begin + th.pc;
      continue;
    }
    if constexpr (kSymbolic) {
      // Instructions that find a term among their operands are carried out over there.
      th.pc = pc();
      if (i.op < Op::kConst && has_term(tm, i)) {
        if (!symbolic_arithmetic(t, i)) return;
        ++ip;
        continue;
      }
    }
    switch (i.op) {
#define HEDDLE_ARITHMETIC(name)                     \
  case Op::name:                                    \
    r[i.a] = apply(Operator::name, r[i.b], r[i.c]); \
    if constexpr (kSymbolic) tm[i.a] = kNoTerm;     \
    ++ip;                                           \
    continue;
      HEDDLE_ARITHMETIC(kAdd)
      HEDDLE_ARITHMETIC(kSub)
      HEDDLE_ARITHMETIC(kMul)
      HEDDLE_ARITHMETIC(kShiftLeft)
      HEDDLE_ARITHMETIC(kShiftRight)
      HEDDLE_ARITHMETIC(kBitAnd)
      HEDDLE_ARITHMETIC(kBitOr)
      HEDDLE_ARITHMETIC(kBitXor)
      HEDDLE_ARITHMETIC(kEqual)
      HEDDLE_ARITHMETIC(kNotEqual)
      HEDDLE_ARITHMETIC(kLess)
      HEDDLE_ARITHMETIC(kLessEqual)
      HEDDLE_ARITHMETIC(kGreater)
      HEDDLE_ARITHMETIC(kGreaterEqual)
      HEDDLE_ARITHMETIC(kNegate)
      HEDDLE_ARITHMETIC(kNot)
      HEDDLE_ARITHMETIC(kComplement)
#undef HEDDLE_ARITHMETIC
      case Op::kDiv:
      case Op::kMod:
        if (r[i.c] == 0) {
          th.pc = pc();
          return fail(t, FailureKind::kDivisionByZero, "division by zero");
        }
        r[i.a] = apply(i.op == Op::kDiv ? Operator::kDiv : Operator::kMod, r[i.b], r[i.c]);
        if constexpr (kSymbolic) tm[i.a] = kNoTerm;
        ++ip;
        continue;
      case Op::kConst:
        r[i.a] = i.value;
        if constexpr (kSymbolic) tm[i.a] = kNoTerm;
        ++ip;
        continue;
      case Op::kMove:
        r[i.a] = r[i.b];
        if constexpr (kSymbolic) tm[i.a] = tm[i.b];
        ++ip;
        continue;
      case Op::kElement:
        th.pc = pc();
        if constexpr (kSymbolic)
          if (tm[i.b] != kNoTerm && !symbolic_element(t, i)) return;
        if (!element(t, i, r)) return;
        if constexpr (kSymbolic) {
          if (tm[i.b] != kNoTerm && reads_as_table(i)) begin_table(t, i);
          tm[i.a] = kNoTerm;
          th.stage = 0;
        }
        ++ip;
        continue;
      case Op::kJump:
        ip = begin + i.value;
        continue;
      case Op::kJumpIfZero:
      case Op::kJumpIfNot: {
        if constexpr (kSymbolic)
          if (tm[i.a] != kNoTerm && !symbolic_test(t, i)) return;
        const bool jumps = (r[i.a] == 0) == (i.op == Op::kJumpIfZero);
        if constexpr (kCovered) ++(jumps ? coverage_.jumped : coverage_.passed)[pc()];
        ip = jumps ? begin + i.value : ip + 1;
        continue;
      }
      case Op::kCall:
        th.pc = pc();
        if (!local_call(t, i)) return;
        r = th.registers + th.window;
        if constexpr (kSymbolic) tm = th.terms + th.window;
        ip = begin + th.pc;
        continue;
      case Op::kTurn:
        th.pc = pc();
        if (!begin_turn(t, i)) return;
        ip = begin + th.pc;
        continue;
      case Op::kReturn: {
        while (!th.turns.empty() && th.turns.back().depth >= th.depth) th.turns.pop_back();
        r[0] = r[i.b];
        if constexpr (kSymbolic) tm[0] = tm[i.b];
        if (th.depth == 0) {
          th.pc = pc();
          th.state = State::kEnded;
          conductor_.retire(t);
          enabled_ = enabled_ | joiners_[t.index()];
          return;
        }
        const Frame& frame = th.frames[--th.depth];
        th.window = frame.window;
        r = th.registers + th.window;
        if constexpr (kSymbolic) tm = th.terms + th.window;
        ip = begin + frame.return_to;
        continue;
      }
      case Op::kInput: {
        const std::uint32_t ordinal = ++th.inputs;
        if constexpr (kSymbolic)
          r[i.a] = symbolic_input(t, ordinal, tm[i.a]);
        else
          r[i.a] = random_input(t, ordinal);
        execution_->inputs.push_back(r[i.a]);
        execution_->named_inputs.push_back({t, ordinal, r[i.a]});
        ++ip;
        continue;
      }
      case Op::kAssert:
        if constexpr (kSymbolic)
          if (tm[i.a] != kNoTerm && !symbolic_test(t, i)) return;
        if (r[i.a] == 0) {
          th.pc = pc();
          return fail(t, FailureKind::kAssertion, code_.messages[static_cast<std::size_t>(i.value)]);
        }
        ++ip;
        continue;
      case Op::kError:
        th.pc = pc();
        return fail(t, FailureKind::kError, code_.messages[static_cast<std::size_t>(i.value)]);
      case Op::kAssume:
        if constexpr (kSymbolic)
          if (tm[i.a] != kNoTerm && !symbolic_test(t, i)) return;
        if (r[i.a] == 0) {
          th.pc = pc();
          return give_up(t);
        }
        ++ip;
        continue;
      case Op::kPark:
        // Woken between registering and here: no need to park.
        if (waiters_[slot(r[i.b])].contains(t)) {
          th.pc = pc();
          th.state = State::kParked;
          return conductor_.retire(t);
        }
        th.state = State::kReady;
        ++ip;
        continue;
      case Op::kSpurious:
        if (th.spurious >= options_.spurious) {
          r[i.a] = 0;
          if constexpr (kSymbolic) tm[i.a] = kNoTerm;
          ++ip;
          continue;
        }
        th.pc = pc();
        return announce(t, i, r);
      case Op::kLoad:
      case Op::kStore:
      case Op::kCas:
      case Op::kFetchAdd:
      case Op::kExchange:
      case Op::kFence:
      case Op::kLock:
      case Op::kUnlock:
      case Op::kWaitUnlock:
      case Op::kTryLock:
      case Op::kWait:
      case Op::kSignal:
      case Op::kBroadcast:
      case Op::kSpawn:
      case Op::kJoin:
      case Op::kChoose:
        th.pc = pc();
        if constexpr (kSymbolic)
          if (!known_operands(t, i)) return;
        return announce(t, i, r);
    }
  }
  th.pc = pc();
  cut_ = true;
  stop(t);
}

// A function of seed, thread and ordinal: the order in which threads read does not change what they read.
std::int32_t Interpreter::random_input(ThreadId t, std::uint32_t ordinal) const {
  const std::uint64_t name = combine(t.value, ordinal - 1);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(combine(options_.input_seed, name)));
}

bool Interpreter::element(ThreadId t, const Instruction& i, std::int32_t* r) {
  const Variable& v = code_.variables[static_cast<std::size_t>(i.value)];
  const auto at = static_cast<std::uint32_t>(r[i.b]);
  if (at < v.count) [[likely]] {
    r[i.a] = static_cast<std::int32_t>(v.first + at);
    return true;
  }
  // An index that depends on inputs is one finding, whatever its value.
  const bool depends = symbolic_ && thread(t).terms[thread(t).window + i.b] != kNoTerm;
  fail(t, FailureKind::kIndexOutOfRange,
       v.name + "[" + (depends ? "..." : std::to_string(r[i.b])) + "]: the array has " + std::to_string(v.count) +
           " elements" + (depends ? ", and inputs make the index another" : ""));
  return false;
}

bool Interpreter::local_call(ThreadId t, const Instruction& i) {
  Thread& th = thread(t);
  const Function& f = code_.functions[static_cast<std::size_t>(i.value)];
  const std::uint32_t window = th.window + i.a;
  if (th.depth == kMaxCalls || window + f.registers > kRegisterFile) {
    fail(t, FailureKind::kCrash, "stack overflow: " + std::to_string(th.depth) + " calls are open");
    return false;
  }
  th.frames[th.depth++] = {th.pc + 1, th.window};
  th.window = window;
  th.pc = f.entry;
  return true;
}

void Interpreter::announce(ThreadId t, const Instruction& i, const std::int32_t* r) {
  Thread& th = thread(t);
  if (th.steps == options_.max_steps) [[unlikely]] {
    cut_ = true;
    return stop(t);
  }
  Step step;
  step.where = where(th);
  step.op.object = ObjectId(static_cast<std::uint32_t>(r[i.b]));
  step.op.order = i.order;
  if (i.fence != trace::MemoryOrder::kRelaxed && !th.fenced) [[unlikely]] {
    step.op = {.kind = OpKind::kFence, .order = i.fence};
    enabled_.insert(t);
    return conductor_.announce(t, step);
  }
  bool enabled = true;
  switch (i.op) {
    case Op::kLoad:
      step.op.kind = OpKind::kRead;
      break;
    case Op::kStore:
      step.op.kind = OpKind::kWrite;
      break;
    case Op::kCas:
      step.op.kind = OpKind::kCas;
      step.op.after = bits(r[i.c]);
      break;
    case Op::kFetchAdd:
    case Op::kExchange:
      step.op.kind = OpKind::kUpdate;
      break;
    case Op::kFence:
      step.op.kind = OpKind::kFence;
      step.op.object = kNoObject;
      break;
    case Op::kLock:
      step.op.kind = OpKind::kAcquire;
      contenders_[slot(r[i.b])].insert(t);
      enabled = values_[step.op.object.index()] == kNoOwner;
      break;
    case Op::kTryLock:
      step.op.kind = OpKind::kTryAcquire;
      break;
    case Op::kWaitUnlock:
      step.op.kind = OpKind::kWaitRelease;
      break;
    case Op::kUnlock:
    case Op::kSpurious:
    case Op::kWait: {
      // Whether a thread holds a lock is its own doing, so this fails before anything is visible.
      const std::int32_t lock = r[i.op == Op::kWait ? i.c : i.b];
      const bool waits = i.op != Op::kUnlock;
      if (values_[static_cast<std::size_t>(lock)] != t.value)
        return fail(t, FailureKind::kUnlockNotHeld,
                    thread_name(t) + (waits ? " waits with " : " unlocks ") +
                        object_name(ObjectId(static_cast<std::uint32_t>(lock))) + ", which it does not hold");
      step.op.kind = i.op == Op::kWait ? OpKind::kWait : OpKind::kRelease;
      if (i.op != Op::kSpurious) break;
      step.op = {.kind = OpKind::kChoose, .after = trace::kSpuriousWakeUp};
      step.set = ChoiceSet::below(2);
      break;
    }
    case Op::kSignal:
    case Op::kBroadcast:
      step.op.kind = i.op == Op::kSignal ? OpKind::kSignal : OpKind::kBroadcast;
      step.set = waiters_[slot(r[i.b])];
      notifiers_[slot(r[i.b])].insert(t);
      break;
    case Op::kSpawn:
      if (!announce_spawn(t, i, step)) return;
      break;
    case Op::kJoin:
      if (!announce_join(t, i, r, step)) return;
      enabled = thread(step.op.peer).state == State::kEnded;
      break;
    case Op::kChoose:
      if (r[i.b] < 1 || r[i.b] > 128)
        return fail(t, FailureKind::kError, "choose(" + std::to_string(r[i.b]) + "): the count must be from 1 to 128");
      step.op.kind = OpKind::kChoose;
      step.op.object = kNoObject;
      step.set = ChoiceSet::below(static_cast<std::size_t>(r[i.b]));
      break;
    default:
      INVARIANT(is_visible(i.op));
  }
  if (!enabled) awaiting_.erase(t);  // it is blocked by its object
  if (enabled && !awaiting_.contains(t)) enabled_.insert(t);
  conductor_.announce(t, step);
}

bool Interpreter::announce_spawn(ThreadId t, const Instruction& i, Step& step) {
  step.op.kind = OpKind::kSpawn;
  step.op.object = kNoObject;
  step.op.peer = child_id(t, thread(t).spawned + 1, static_cast<std::uint32_t>(i.value));
  if (step.op.peer != kNoThread) return true;
  fail(t, FailureKind::kError, "more than " + std::to_string(kMaxThreads) + " threads");
  return false;
}

// A number that is no thread's (yet) is waited for like any other: whether somebody has spawned it by now is
// not this thread's to see without a visible operation.
bool Interpreter::announce_join(ThreadId t, const Instruction& i, const std::int32_t* r, Step& step) {
  const auto peer = static_cast<std::uint32_t>(r[i.a]);
  if (peer >= kMaxThreads) {
    fail(t, FailureKind::kError, "join(" + std::to_string(r[i.a]) + "): no thread has this number");
    return false;
  }
  used_ = std::max<std::size_t>(used_, peer + 1);
  step.op.kind = OpKind::kJoin;
  step.op.object = kNoObject;
  step.op.peer = ThreadId(static_cast<std::uint16_t>(peer));
  joiners_[peer].insert(t);
  return true;
}

}  // namespace heddle::model
