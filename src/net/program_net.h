// The Petri net of a program (Kähkönen 2015 section 7.2), as it is known from the executions seen so far.
//
// Places. A *local state* of a thread is what its observations made of it: the sequence of what it found, so the local
// states of a thread form a tree. A *value* of an object is named by its origin, the local state that its writer came
// to; the value an object begins with is a place of its own. A lock or semaphore has a place for each of its states,
// and nobody sees who had it before. (The book has no place for a held lock; here it is one, but is not counted.)
//
// Transitions. One takes a thread from a local state, and the object from one value, to others:
//
//   a read, a failed attempt   leaves the value where it is, and leads to a local state of its own for each value found
//   a write                    leads to the same local state and the same value, whatever it overwrites
//   lock, unlock, post, ...    from one state of the object to another; of an attempt, the thread sees how it turned
//   out all other operations       (fetch-and-add, wait, signal, barriers): what they leave depends on what they find,
//   so they
//                              see it: a local state and a value for each value found
//   choose, branch, assume     one transition for each outcome; the constraint of a branch is that of its local state
//   spawn                      leads the child to a local state for each local state of its parent
//   join                       a thread sees how the other ended if `joins_see`, else only that it has
//   waking                     a local state for each one that the waker came to
//
// So a transition is known before anybody has run it (PredictTransitions, 7.3): its thread's operation is known from
// the local state, its object's value from the marking. What is *not* known is what the thread does in a local state
// that no execution has come to. Those have Status::kUnknown, and a marking with one of them is incomplete.
//
// Beyond the thesis (its section 7.5): with `values` a variable has a place for each value instead of each origin.
// Threads that found the same values are then in one local state, and far more states meet. A value that depends on
// inputs is the term that it is. What a write leaves is known once it has been run, and it is not fired before.
//
// In native programs a failure may lie in the order of two writes alone (to memory that was freed). There a write
// counts as known only if one was run from its place in the source over a value from the same place (`orders_matter`).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/small_set.h"
#include "base/strong_id.h"
#include "net/flat_map.h"
#include "trace/execution.h"

namespace heddle::net {

using trace::Execution;
using trace::OpKind;
using trace::Step;

using LocalId = StrongId<struct LocalStateTag, std::uint32_t>;
using ValueId = StrongId<struct ObjectValueTag, std::uint32_t>;
using StepId = StrongId<struct NetTransitionTag, std::uint32_t>;  // a transition
inline constexpr LocalId kNoLocal{0};
inline constexpr ValueId kNoValue{0};
inline constexpr StepId kNoStep{0};

enum class Status : std::uint8_t {
  kUnknown,  // no execution has been here
  kInner,    // no place: half of an observation, or a thread that nobody has spawned yet
  kPending,
  kParked,  // waits to be woken
  kEnded,
  kIdle,      // all it does from here on is to join others and to end
  kAwaiting,  // stopped in a waiting loop
  kStopped,   // failed, or was cut
  kUnwanted,  // an assumption failed: no execution with it counts
};

// Has the thread nothing more to do, so that others may join it?
inline bool ends(Status status) { return status == Status::kEnded || status == Status::kIdle; }

struct LocalState {
  LocalId parent;
  StepId by;                    // the first transition that led here, if it was one of the thread's own
  ValueId wrote;                // the value that its last operation left, unless that is a lock's
  LocalId base;                 // woken early (see woken()): the state it was in then ...
  LocalId waker;                // ... and the one its waker came to
  LocalId next;                 // one that an execution went on to
  ObjectId object = kNoObject;  // of the next operation
  std::uint32_t where = 0;
  ThreadId thread;
  ThreadId peer = kNoThread;
  OpKind kind = OpKind::kRead;  // undecided: a compare-and-swap is kCas whatever comes of it
  Status status = Status::kUnknown;
  bool stands = false;         // kAwaiting, kStopped: `where` says where
  LocalId branch;              // the last one on its way, itself included, that a branch on inputs led to
  std::uint64_t expected = 0;  // of what compares; of a branch: the number of its condition
};

struct Value {
  ObjectId object;
  LocalId writer;           // kNoLocal: as the program found it, or a state of a lock or semaphore
  std::uint64_t state = 0;  // what an operation finds: the value, the count, held or free
  std::uint32_t term = 0;   // if it depends on inputs: its number in the front end's store
  bool known = false;       // the state is
  bool merged = false;      // into another that has the same value (NetOptions::values)
  std::uint32_t slot = 0;   // of its object: those that are used, numbered
};

struct Transition {
  LocalId from, to;
  ValueId takes, leaves;        // equal for reads; kNoValue without an object
  OpKind kind = OpKind::kRead;  // as it happens
  std::uint16_t choice = 0;
  bool admitted = false;  // some marking that inputs lead to enables it
};

struct NetOptions {
  bool values = false;      // a place for each value of a variable, whoever wrote it
  bool joins_see = false;   // memory that joins order is not visible
  bool idle_joins = false;  // a thread that does nothing after its joins need not make them
  bool orders_matter = false;
};

class Marking;

class ProgramNet {
 public:
  explicit ProgramNet(const NetOptions& options);

