// Functions of the C library as rows of a table (announced_functions.cpp): each argument that is a pointer has a part
// in the call, and the parts say what is read and written through it.
//
//   ANNOUNCED(gmtime_r, Reads<0>, Sets<1>)
//   ANNOUNCED(readlink, Text<0>, Fills<1, Argument<2>, Result>)
//
// The signature is the compiler's, from the declaration of the function. A part works before the call (LibraryCall) or,
// where only the function knows whether and how much it writes, behind it: what it would write where others can see it
// it writes aside, and it is announced and put there when it is known.
#pragma once

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "native/runtime/library_call.h"
#include "native/runtime/world.h"

namespace heddle::runtime {

// Bytes of an element: one where nothing is said.
template <class T>
constexpr std::size_t element_size() {
  if constexpr (std::is_void_v<T>)
    return 1;
  else
    return sizeof(T);
}
template <class P>
constexpr std::size_t kElement = element_size<std::remove_cv_t<std::remove_pointer_t<std::remove_reference_t<P>>>>();

// --- how much: elements ---

template <std::size_t N>
struct Argument {  // as another argument says
  static std::size_t count(const auto& arguments) { return static_cast<std::size_t>(std::get<N>(arguments)); }
};
template <std::size_t N>
struct Exactly {
  static std::size_t count(const auto&) { return N; }
};
using One = Exactly<1>;
template <class A, class B>
struct Times {
  static std::size_t count(const auto& arguments) { return A::count(arguments) * B::count(arguments); }
};

// --- what is read ---

template <std::size_t I, class Count = One>
struct Reads {
  void before(LibraryCall& call, auto& arguments) {
    const auto p = std::get<I>(arguments);
    if (p) call.reads(p, Count::count(arguments) * kElement<decltype(p)>);
  }
  void after(const void*, auto&, auto&) {}
};

// A string, or so much of it.
template <std::size_t I, class Most = Exactly<SIZE_MAX>>
struct Text {
  void before(LibraryCall& call, auto& arguments) {
    const auto p = std::get<I>(arguments);
    if (!p) return;
    if constexpr (kElement<decltype(p)> == sizeof(wchar_t))
      call.reads_wide_string(p, Most::count(arguments));
    else
      call.reads_string(p, Most::count(arguments));
  }
  void after(const void*, auto&, auto&) {}
};

// --- what is written, known before ---

template <std::size_t I, class Count = One>
struct Sets {
  void before(LibraryCall& call, auto& arguments) {
    const auto p = std::get<I>(arguments);
    if (!p) return;
    const std::size_t size = Count::count(arguments) * kElement<decltype(p)>;
    world.prepare_for_kernel(p, size);
    call.writes(p, size);
  }
  void after(const void*, auto&, auto&) {}
};

// Something is kept where the argument points to, and the function calls the program, which must not find itself in the
// middle of it: that it is used is announced, as one access to where it begins.
template <std::size_t I, bool Write>
struct Uses {
  void before(LibraryCall& call, auto& arguments) {
    const void* p = std::get<I>(arguments);
    if (p && call.on()) plain_access(reinterpret_cast<std::uintptr_t>(p), sizeof(void*), Write, call.pc());
  }
  void after(const void*, auto&, auto&) {}
};

// --- what is written, known behind ---

// Has the call done what it was to do?
template <class R>
bool succeeded(const R& result) {
  if constexpr (std::is_pointer_v<R>)
    return result != nullptr;
  else if constexpr (std::is_integral_v<R> && std::is_signed_v<R>)
    return result >= 0;
  else if constexpr (std::is_integral_v<R>)
    return result != static_cast<R>(-1);
  else
    return true;
}

// Elements that were written of at most so many.
struct All {
  static std::size_t written(const auto&, std::size_t most, const auto& result) { return succeeded(result) ? most : 0; }
};
struct AllIfZero {  // the result is an error number
  static std::size_t written(const auto&, std::size_t most, const auto& result) { return result == 0 ? most : 0; }
};
struct AllIfPositive {
  static std::size_t written(const auto&, std::size_t most, const auto& result) { return result > 0 ? most : 0; }
};
struct Result {
  static std::size_t written(const auto&, std::size_t most, const auto& result) {
    return succeeded(result) ? std::min(static_cast<std::size_t>(result), most) : 0;
  }
};
struct ResultAndEnd {
  static std::size_t written(const auto&, std::size_t most, const auto& result) {
    return succeeded(result) ? std::min(static_cast<std::size_t>(result) + 1, most) : 0;
  }
};
struct ToEnd {  // a string
  static std::size_t written(const char* p, std::size_t most, const auto& result) {
    return succeeded(result) && most > 0 ? std::min(strnlen(p, most) + 1, most) : 0;
  }
};
struct ToEndIfZero {
  static std::size_t written(const char* p, std::size_t most, const auto& result) {
    return result == 0 && most > 0 ? std::min(strnlen(p, most) + 1, most) : 0;
  }
};

template <std::size_t I, class Most = One, class Written = All>
class Fills {
 public:
  void before(LibraryCall& call, auto& arguments) {
    auto& p = std::get<I>(arguments);
    if (!p || !call.on()) return;
    most_ = Most::count(arguments);
    const std::size_t size = most_ * kElement<decltype(p)>;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    const bool fits = !Heap::contains(p) || heap.accessible(address, size);
    place_ = p;
    if (size == 0 || (!any_visible(address, size) && fits)) return world.prepare_for_kernel(p, size);
    aside_ = malloc(size);
    size_ = size;
    if (fits) memcpy(aside_, place_, size);  // what is handed over and handed back
    p = static_cast<std::remove_reference_t<decltype(p)>>(aside_);
  }

