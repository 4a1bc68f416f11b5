// Objects of the C++ library whose member functions are in libstdc++ itself, where nothing is instrumented: paths,
// string and file streams and their buffers, locales. A member function that is called for one is announced as an
// access to the part of the object that stands for it: a write, or a read where the function is const. The object's own
// functions that are inline, and those of iostreams.cpp, touch the same words.
//
// Functions are known by their mangled names: the class is at the beginning, and a K before it says const (R and O,
// that it is for lvalues or rvalues). One that returns an object gets the place for it first, and its own object
// second.
#pragma once

#include <cstdint>

namespace heddle::native {

struct LibraryMember {
  std::uint16_t offset = 0;
  std::uint16_t bytes = 0;  // 0: none of these functions
  bool writes = false;
  bool second = false;  // the object is the second argument
  bool copies = false;  // the second argument is another one, which is read
};
LibraryMember member_of(const char* mangled_name);

// The call is made now, with these first two arguments.
void announce_member(const LibraryMember& member, std::uintptr_t first, std::uintptr_t second, const void* pc);

}  // namespace heddle::native