  const LocalState& operator[](LocalId p) const { return locals_[p.index()]; }
  const Value& operator[](ValueId v) const { return values_[v.index()]; }
  const Transition& operator[](StepId t) const { return transitions_[t.index()]; }
  std::size_t local_ids() const { return locals_.size(); }  // ids are below
  std::size_t value_ids() const { return values_.size(); }
  std::size_t transition_ids() const { return transitions_.size(); }

  LocalId root(ThreadId thread);  // of a thread that is there from the start
  ValueId initial(ObjectId object);
  bool uses(ObjectId object) const;  // some thread does
  bool spawned(ThreadId thread) const { return spawned_.contains(thread); }
  ThreadSet starting() const { return starting_; }  // threads that are there from the start
  std::size_t threads() const { return roots_.size(); }

  // How the pending operation of `from` turns out with its object at `found`; nothing if it would have to wait. (Not
  // for joins.)
  std::optional<OpKind> outcome(LocalId from, ValueId found) const;
  // The alternatives of a pending operation that has any; else only 0.
  ChoiceSet choices(LocalId from, ValueId found) const;
  // The transition, entered if new. `found` is the object's value, if there is an object.
  StepId step(LocalId from, ValueId found, std::uint16_t choice);
  StepId join(LocalId from, LocalId ended);
  // The same if it is there, else kNoStep.
  StepId find_step(LocalId from, ValueId found, std::uint16_t choice) const;
  StepId find_join(LocalId from, LocalId ended) const;
  // Inputs lead to a marking that enables it: it is part of the net.
  void admit(StepId t) { transitions_[t.index()].admitted = true; }
  // Have executions shown all that firing it does?
  bool known(StepId t) const;
  // The value it leaves. (Only once it is known, where values are places.)
  ValueId leaves(StepId t) const;
  // Is it a join that is left out, as it has turned out since?
  bool is_idle(StepId t) const;
  // Who is started or woken by it, besides its own thread.
  ThreadSet wakes(StepId t) const;
  // The local state of a thread that the transition to `waker` started or woke; `before` is kNoLocal for a start.
  // Who is woken before the release inside its wait still does that first, and as if nobody had woken it: that makes
  // no place and no transition more.
  LocalId woken(ThreadId thread, LocalId before, LocalId waker);
  // Who waits there.
  ThreadSet waiters(ValueId v) const;

  // What the execution shows. Its transitions, in its order, are in run() until the next one.
  void learn(const Execution& execution);
  const std::vector<StepId>& run() const { return run_; }
  const Marking& end_of_run() const { return *marking_; }
  bool waits_on_words() const { return waits_on_words_; }  // a futex: not modelled

