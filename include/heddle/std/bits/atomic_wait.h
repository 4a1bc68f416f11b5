// -*- C++ -*-
// Waiting for atomic objects in programs that are built with Heddle's wrappers: atomic::wait and notify, and what the
// library builds on them. Under a memory model the runtime does what the standard says of them
// (src/native/runtime/atomic_waits.h); otherwise, and for waits with a deadline, it is the library's own, as always
// with -DHEDDLE_LIBRARY_BARRIERS, to test the library.
#ifndef HEDDLE_STD_ATOMIC_WAIT
#define HEDDLE_STD_ATOMIC_WAIT

#include <bits/c++config.h>

#if defined HEDDLE_LIBRARY_BARRIERS || _GLIBCXX_RELEASE > 14
#include_next <bits/atomic_wait.h>
#else

#define __atomic_wait_address_v __heddle_library_wait_address_v
#define __atomic_wait_address __heddle_library_wait_address
#define __atomic_wait_address_bare __heddle_library_wait_address_bare
#define __atomic_notify_address __heddle_library_notify_address
#define __atomic_notify_address_bare __heddle_library_notify_address_bare
#include_next <bits/atomic_wait.h>
#undef __atomic_wait_address_v
#undef __atomic_wait_address
#undef __atomic_wait_address_bare
#undef __atomic_notify_address
#undef __atomic_notify_address_bare

#ifdef __cpp_lib_atomic_wait

extern "C" {
// The thread is about to look until what is there is what it waits for. 0: let the library do it.
int heddle_wait_begins(const volatile void* address) noexcept;
void heddle_wait_ends() noexcept;
int heddle_notifies(const volatile void* address, int all) noexcept;
}

namespace std {

template <typename _Tp, typename _ValFn>
void __atomic_wait_address_v(const _Tp* __address, _Tp __old, _ValFn __value) noexcept {
  if (heddle_wait_begins(__address) == 0) return __heddle_library_wait_address_v(__address, __old, __value);
  while (__detail::__atomic_compare(__old, __value())) {
  }
  heddle_wait_ends();
}

template <typename _Tp, typename _Pred>
void __atomic_wait_address(const _Tp* __address, _Pred __there) noexcept {
  if (heddle_wait_begins(__address) == 0) return __heddle_library_wait_address(__address, __there);
  while (!__there()) {
  }
  heddle_wait_ends();
}

template <typename _Pred>
void __atomic_wait_address_bare(const __detail::__platform_wait_t* __address, _Pred __there) noexcept {
  if (heddle_wait_begins(__address) == 0) return __heddle_library_wait_address_bare(__address, __there);
  while (!__there()) {
  }
  heddle_wait_ends();
}

template <typename _Tp>
void __atomic_notify_address(const _Tp* __address, bool __all) noexcept {
  if (heddle_notifies(__address, __all) == 0) __heddle_library_notify_address(__address, __all);
}

inline void __atomic_notify_address_bare(const __detail::__platform_wait_t* __address, bool __all) noexcept {
  if (heddle_notifies(__address, __all) == 0) __heddle_library_notify_address_bare(__address, __all);
}

}  // namespace std
#endif
#endif
#endif
