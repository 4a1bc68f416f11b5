// Ids that cannot be mixed up: a thread is not an object is not an index into the trace.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace heddle {

template <class Tag, class Rep>
struct StrongId {
  Rep value = 0;

  constexpr StrongId() = default;
  constexpr explicit StrongId(Rep v) : value(v) {}
  constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
  constexpr auto operator<=>(const StrongId&) const = default;
};

// Threads are numbered by the spawn tree, in an order that does not depend on the schedule.
using ThreadId = StrongId<struct ThreadTag, std::uint16_t>;
// A shared variable, lock, condition variable, ...: dense, and the same in every execution of one program.
using ObjectId = StrongId<struct ObjectTag, std::uint32_t>;
// Position of an event in an execution.
using EventIndex = std::uint32_t;

inline constexpr EventIndex kNoEvent = 0xffffffffu;
inline constexpr ObjectId kNoObject{0xffffffffu};
inline constexpr ThreadId kNoThread{0xffff};
// Alive at once, in one program. A build for more (cmake -DHEDDLE_MAX_THREADS=256) explores everything some 8 % slower.
#ifndef HEDDLE_MAX_THREADS  // a program that includes this from an installation
#define HEDDLE_MAX_THREADS 128
#endif
inline constexpr std::size_t kMaxThreads = HEDDLE_MAX_THREADS;
static_assert(kMaxThreads == 128 || kMaxThreads == 256, "ids of threads fill a byte, sets of them whole words");
inline constexpr std::size_t kMostThreads =
    kMaxThreads == 256 ? 255 : kMaxThreads;  // of a program: 255 stands for none

}  // namespace heddle
