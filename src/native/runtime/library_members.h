// Objects of the C++ library whose member functions are in libstdc++ itself, where nothing is instrumented: paths,
// string and file streams and their buffers, locales. A member function that is called for one is announced as an
// access to the part of the object that stands for it: a write, or a read where the function is const. The object's own
// functions that are inline, and those of iostreams.cpp, touch the same words.
//
// Functions are known by their mangled names: the class is at the beginning, and a K before it says const (R and O,
// that it is for lvalues or rvalues). One that returns an object gets the place for it first, and its own object
// second.
//
// Functions of streams themselves, as far as they have to do with no other memory of the program: they use the stream.
#pragma once

#include <cstdint>

#include "native/runtime/iostreams.h"

namespace heddle::runtime {

struct LibraryMember {
  enum class Of : std::uint8_t { kNothing, kObject, kOutput, kInput, kLayout };
  Of of = Of::kNothing;
  std::uint16_t offset = 0;
  std::uint16_t bytes = 0;
  bool writes = false;
  bool second = false;  // the object is the second argument
  bool copies = false;  // the second argument is another one, which is read
  Layout layout = Layout::kUnused;
};
LibraryMember member_of(const char* mangled_name);

// The call is made now, with these first two arguments.
void announce_member(const LibraryMember& member, std::uintptr_t first, std::uintptr_t second, const void* pc);

}  // namespace heddle::runtime
