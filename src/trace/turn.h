// Turns of waiting loops. `while (!flag) {}` is how lock-free code waits: the thread goes round until others have
// changed what it looks at. Each turn is a step more, so taken literally such a loop has a class for every number of
// turns. But a turn that leaves the thread's own state and all memory as they were can be struck out of an execution,
// and what remains is an execution of the program with the same states, of this thread and of all others. So nothing is
// lost if a thread that has made such a turn is stopped there: it *awaits* a change of what it looked at.
//
//   * If somebody writes to something of that later, or does anything else that depends on the turn, the execution is
//     void: it is the beginning of one in which the thread looks after that, and since the two are dependent, that one
//     is explored as well. What is found on the way (a failed assertion, a data race) is found in a real execution
//     nevertheless. So it is if the process ends: there is an execution in which it ends before the thread looks.
//   * If nobody does, and that is so for every thread that awaits something, they wait for ever: a livelock. One of
//     them that could go on might make the change the others wait for. (Turns in vain of several threads depend on each
//     other if all look under one lock. They count in the order of threads.)
//
// So classes are those of executions without idle turns: finitely many where writes are, and none more for a thread
// that looks in vain. (Void executions are counted apart. GenMC treats loops that only read in the same way,
// statically: Kokologiannakis, Ren and Vafeiadis, "Dynamic partial order reductions for spinloops", FMCAD 2021.)
//
// A turn may also take something and give it back: lock, look, unlock, be the lock a mutex or an atomic object that is
// set and cleared again. Struck out, it must not be missed: nobody else may have touched what was taken meanwhile, but
// in a turn in vain of its own that ended there, as who finds a spin lock taken looks again. And the thread is stopped
// at the end of the turn, so there it must not hold what others could have had in the middle: a lock that the turn
// gives away and takes again does not qualify. (Nobody is blocked by an atomic object: who looks at it has a step that
// can be turned round.)
//
// Waiting for a time is a turn of that kind, too: the thread queues at a condition variable, gives its mutex away,
// leaves the queue by itself and takes the mutex again. Struck out it is not missed if nobody signalled meanwhile; that
// others queue or leave makes no difference.
//
// One turn is one look: a turn that has found different things in one object, as a compare-and-swap that has failed
// twice, has seen others get on. It could be struck out as well, but it is a class of its own, as for everybody who
// counts them.
//
// Sampling turns no races round, and most samples would be void. There a thread that has made a turn in vain is blocked
// instead, until something that it looked at has changed.
//
// Front ends find the turns: they know when a thread is where it was, with the same local state.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trace/execution.h"

namespace heddle::trace {

// What an operation leaves behind.
enum class Effect : std::uint8_t {
  kNone,  // of interest to nobody else
  kLook,
  kTransient,  // may be undone
  kLasting,
};

constexpr Effect effect_of(const Step& step) {
  switch (row_of(step.op.kind).leaves) {
    case Leaves::kNothing:
      return Effect::kNone;
    case Leaves::kLook:
      return Effect::kLook;
    case Leaves::kValue:  // to write what is there changes nothing, as long as it is there
      return step.op.before == step.op.after ? Effect::kLook : Effect::kTransient;
    case Leaves::kTransient:
      return Effect::kTransient;
    case Leaves::kChoice:
      return step.op.after != 0 && step.choice == 0 ? Effect::kNone : Effect::kLasting;  // nothing out of the ordinary
    case Leaves::kLasting:
      return Effect::kLasting;
  }
  return Effect::kLasting;
}

// Something that a turn depends on: while nobody writes to it, the next turn is the same. (A lock that a turn takes and
// gives back stands for all that it protects.)
struct Look {
  ObjectId object;
  std::uint64_t found = 0;
  EventIndex at = 0;  // the last step that touched it
};

// Turns of several threads may be in vain together: two threads that take two locks in opposite order, the second by
// trying, each find the other's lock taken, give back their own and begin again. Neither turn can be struck out alone,
// as the other one has seen it, but both can. So a turn that could be struck out but for others is kept as a round trip
// (note_round_trip), and who completes the set is stopped.
//
// When one comes to the end of its turn, the other may be in the middle of its next one, as always where both take the
// same lock first again. But if that one has begun as the turn before did, step by step, then the thread stands where
// it stood then, and what it has done since is a turn as well, from the middle of one to the middle of the next. It may
// even give away a lock first and take it again, as it is not the thread that is stopped. How far that turn reaches
// follows from what has to be struck out with it, so from what happens before the step that asks.
//
// Do the steps of thread t from `first` on leave everything as it was, such that the thread may be stopped behind them?
// `looks` is filled with what they depend on, if so. (A function of these steps and of those that happen before them.)
bool changes_nothing(const Execution& execution, EventIndex first, ThreadId t, std::vector<Look>& looks);

// They do not, and thread t goes on though it stands where it stood at `first`. If that is only because of what others
// have seen or done meanwhile, it is kept, and returned.
RoundTrip* note_round_trip(Execution& execution, EventIndex first, ThreadId t);

// Of the threads that were stopped in waiting loops, once nobody can go on or the process has ended.
enum class Waits : std::uint8_t {
  kNone,     // there are none
  kVoid,     // one of them could go on
  kUnknown,  // one of them looks at what another one changes in passing, again and again: they might meet
  kForEver,
};
// A sample is judged as it is: who is blocked there was seen to find nothing new.
enum class Search : std::uint8_t { kTurnsRacesRound, kSamples };
Waits judge_waits(const Execution& execution, Search search = Search::kTurnsRacesRound);

// The same under a weak memory model, whose steps say which stores they read: a thread that awaits something has read
// the newest store of everything it looked at, or it might find more. (Stores that leave what was there are none: those
// of others that wait.) Of turns that do more than look, those that take one lock and give it back are judged. A thread
// may be known to sleep on in spite of the newer stores of an object.
using SleepsOn = std::function<bool(ThreadId, ObjectId, const std::vector<EventIndex>& newer)>;
Waits judge_weak_waits(
    const Execution& execution, const SleepsOn& sleeps_on = [](ThreadId, ObjectId, const auto&) { return false; });

// Do two turns find the same?
bool same_finds(std::span<const Look> a, std::span<const Look> b);

}  // namespace heddle::trace
