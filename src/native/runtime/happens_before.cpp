#include "native/runtime/happens_before.h"

#include <string.h>

#include "native/runtime/engine_memory.h"
#include "native/runtime/scheduler.h"

namespace heddle::native {

constinit Clocks clocks;

namespace {
bool acquires(int order) {
  return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}
bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}
}  // namespace

// Only entries of ids that have been given out are ever written, so those beyond stay zero.
std::size_t Clocks::width() const { return rt.known_threads; }

void Clocks::begin() {
  const std::size_t n = width();
  for (std::size_t t = 0; t < n; ++t) {
    memset(clock_[t], 0, n * sizeof(std::uint32_t));
    clock_[t][t] = 1;
    if (fences_used_) {
      memset(acquire_fence_[t], 0, n * sizeof(std::uint32_t));
      memset(release_fence_[t], 0, n * sizeof(std::uint32_t));
    }
  }
  fences_used_ = false;
}

void Clocks::join(std::uint32_t* into, const std::uint32_t* from) {
  const std::size_t n = width();
  for (std::size_t i = 0; i < n; ++i) into[i] = into[i] > from[i] ? into[i] : from[i];
}

bool Clocks::has_clock(ObjectId object) const { return objects[object].clock_generation == rt.generation; }

std::uint32_t* Clocks::clock_of(ObjectId id) {
  Object& object = objects[id];
  if (!object.clock) {
    object.clock = static_cast<std::uint32_t*>(engine_memory.allocate(kMaxThreads * sizeof(std::uint32_t)));
    memset(object.clock, 0, kMaxThreads * sizeof(std::uint32_t));
  }
  if (object.clock_generation != rt.generation) {
    object.clock_generation = rt.generation;
    memset(object.clock, 0, width() * sizeof(std::uint32_t));
  }
  return object.clock;
}

void Clocks::spawned(ThreadId parent, ThreadId child) {
  clock_[child.index()][child.index()] = 1;
  join(clock_[child.index()], clock_[parent.index()]);
  ++clock_[parent.index()][parent.index()];
}

void Clocks::joined(ThreadId joiner, ThreadId ended) { join(clock_[joiner.index()], clock_[ended.index()]); }

void Clocks::acquire(ObjectId object) {
  if (has_clock(object)) join(clock_[rt.current.index()], objects[object].clock);
}

void Clocks::release(ObjectId object) {
  std::uint32_t* mine = clock_[rt.current.index()];
  join(clock_of(object), mine);
  ++mine[rt.current.index()];
}

void Clocks::load(ObjectId object, int order) {
  if (!has_clock(object)) return;
  const std::size_t t = rt.current.index();
  if (acquires(order)) {
    join(clock_[t], objects[object].clock);
  } else {
    fences_used_ = true;
    join(acquire_fence_[t], objects[object].clock);
  }
}

// A store that does not release starts a new modification that carries nothing, except what a release fence before
// it put in.
//
// Where accesses of different sizes overlap, the object stands for several words, and a store to one of them
// leaves what the others carry. So there it adds.
void Clocks::store(ObjectId object, int order) {
  const std::size_t t = rt.current.index();
  if (objects.mixed(object)) [[unlikely]] {
    if (releases(order)) {
      join(clock_of(object), clock_[t]);
      ++clock_[t][t];
    } else if (fences_used_) {
      join(clock_of(object), release_fence_[t]);
    }
    return;
  }
  const std::size_t bytes = width() * sizeof(std::uint32_t);
  if (releases(order)) {
    memcpy(clock_of(object), clock_[t], bytes);
    ++clock_[t][t];
  } else if (fences_used_) {
    memcpy(clock_of(object), release_fence_[t], bytes);
  } else if (has_clock(object)) {
    memset(objects[object].clock, 0, bytes);
  }
}

// A read-modify-write continues the release sequence of what it read, whatever its own order.
void Clocks::update(ObjectId object, int order) {
  const std::size_t t = rt.current.index();
  load(object, order);
  if (releases(order)) {
    join(clock_of(object), clock_[t]);
    ++clock_[t][t];
  } else if (fences_used_) {
    join(clock_of(object), release_fence_[t]);
  }
}

void Clocks::fence(int order) {
  const std::size_t t = rt.current.index();
  fences_used_ = true;
  if (acquires(order)) join(clock_[t], acquire_fence_[t]);
  if (releases(order)) {
    memcpy(release_fence_[t], clock_[t], width() * sizeof(std::uint32_t));
    ++clock_[t][t];
  }
}

}  // namespace heddle::native
