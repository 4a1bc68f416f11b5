// Who waits for what, in words.
#include "model/interpreter.h"

namespace heddle::model {

std::string Interpreter::describe_deadlock(ThreadSet blocked) const {
  std::string text;
  blocked.for_each_thread([&](ThreadId t) { text += (text.empty() ? "" : "; ") + describe_wait(t); });
  return text;
}

std::string Interpreter::describe_wait(ThreadId t) const {
  const Thread& th = thread(t);
  const Instruction& i = code_.instructions[th.pc];
  const std::int32_t* r = th.registers + th.window;
  const std::string waits = thread_name(t) + " waits for ";
  if (i.op == Op::kJoin) return waits + thread_name(ThreadId(static_cast<std::uint16_t>(r[i.a]))) + " to end";
  const std::string object = object_name(ObjectId(static_cast<std::uint32_t>(r[i.b])));
  if (i.op == Op::kPark) return waits + "a signal of " + object;
  INVARIANT(i.op == Op::kLock);
  const ThreadId owner(static_cast<std::uint16_t>(values_[static_cast<std::size_t>(r[i.b])]));
  if (owner == t) return waits + object + ", which it holds itself";
  const bool ended = thread(owner).state == State::kEnded;
  return waits + object + ", held by " + thread_name(owner) + (ended ? ", which has ended" : "");
}

}  // namespace heddle::model