  struct Counts {
    std::uint64_t places = 0;
    std::uint64_t replicated = 0;   // places of the place-replicated form (7.4)
    std::uint64_t transitions = 0;  // with outcomes of branches that no inputs bring about
    std::uint64_t feasible = 0;     // without
  };
  Counts counts() const;
  std::uint64_t unforeseen() const { return unforeseen_; }  // steps that differ from what was known of their place
  std::size_t bytes() const;

  ~ProgramNet();

 private:
  LocalId child(LocalId parent, std::uint64_t tag, std::uint32_t seen, ThreadId thread);
  std::uint64_t step_key(LocalId from, ValueId found, std::uint16_t choice) const;
  std::uint64_t join_key(LocalId from, LocalId ended) const;
  LocalId after(LocalId from, ValueId found, std::uint16_t choice, OpKind kind);
  ValueId left_by(LocalId to, ValueId found, OpKind kind);
  ValueId add_value(ObjectId object, LocalId writer);
  ValueId counted(ObjectId object, std::uint64_t state);
  void merge_value(LocalId to, const Step& step);
  void note_branch(LocalId from, LocalId to);
  std::uint64_t order_key(const Transition& t) const;

  void reveal(LocalId p, const Step& step, bool decided);
  void note_effect(StepId t, const Step& step);
  void note_initial(ValueId at, std::uint64_t state, OpKind kind);
  void learn_step(const Step& step, std::size_t position);
  void learn_end(const Execution& execution);
  void stand(LocalId p, std::uint32_t where);

  NetOptions options_;
  std::vector<LocalState> locals_;
  std::vector<Value> values_;
  std::vector<Transition> transitions_;
  FlatMap children_, known_steps_;
  std::vector<LocalId> roots_;     // by thread
  std::vector<ValueId> initials_;  // by object
  std::uint32_t slots_ = 0;
  std::unordered_map<std::uint64_t, ValueId> counted_;  // object and state -> value of a lock or semaphore
  ThreadSet spawned_, starting_;
  std::unordered_map<std::uint64_t, ValueId> by_value_;        // object and value -> its place, if values are places
  std::unordered_map<std::uint32_t, ChoiceSet> alternatives_;  // local state -> of an operation without an object
  std::unordered_map<std::uint32_t, ThreadSet> waiters_;       // value -> if anybody waits
  std::unordered_map<std::uint32_t, ThreadSet> opened_;        // local state after an arrival -> who is woken by it
  std::unordered_set<std::uint64_t> orders_seen_;

  std::unique_ptr<Marking> marking_;
  std::vector<StepId> run_;
  std::vector<std::size_t> idle_from_;
  std::uint64_t unforeseen_ = 0;
  bool waits_on_words_ = false;
};

// Where every thread and every object is, and a hash of it that is kept as it changes: 128 bits, for the sets of
// visited markings hold nothing else.
class Marking {
 public:
  struct Hash {
    std::uint64_t a = 0, b = 0;
    bool operator==(const Hash&) const = default;
    Hash& operator^=(const Hash& o) {
      a ^= o.a;
      b ^= o.b;
      return *this;
    }
  };
  // The hash of a marking is the sum of those of its places; objects that are as they were in the beginning have none.
  static Hash hash_of(LocalId p);
  static Hash hash_of(ProgramNet& net, ValueId v);

  void clear();
  LocalId local(ThreadId t) const { return t.index() < locals_.size() ? locals_[t.index()] : kNoLocal; }
  ValueId value(ProgramNet& net, ObjectId object) const;
  void set(ThreadId t, LocalId p);
  void set(ProgramNet& net, ObjectId object, ValueId v);
  void fire(ProgramNet& net, StepId t);
  std::size_t threads() const { return locals_.size(); }
  const Hash& hash() const { return hash_; }
  // Place by place, whatever the hashes are.
  bool has_the_places_of(const Marking& other) const;

 private:
  std::vector<LocalId> locals_;
  std::vector<ValueId> values_;  // by the slot of the object; kNoValue: the initial one
  Hash hash_;
};

}  // namespace heddle::net