  template <class R>
  void after(const void* pc, auto& arguments, R& result) {
    if (!place_) return;
    auto& p = std::get<I>(arguments);
    const std::size_t size = Written::written(p, most_, result) * kElement<decltype(p)>;
    {
      LibraryCall call(pc);
      call.writes(place_, size);
      if (aside_) call.perform([&] { memcpy(place_, aside_, size); });
    }
    if (!aside_) return;
    if constexpr (std::is_pointer_v<R>) {
      const std::size_t into = reinterpret_cast<std::uintptr_t>(result) - reinterpret_cast<std::uintptr_t>(aside_);
      if (into < size_) result = reinterpret_cast<R>(static_cast<char*>(place_) + into);
    }
    free(aside_);
  }

 private:
  void* place_ = nullptr;
  void* aside_ = nullptr;
  std::size_t most_ = 0, size_ = 0;
};

// --- the call ---

// Does the program have a function of its own of that name? Then it is none of the C library's.
inline bool is_of_program(const char* name) {
  EngineScope scope;
  void* const function = dlsym(RTLD_DEFAULT, name);
  Dl_info info;
  const ElfW(Sym)* symbol = nullptr;
  if (!function ||
      !dladdr1(function, &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)), RTLD_DL_SYMENT))
    return false;
  Dl_info own;
  const bool in_executable =
      dladdr(reinterpret_cast<const void*>(&is_of_program), &own) && own.dli_fbase == info.dli_fbase;
  return in_executable && symbol && symbol->st_shndx != SHN_UNDEF;
}

template <std::size_t N>
struct Name {
  constexpr Name(const char (&text)[N]) { std::copy_n(text, N, characters); }
  char characters[N];
};

// A function of which the C library has the only definition, and one that the runtime defines for the whole process.
enum class Definition : std::uint8_t { kLibrary, kRuntime };

struct Nothing {};

template <class R, class... A>
std::type_identity<R(A...)> signature_of(R (*)(A...));

template <class Signature, auto Real, Name kName, Definition kDefinition, class... Parts>
struct AnnouncedFunction;

template <class R, class... A, auto Real, Name kName, Definition kDefinition, class... Parts>
struct AnnouncedFunction<R(A...), Real, kName, kDefinition, Parts...> {
  static R call(A... a) { return announce(__builtin_return_address(0), std::tuple<A...>(a...)); }

 private:
  static bool of_program() {
    static signed char known = -1;
    if (kDefinition == Definition::kRuntime) return false;
    if (known < 0) known = is_of_program(kName.characters);
    return known != 0;
  }

  static R announce(const void* pc, std::tuple<A...> arguments) {
    if (!controlled() || of_program()) return std::apply(Real, arguments);
    std::tuple<Parts...> parts;
    const auto before = [&](LibraryCall& call) {
      std::apply([&](auto&... part) { (part.before(call, arguments), ...); }, parts);
    };
    const auto after = [&](auto& result) {
      const int error = errno;
      std::apply([&](auto&... part) { (part.after(pc, arguments, result), ...); }, parts);
      errno = error;
    };
    if constexpr (std::is_void_v<R>) {
      {
        LibraryCall call(pc);
        before(call);
        call.perform([&] { std::apply(Real, arguments); });
      }
      Nothing nothing;
      after(nothing);
    } else {
      R result;
      {
        LibraryCall call(pc);
        before(call);
        result = call.perform([&] { return std::apply(Real, arguments); });
      }
      after(result);
      return result;
    }
  }
};

}  // namespace heddle::runtime

// What the linker gives the program for the function goes on in the row's instance, with the program's return address.
// CMakeLists.txt finds the rows by their first words.
#define HEDDLE_ROW(name, function, definition, ...)                                                                  \
  extern "C" __attribute__((used, visibility("hidden"))) void* const heddle_row_of_##name = reinterpret_cast<void*>( \
      &heddle::runtime::AnnouncedFunction<decltype(heddle::runtime::signature_of(function))::type, function, #name,  \
                                          heddle::runtime::Definition::definition, __VA_ARGS__>::call);              \
  asm(".text\n.globl __wrap_" #name "\n.type __wrap_" #name ", @function\n__wrap_" #name                             \
      ":\n"                                                                                                          \
      "  jmpq *heddle_row_of_" #name "(%rip)\n.size __wrap_" #name ", .-__wrap_" #name "\n");
#define ANNOUNCED(name, ...) HEDDLE_ROW(name, &::name, kLibrary, __VA_ARGS__)
#define ANNOUNCED_OURS(name, ...) HEDDLE_ROW(name, &::name, kRuntime, __VA_ARGS__)
// Of one that is overloaded in C++.
#define ANNOUNCED_AS(name, type, ...) HEDDLE_ROW(name, static_cast<type>(&::name), kLibrary, __VA_ARGS__)
