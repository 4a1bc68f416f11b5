#include "native/runtime/barriers.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "heddle/std/meeting.h"
#include "native/runtime/failure.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/isolation.h"
#include "native/runtime/learnt.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"

namespace heddle::runtime {
namespace {

// What a pthread_barrier_t holds here.
struct Barrier {
  std::uint32_t needed;
  std::uint32_t turn;  // steps of the round that have been done: how many have come
  BarrierNumber number;
  std::uint8_t newcomers;  // somebody has come in this execution of whom nobody knew
  std::uint8_t used;       // in this execution
  ThreadSet lookers;       // who asked to be told, in this round
};
static_assert(sizeof(Barrier) == sizeof(pthread_barrier_t) && sizeof(Barrier) == sizeof(heddle_meeting));

constexpr BarrierNumber kBeforeMain = 1u << 31;  // by a constructor of the program's, or by the compiler

struct Users {
  BarrierNumber barrier;
  ThreadSet threads;
  bool otherwise = false;
};
constinit std::vector<Users> learnt;

Users* find_users(BarrierNumber barrier) {
  const auto known =
      std::find_if(learnt.begin(), learnt.end(), [&](const Users& users) { return users.barrier == barrier; });
  return known == learnt.end() ? nullptr : &*known;
}

Users& users_of(BarrierNumber barrier) {
  if (Users* known = find_users(barrier)) return *known;
  EngineScope scope;
  return learnt.emplace_back(barrier);
}

template <class T>
Barrier& state_of(T* barrier) {
  return *reinterpret_cast<Barrier*>(barrier);
}

void initialise(Barrier& barrier, std::uint32_t needed) {
  static constinit BarrierNumber before_main = kBeforeMain;
  barrier = {};
  begin_life(&barrier);
  barrier.needed = needed;
  barrier.number = rt.active ? static_cast<BarrierNumber>(rt.current.value) << 24 | (rt.self().barriers++ & 0xffffff)
                             : before_main++;
}

// One that was initialised by the compiler has only its address to be known by.
void initialise_constant(Barrier& barrier, std::uint32_t needed) {
  barrier.needed = needed;
  barrier.number = kBeforeMain | static_cast<BarrierNumber>(mix(reinterpret_cast<std::uintptr_t>(&barrier)) >> 33);
}

void released(ObjectId object) {
  if (rt.races_checked) clocks.release(object);
}
void acquired(ObjectId object) {
  if (rt.races_checked) clocks.acquire(object);
}

void check_alive(const Barrier& barrier, std::uint32_t where) {
  if (barrier.needed != 0) return;
  fail_thread(trace::FailureKind::kMutexMisuse, reinterpret_cast<const void*>(first_address(where)),
              "a barrier is used that is none: it was destroyed, or never initialised");
}

bool is_its_turn(const Thread& waiting) {
  const auto& barrier = *static_cast<const Barrier*>(waiting.waits_for);
  const ThreadId t(static_cast<std::uint16_t>(&waiting - rt.thread));
  return barrier.newcomers != 0 || barrier.turn == rt.conductor.pending(t).op.after;
}

// One arrival of the current thread.
class Arrival {
 public:
  Arrival(Barrier& barrier, bool looks, const void* pc)
      : state_(barrier),
        object_(objects.at(&barrier, sizeof(Barrier), protocol::ObjectKind::kBarrier)),
        where_(where_of(pc)),
        looks_(looks) {
    state_.used = 1;
    if (learn_barrier_user(state_.number, rt.current)) state_.newcomers = 1;
    users_ = users_of(state_.number).threads;
    in_turn_ = state_.newcomers == 0 && static_cast<std::uint32_t>(users_.size()) <= state_.needed;
  }

  // True: the thread is told to be the serial one.
  bool operator()() {
    VisibleOperation op(in_turn_ ? OpKind::kArriveInTurn : OpKind::kArrive, object_, where_);
    if (in_turn_) {
      op.op().after = static_cast<std::uint64_t>((users_ & ThreadSet::below(rt.current.index())).size());
      op.op().before = op.op().after;  // its turn, also if it never comes
      op.block_until(is_its_turn, &state_);
    }
    op.await();
    if (state_.needed == 0) fail(op);  // destroyed meanwhile
    released(object_);
    if (looks_) state_.lookers.insert(rt.current);
    op.op().before = in_turn_ ? state_.turn : 0;
    const bool last = ++state_.turn >= state_.needed;
    op.op().after = in_turn_ ? state_.turn : state_.needed - state_.turn;
    if (!last) {
      wait(op);
      return rt.self().serial;
    }
    if (!in_turn_ || state_.lookers.empty()) {
      open(op, rt.current);
      return true;
    }
    op.step().set.insert(rt.current);
    op.performed();
    const ThreadId told = choose_told();
    VisibleOperation opens(OpKind::kArriveInTurn, object_, where_);
    opens.op().before = opens.op().after = state_.turn;
    opens.await();
    open(opens, told);
    return told == rt.current;
  }

