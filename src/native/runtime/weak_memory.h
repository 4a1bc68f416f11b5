// Memory models (docs/memory-models.md, graph/trust.h): the schedule says of each access which store it reads, or
// behind which store its own has its place, counted from the newest.
//
// All code of the program and of the runtime works on real memory. So that it need not know of any of this, memory is
// made to hold what the operation under way finds: before it is performed, the bytes of the store that it reads are put
// where the object is, and afterwards the newest ones again. Nobody else runs in between. What was stored in this
// execution is remembered per object, in modification order, with what each store releases (happens_before.h): who
// reads it acquires that and nothing else.
//
//   * What is there at the first operation on an object is its first store. Constructors write it plainly, and that
//     happens before everything else.
//   * Where an object is initialised once more, because its place is that of another one now, a new life begins, and
//     that is another object: no store from before can be read. Unless the plain write races, all that was done before
//     happens before it, so which life it is does not depend on the order in which a graph is run.
//   * A plain access that races is an operation (race_detector.h). It is performed after its callback; so what was put
//     into memory for it stays until its thread next gives up the processor, and then what it has stored is looked at.
//   * Locks and everything else that threads wait for are run as they are: the schedule is an order in which they can
//     be. A try that fails may find an older state.
//
// In a graph without data races all conflicting plain accesses are ordered by happens-before, so that any order in
// which the graph is run has them find the right values: there are no cycles of program order and reads-from.
// Where they are not ordered that is a finding, and the bytes become visible.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "native/runtime/runtime.h"
#include "trace/fence_at.h"

namespace heddle::runtime {

class WeakMemory {
 public:
  static constexpr std::size_t kLargest = 64;  // bytes that are kept of an object
  void switch_on(trace::MemoryModel model);
  trace::MemoryModel model() const { return model_; }
  void begin();  // a new execution

  // The current thread's operation has been decided on and is about to be performed; has been.
  void before(Step& step);
  void after(const Step& step);
  // The epoch of its thread when a step was performed (happens_before.h).
  std::uint32_t epoch_at(EventIndex step) const { return epochs_[step]; }
  // Accesses and fences at these places have other orders than their own from now on (graph/strengthen.h).
  // Before some of them a fence is passed that the program does not have.
  void give_orders(std::span<const trace::OrderAt> orders, std::span<const trace::FenceAt> fences);
  trace::MemoryOrder order_at(std::uint32_t where, trace::MemoryOrder own, bool failed) const;
  bool has_fences() const { return !fences_.empty(); }
  std::optional<trace::MemoryOrder> fence_at(std::uint32_t where) const;
  // What is at the place of an object now, as steps that have been performed name it.
  ObjectId in_this_life(ObjectId object);
  // A plain write is about to happen.
  void initialise(std::uintptr_t address, std::size_t size);
  // What follows an operation that is performed after its callback has happened.
  void settle();

 private:
  struct Store {
    std::uint8_t bytes[kLargest] = {};
    std::vector<std::uint32_t> clock;  // what it releases; empty: nothing
  };
  struct History {
    std::uint32_t generation = 0;  // of executions
    std::uint32_t life = 0;        // of the first object at its place
    std::size_t used = 0;          // 0: nothing has happened to it in this life
    std::vector<Store> stores;     // in modification order; storage is kept
  };
  struct UnderWay {
    ObjectId object = kNoObject;
    std::size_t newer = 0;  // stores than the one that it reads, or writes behind
    bool writes = false;
  };

  History& history_of(ObjectId object);
  bool is_modelled(const Step& step) const;
  void put(ObjectId object, const Store& store);
  void take(ObjectId object, Store& store) const;

  trace::MemoryModel model_ = trace::MemoryModel::kSc;
  UnderWay under_way_;
  Store newest_;                       // of the operation under way, if it finds an older one
  std::vector<History> histories_;     // by object
  std::vector<std::uint32_t> epochs_;  // by step of this execution
  std::vector<trace::OrderAt> orders_;
  std::vector<trace::FenceAt> fences_;
};
extern WeakMemory weak_memory;

// Is nothing of what C++ allows by weaker orders left out?
inline bool explores_weaker_orders() { return rt.weak && weak_memory.model() == trace::MemoryModel::kCpp20; }

// Something that threads synchronise by is initialised, perhaps where something else was before.
inline void begin_life(const volatile void* object) {
  if (rt.weak && controlled()) weak_memory.initialise(reinterpret_cast<std::uintptr_t>(object), 1);
}

// __ATOMIC_*, as compilers hand it over.
trace::MemoryOrder memory_order_of(int order);
int number_of(trace::MemoryOrder order);

}  // namespace heddle::runtime
