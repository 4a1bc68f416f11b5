// -*- C++ -*-
// Waiting for atomic objects in programs that are built with Heddle's wrappers: atomic::wait and notify, and what the
// library builds on them. Under a memory model the runtime does what the standard says of them
// (src/native/runtime/atomic_waits.h). Otherwise a wait for an object of the size that the kernel knows (four bytes)
// looks, and sleeps if the value is the one that it does not want, as one step, until somebody notifies; there is no
// looking sixteen times before, and no count of those who wait. Objects of other sizes, and waits with a deadline, are
// the library's own, as all are with -DHEDDLE_LIBRARY_BARRIERS, to test the library.
#ifndef HEDDLE_STD_ATOMIC_WAIT
#define HEDDLE_STD_ATOMIC_WAIT

#include <bits/c++config.h>

#if defined HEDDLE_LIBRARY_BARRIERS || _GLIBCXX_RELEASE > 14 || !defined _GLIBCXX_HAVE_LINUX_FUTEX
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
// The thread is about to look until what is there is what it waits for, or is not `old` any more. 0: let the library do
// it.
int heddle_wait_begins(const volatile void* address) noexcept;
int heddle_wait_begins_while(const volatile void* address, const void* old, unsigned long size) noexcept;
void heddle_wait_ends() noexcept;
int heddle_notifies(const volatile void* address, int all) noexcept;
}

namespace std {

template <typename _Tp, typename _ValFn>
void __atomic_wait_address_v(const _Tp* __address, _Tp __old, _ValFn __value) noexcept {
  if (heddle_wait_begins_while(__address, &__old, sizeof __old) != 0) {
    while (__detail::__atomic_compare(__old, __value())) {
    }
    return heddle_wait_ends();
  }
  if constexpr (__platform_wait_uses_type<_Tp>) {
    __detail::__platform_wait_t __unwanted;
    __builtin_memcpy(&__unwanted, &__old, sizeof __unwanted);
    while (__detail::__atomic_compare(__old, __value())) __detail::__platform_wait(__address, __unwanted);
  } else {
    __heddle_library_wait_address_v(__address, __old, __value);
  }
}

// Sleeps on the value that was there before the look: whoever changes it in between is not missed.
template <typename _Pred>
void __heddle_wait_until(const __detail::__platform_wait_t* __address, _Pred& __there) noexcept {
  for (;;) {
    const __detail::__platform_wait_t __seen = __atomic_load_n(__address, __ATOMIC_ACQUIRE);
    if (__there()) return;
    __detail::__platform_wait(__address, __seen);
  }
}

template <typename _Tp, typename _Pred>
void __atomic_wait_address(const _Tp* __address, _Pred __there) noexcept {
  if (heddle_wait_begins(__address) != 0) {
    while (!__there()) {
    }
    return heddle_wait_ends();
  }
  if constexpr (__platform_wait_uses_type<_Tp>)
    __heddle_wait_until(reinterpret_cast<const __detail::__platform_wait_t*>(__address), __there);
  else
    __heddle_library_wait_address(__address, __there);
}

template <typename _Pred>
void __atomic_wait_address_bare(const __detail::__platform_wait_t* __address, _Pred __there) noexcept {
  if (heddle_wait_begins(__address) == 0) return __heddle_wait_until(__address, __there);
  while (!__there()) {
  }
  heddle_wait_ends();
}

template <typename _Tp>
void __atomic_notify_address(const _Tp* __address, bool __all) noexcept {
  if (heddle_notifies(__address, __all) != 0) return;
  if constexpr (__platform_wait_uses_type<_Tp>)
    __detail::__platform_notify(__address, __all);
  else
    __heddle_library_notify_address(__address, __all);
}

inline void __atomic_notify_address_bare(const __detail::__platform_wait_t* __address, bool __all) noexcept {
  if (heddle_notifies(__address, __all) == 0) __detail::__platform_notify(__address, __all);
}

}  // namespace std
#endif
#endif
#endif