 private:
  // Others come to a destroyed barrier in turn, too. This one does not wait there.
  void fail(VisibleOperation& op) {
    op.op().before = in_turn_ ? state_.turn : 0;
    op.op().after = ++state_.turn;
    op.step().set.insert(rt.current);
    op.performed();
    check_alive(state_, where_);
  }

  void wait(VisibleOperation& op) {
    rt.self().serial = false;
    register_waiter(&state_);
    op.performed();
    rt.in_engine = true;
    park_until_woken();
    acquired(object_);
    rt.in_engine = false;
  }

  // Nothing looks at the barrier behind this: who passes first may destroy it.
  void open(VisibleOperation& op, ThreadId told) {
    op.op().after = 0;
    state_.turn = 0;
    state_.lookers = {};
    op.step().set = waiters_of(&state_);
    op.step().set.for_each_thread([](ThreadId t) { wake(t); });
    if (told != rt.current) rt.thread[told.index()].serial = true;
    acquired(object_);
    op.performed();
  }

  // Among those who ask, and one that stands for all others.
  ThreadId choose_told() {
    const ThreadSet others = users_ - state_.lookers;
    VisibleOperation choice(OpKind::kChoose, kNoObject, where_);
    choice.step().set = others.empty() ? state_.lookers : state_.lookers | ThreadSet::of(others.first());
    choice.op().after = trace::kTellsWho;
    choice.await();
    choice.step().choice = choice.choice();
    choice.performed();
    return ThreadId(choice.step().choice);
  }

  Barrier& state_;
  ObjectId object_;
  std::uint32_t where_;
  bool looks_;
  bool in_turn_ = false;
  ThreadSet users_;
};

// To destroy one is a step, if others may come to it.
void end(Barrier& barrier, const void* pc) {
  bool in_use = false;
  if (rt.threads > 1) {
    note_hidden_change();
    VisibleOperation op(OpKind::kUpdate, objects.at(&barrier, sizeof barrier, protocol::ObjectKind::kBarrier),
                        where_of(pc));
    op.await();
    in_use = barrier.turn != 0;
    op.op().before = op.op().after = barrier.turn;
    op.performed();
  }
  barrier.needed = 0;
  if (in_use)
    record_failure(trace::FailureKind::kMutexMisuse, where_of(pc), "a barrier is destroyed while a thread waits at it");
}

int arrive(pthread_barrier_t* barrier, bool looks, const void* pc) {
  if (!controlled()) return PTHREAD_BARRIER_SERIAL_THREAD;
  check_alive(state_of(barrier), where_of(pc));
  note_uninterruptible(pc);
  return Arrival(state_of(barrier), looks, pc)() ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

bool note_new(BarrierNumber barrier, std::uint8_t use) {
  grow_visible_set({protocol::LearntKind::kBarrierUser, barrier, use});
  note_lesson({.barrier = barrier + std::uint64_t{1}, .barrier_use = use});
  return true;
}

}  // namespace

bool learn_barrier_user(BarrierNumber barrier, ThreadId user) {
  ThreadSet& users = users_of(barrier).threads;
  if (users.contains(user)) return false;
  users.insert(user);
  return note_new(barrier, static_cast<std::uint8_t>(user.value));
}

bool learn_other_use(BarrierNumber barrier) {
  bool& otherwise = users_of(barrier).otherwise;
  if (otherwise) return false;
  otherwise = true;
  return note_new(barrier, protocol::kOtherUse);
}

bool learn_barrier_use(BarrierNumber barrier, std::uint8_t use) {
  return use == protocol::kOtherUse ? learn_other_use(barrier) : learn_barrier_user(barrier, ThreadId(use));
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

#define PC __builtin_return_address(0)

extern "C" {

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t*, unsigned count) noexcept {
  if (count == 0) return EINVAL;
  initialise(state_of(barrier), count);
  return 0;
}
int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  if (controlled()) end(state_of(barrier), PC);
  return 0;
}
int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept { return arrive(barrier, true, PC); }
// What the pass makes of a call whose result nobody looks at (pass/barriers.cpp).
int heddle_barrier_wait(pthread_barrier_t* barrier) noexcept { return arrive(barrier, false, PC); }

void heddle_meeting_init(heddle_meeting* meeting, unsigned long needed) noexcept {
  initialise(state_of(meeting), static_cast<std::uint32_t>(needed));
}
int heddle_meet(heddle_meeting* meeting, unsigned long needed) noexcept {
  if (!controlled()) return 0;
  Barrier& barrier = state_of(meeting);
  if (barrier.needed == 0) initialise_constant(barrier, static_cast<std::uint32_t>(needed));
  if (users_of(barrier.number).otherwise) return 0;
  note_uninterruptible(PC);
  Arrival(barrier, false, PC)();
  return 1;
}
// Those who have met already have done so without the library: the execution is void, and the search begins again.
void heddle_meet_otherwise(heddle_meeting* meeting) noexcept {
  if (!controlled()) return;
  Barrier& barrier = state_of(meeting);
  if (barrier.needed == 0) initialise_constant(barrier, 1);
  if (learn_other_use(barrier.number) && barrier.used != 0) stop_thread(Stopped::kInfeasible);
}
}
