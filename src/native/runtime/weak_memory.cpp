#include "native/runtime/weak_memory.h"

#include <string.h>

#include <algorithm>

#include "graph/execution_graph.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/parts.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/shadow.h"
#include "native/runtime/unmodelled.h"

namespace heddle::runtime {

constinit WeakMemory weak_memory;

trace::MemoryOrder memory_order_of(int order) {
  switch (order) {
    case __ATOMIC_RELAXED:
      return trace::MemoryOrder::kRelaxed;
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE:
      return trace::MemoryOrder::kAcquire;
    case __ATOMIC_RELEASE:
      return trace::MemoryOrder::kRelease;
    case __ATOMIC_ACQ_REL:
      return trace::MemoryOrder::kAcqRel;
    default:
      return trace::MemoryOrder::kSeqCst;
  }
}

int number_of(trace::MemoryOrder order) {
  switch (order) {
    case trace::MemoryOrder::kPlain:
    case trace::MemoryOrder::kRelaxed:
      return __ATOMIC_RELAXED;
    case trace::MemoryOrder::kAcquire:
      return __ATOMIC_ACQUIRE;
    case trace::MemoryOrder::kRelease:
      return __ATOMIC_RELEASE;
    case trace::MemoryOrder::kAcqRel:
      return __ATOMIC_ACQ_REL;
    case trace::MemoryOrder::kSeqCst:
      break;
  }
  return __ATOMIC_SEQ_CST;
}

void WeakMemory::give_orders(std::span<const trace::OrderAt> orders, std::span<const trace::FenceAt> fences) {
  orders_.assign(orders.begin(), orders.end());
  fences_.assign(fences.begin(), fences.end());
}

std::optional<trace::MemoryOrder> WeakMemory::fence_at(std::uint32_t where) const {
  for (const trace::FenceAt& fence : fences_)
    if (fence.where == where) return fence.order;
  return std::nullopt;
}

trace::MemoryOrder WeakMemory::order_at(std::uint32_t where, trace::MemoryOrder own, bool failed) const {
  for (const trace::OrderAt& place : orders_)
    if (place.where == where) return order_there(place, own, failed);
  return own;
}

void WeakMemory::switch_on(trace::MemoryModel model) {
  rt.weak = true;
  model_ = model;
}

void WeakMemory::begin() { under_way_ = {}; }

constinit const Part weak_memory_part = described({
    .begin =
        [] {
          if (rt.weak) weak_memory.begin();
        },
    .not_kept = "there are no checkpoints under memory models",
});

namespace {

std::size_t bytes_of(const Object& object) { return std::min<std::size_t>(object.size, WeakMemory::kLargest); }

// What of an operation is not modelled, if anything is.
const char* not_modelled(const Step& step) {
  switch (step.op.kind) {
    case OpKind::kTerminate:
      return "the process ends while threads may be running: what they might do before is not explored under a memory "
             "model";
    case OpKind::kBranch:
    case OpKind::kAssume:
      return "a branch on inputs under a memory model";
    default:
      break;
  }
  if (step.op.object == kNoObject) return nullptr;
  if (objects[step.op.object].kind == protocol::ObjectKind::kRequests)
    return "signals and cancellation under a memory model";
  if (objects.mixed(step.op.object)) return "accesses of different sizes to the same bytes under a memory model";
  return nullptr;
}

}  // namespace

bool WeakMemory::is_modelled(const Step& step) const {
  const char* const text = not_modelled(step);
  if (text != nullptr) note_unmodelled(reinterpret_cast<const void*>(first_address(step.where)), text);
  return text == nullptr;
}

WeakMemory::History& WeakMemory::history_of(ObjectId object) {
  if (object.index() >= histories_.size()) histories_.resize(std::max(objects.size(), 2 * histories_.size()));
  History& history = histories_[object.index()];
  if (history.generation != rt.generation) {
    history.generation = rt.generation;
    history.life = 0;
    history.used = 0;
  }
  return history;
}

ObjectId WeakMemory::in_this_life(ObjectId object) { return objects.in_life(object, history_of(object).life); }

void WeakMemory::initialise(std::uintptr_t address, std::size_t size) {
  constexpr std::uintptr_t kWidest = 16;  // of atomic objects
  if (any_visible(address, size)) return;
  for (std::uintptr_t granule = (address - kWidest) & ~std::uintptr_t{7}; granule < address + size; granule += 8)
    objects.for_each_in(granule, [&](const Object& object) {
      // What threads synchronise by is known by its first byte.
      const std::uint64_t bytes = object.kind == protocol::ObjectKind::kMemory ? object.size : 1;
      const bool there = object.address < address + size && object.address + bytes > address;
      if (!there) return;
      EngineScope scope;
      const ObjectId first(object.root);
      if (history_of(in_this_life(first)).used > 0) ++history_of(first).life;
    });
}

void WeakMemory::put(ObjectId object, const Store& store) {
  memcpy(reinterpret_cast<void*>(objects[object].address), store.bytes, bytes_of(objects[object]));
  clocks.put(object, store.clock);
}

void WeakMemory::take(ObjectId object, Store& store) const {
  memcpy(store.bytes, reinterpret_cast<const void*>(objects[object].address), bytes_of(objects[object]));
  clocks.take(object, store.clock);
}

void WeakMemory::before(Step& step) {
  under_way_ = {};
  const std::size_t position = rt.conductor.position();
  if (position >= epochs_.size()) epochs_.resize(2 * position + 1);
  epochs_[position] = clocks.epoch(rt.current);
  if (!is_modelled(step) || step.op.object == kNoObject) return;
  step.op.object = in_this_life(step.op.object);
  History& history = history_of(step.op.object);
  if (history.used == 0) {
    if (history.stores.empty()) history.stores.emplace_back();
    take(step.op.object, history.stores[0]);
    history.used = 1;
  }
  under_way_.object = step.op.object;
  if (graph::is_link(step.op.kind)) return;
  under_way_.newer = std::min<std::size_t>(rt.choice, history.used - 1);
  step.choice = static_cast<std::uint16_t>(under_way_.newer);
  if (under_way_.newer == 0) return;
  take(step.op.object, newest_);
  put(step.op.object, history.stores[history.used - 1 - under_way_.newer]);
}

void WeakMemory::after(const Step& step) {
  if (under_way_.object == kNoObject) return;
  if (graph::writes(step.op.kind)) {
    History& history = history_of(under_way_.object);
    if (history.used == history.stores.size()) history.stores.emplace_back();
    const auto place = history.stores.begin() + static_cast<std::ptrdiff_t>(history.used - under_way_.newer);
    std::rotate(place, history.stores.begin() + static_cast<std::ptrdiff_t>(history.used),
                history.stores.begin() + static_cast<std::ptrdiff_t>(history.used) + 1);
    ++history.used;
    under_way_.writes = true;
  }
  if (step.op.order != trace::MemoryOrder::kPlain) settle();
}

void WeakMemory::settle() {
  if (under_way_.object == kNoObject) return;
  History& history = history_of(under_way_.object);
  if (under_way_.writes) take(under_way_.object, history.stores[history.used - 1 - under_way_.newer]);
  if (under_way_.newer > 0) put(under_way_.object, newest_);
  if (under_way_.newer > 0) under_way_ = {};
}

}  // namespace heddle::runtime
