// The state in which an operation would find an object, as steps carry it (trace/operation.h).
#pragma once

#include <optional>

#include "base/random.h"
#include "native/runtime/shadow.h"
#include "trace/operation.h"

namespace heddle::runtime {

// A value as the engine compares it: exact up to 8 bytes, a hash beyond.
template <class T>
std::uint64_t as_value(T v) {
  if constexpr (sizeof(T) <= 8)
    return static_cast<std::uint64_t>(v);
  else
    return static_cast<std::uint64_t>(v) ^ mix(static_cast<std::uint64_t>(v >> 64));
}

// The same of so many bytes, which need not be aligned.
std::uint64_t value_at(std::uintptr_t address, std::size_t size);

// What a pthread_rwlock_t holds here.
struct ReadWriteLock {
  std::uint32_t readers;
  std::uint32_t writer;  // 1 + thread, 0: none
  std::uint32_t destroyed;
};
inline std::uint64_t state_of(const ReadWriteLock& lock) {
  return lock.writer ? trace::kHeldExclusively : lock.readers;
}

// Nothing where attempts are not made, or accesses of different sizes meet. The memory must be there.
std::optional<std::uint64_t> state_of(const Object& object);

// Is it certain that the memory is there? The program may have mapped some of its own, and given it back.
bool is_always_there(std::uint64_t address);

}  // namespace heddle::runtime
