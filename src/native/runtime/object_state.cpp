#include "native/runtime/object_state.h"

#include <pthread.h>
#include <string.h>

#include "native/runtime/heap.h"
#include "native/runtime/runtime.h"
#include "native/runtime/world.h"

namespace heddle::runtime {

using protocol::ObjectKind;
namespace {

template <class T>
T read(const Object& object) {
  return *reinterpret_cast<const T*>(object.address);
}

std::optional<std::uint64_t> value_of(const Object& object) {
  if (object.mixed) return std::nullopt;
  return value_at(object.address, object.size);
}

// Of a mutex, or of a spin lock.
std::uint64_t state_of_lock(const Object& object) {
  const bool held = object.size == sizeof(pthread_spinlock_t)
                        ? read<pthread_spinlock_t>(object) > 0  // below: it was destroyed, and keeps nobody out
                        : reinterpret_cast<const pthread_mutex_t*>(object.address)->__data.__owner != 0;
  return held ? trace::kHeldExclusively : trace::kLockFree;
}

}  // namespace

std::uint64_t value_at(std::uintptr_t address, std::size_t size) {
  const auto as = [address]<class T>(T value) {
    memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    return std::uint64_t{value};
  };
  if (size == 8) return as(std::uint64_t{});
  if (size == 4) return as(std::uint32_t{});
  if (size == 1) return as(std::uint8_t{});
  std::uint64_t value = 0;
  for (std::size_t done = 0; done < size; done += 8) {
    std::uint64_t word = 0;
    memcpy(&word, reinterpret_cast<const void*>(address + done), size - done < 8 ? size - done : 8);
    value ^= done == 0 ? word : mix(word + (done - 8));  // of 16 bytes: what as_value makes of them
  }
  return value;
}

std::optional<std::uint64_t> state_of(const Object& object) {
  switch (object.kind) {
    case ObjectKind::kMemory:
      return value_of(object);
    case ObjectKind::kMutex:
      return state_of_lock(object);
    case ObjectKind::kReadWriteLock:
      return state_of(read<ReadWriteLock>(object));
    case ObjectKind::kSemaphore:
    case ObjectKind::kRequests:
      return read<std::uint32_t>(object);
    case ObjectKind::kCondition:
    case ObjectKind::kBarrier:
    case ObjectKind::kOnce:
    case ObjectKind::kFutex:
    case ObjectKind::kGiven:
      return std::nullopt;
  }
  return std::nullopt;
}

bool is_always_there(std::uint64_t address) {
  if (Heap::contains(reinterpret_cast<const void*>(address)) || world.contains(address)) return true;
  for (std::size_t t = 0; t < rt.known_threads; ++t)
    if (rt.thread[t].stack.contains(address)) return true;
  return false;
}

}  // namespace heddle::runtime
