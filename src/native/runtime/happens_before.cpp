#include "native/runtime/happens_before.h"

#include <string.h>

#include <algorithm>

#include "base/clock_row.h"
#include "native/runtime/engine_memory.h"
#include "native/runtime/parts.h"
#include "native/runtime/scheduler.h"

namespace heddle::runtime {

constinit Clocks clocks;

namespace {
bool acquires(int order) {
  return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}
bool releases(int order) { return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST; }
}  // namespace

// Only entries of ids that have been given out are ever written, so those beyond stay zero (or one, their own epoch).
std::size_t Clocks::width() const { return clock_row::rounded(rt.known_threads); }

void Clocks::begin_row(std::size_t t, bool fences) {
  clock_row::clear(clock_[t], width());
  clock_[t][t] = 1;
  if (!fences) return;
  clock_row::clear(acquire_fence_[t], width());
  clock_row::clear(release_fence_[t], width());
}

void Clocks::begin() {
  for (std::size_t t = 0; t < width(); ++t) begin_row(t, fences_used_);
  fences_used_ = false;
  with_clock_.clear();
}

void Clocks::keep(std::size_t checkpoint) {
  Copy& copy = kept_[checkpoint];
  const std::size_t n = copy.width = width();
  copy.fences_used = fences_used_;
  copy.threads.clear();
  for (std::size_t t = 0; t < n; ++t) {
    copy.threads.insert(copy.threads.end(), clock_[t], clock_[t] + n);
    if (!fences_used_) continue;
    copy.threads.insert(copy.threads.end(), acquire_fence_[t], acquire_fence_[t] + n);
    copy.threads.insert(copy.threads.end(), release_fence_[t], release_fence_[t] + n);
  }
  copy.objects = with_clock_;
  copy.clocks.clear();
  for (ObjectId id : with_clock_) copy.clocks.insert(copy.clocks.end(), objects[id].clock, objects[id].clock + n);
}

void Clocks::go_back(std::size_t checkpoint) {
  const Copy& copy = kept_[checkpoint];
  const std::size_t n = copy.width;
  const std::uint32_t* from = copy.threads.data();
  const auto put = [&](std::uint32_t* row) {
    clock_row::copy(row, from, n);
    clock_row::clear(row + n, width() - n);
    from += n;
  };
  const bool fences = fences_used_ || copy.fences_used;
  for (std::size_t t = 0; t < n; ++t) {
    put(clock_[t]);
    if (copy.fences_used) {
      put(acquire_fence_[t]);
      put(release_fence_[t]);
    } else if (fences) {
      clock_row::clear(acquire_fence_[t], width());
      clock_row::clear(release_fence_[t], width());
    }
  }
  for (std::size_t t = n; t < width(); ++t) begin_row(t, fences);
  fences_used_ = copy.fences_used;
  for (std::size_t i = copy.objects.size(); i < with_clock_.size(); ++i) objects[with_clock_[i]].clock_generation = 0;
  with_clock_.resize(copy.objects.size());
  from = copy.clocks.data();
  for (ObjectId id : copy.objects) put(objects[id].clock);
}

constinit const Part clocks_part = described({
    .begin =
        [] {
          if (rt.races_checked) clocks.begin();
        },
    .keep = [](std::size_t checkpoint) { clocks.keep(checkpoint); },
    .go_back = [](std::size_t checkpoint) { clocks.go_back(checkpoint); },
});

void Clocks::join(std::uint32_t* into, const std::uint32_t* from) { clock_row::join(into, from, width()); }

bool Clocks::has_clock(ObjectId object) const { return objects[object].clock_generation == rt.generation; }

std::uint32_t* Clocks::clock_of(ObjectId id) {
  Object& object = objects[id];
  if (!object.clock) {
    object.clock = static_cast<std::uint32_t*>(engine_memory.allocate(kMaxThreads * sizeof(std::uint32_t)));
    memset(object.clock, 0, kMaxThreads * sizeof(std::uint32_t));
  }
  if (object.clock_generation != rt.generation) {
    object.clock_generation = rt.generation;
    with_clock_.push_back(id);
    clock_row::clear(object.clock, width());
  }
  return object.clock;
}

void Clocks::take(ObjectId object, std::vector<std::uint32_t>& clock) const {
  const std::uint32_t* const from = objects[object].clock;
  clock.assign(from, has_clock(object) ? from + width() : from);
}

void Clocks::put(ObjectId object, const std::vector<std::uint32_t>& clock) {
  if (clock.empty() && !has_clock(object)) return;
  std::uint32_t* const to = clock_of(object);
  clock_row::clear(to, width());
  std::copy(clock.begin(), clock.end(), to);
}

void Clocks::spawned(ThreadId parent, ThreadId child, bool again) {
  clock_[child.index()][child.index()] = 1;
  join(clock_[child.index()], clock_[parent.index()]);
  if (again) ++clock_[child.index()][child.index()];  // the parent knows all epochs of the one before
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
  if (releases(order)) {
    clock_row::copy(clock_of(object), clock_[t], width());
    ++clock_[t][t];
  } else if (fences_used_) {
    clock_row::copy(clock_of(object), release_fence_[t], width());
  } else if (has_clock(object)) {
    clock_row::clear(objects[object].clock, width());
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

}  // namespace heddle::runtime
