// Names and kinds of members: what lies at an offset in a variable or in a type, by debug information (DWARF).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace heddle::supervisor {

// How the bits of a number are to be read.
struct Scalar {
  enum class Kind : std::uint8_t { kUnknown, kSigned, kUnsigned, kBoolean, kCharacter, kFloat, kPointer };
  Kind kind = Kind::kUnknown;
  std::uint64_t size = 0;  // bytes
};

// One of the standard library's, around a place.
struct Container {
  enum class Kind : std::uint8_t { kNone, kVector, kDeque, kString, kList, kTree, kHashed };
  Kind kind = Kind::kNone;
  std::uint64_t before = 0;   // bytes of it before the place
  std::uint64_t element = 0;  // size of one
};

// What lies at a place.
struct Member {
  // ".head_", ".items[3].key", or empty: the place is the beginning of the object itself, or nothing is known. Members
  // of the standard library's own types are left out.
  std::string path;
  Scalar scalar = {};
  Container container = {};  // the place is one of its own members, not an element
};

class DebugTypes {
 public:
  DebugTypes();
  ~DebugTypes();

  Member member_of_variable(const std::string& module, const std::string& variable, std::uint64_t offset);
  // `size`: of the object, to tell the instances of a template apart.
  Member member_of_type(const std::string& module, const std::string& type, std::uint64_t size, std::uint64_t offset);

  // A function on some stack.
  struct Frame {
    std::string module;
    std::uint64_t pc = 0;     // in the file
    std::uint64_t begin = 0;  // its lowest address: what the stack pointer is in it
    std::uint64_t end = 0;    // first address above it: the canonical frame address
  };
  // The local variable of the frame's function that lies at an address, its name before its member; or an empty path.
  Member local_variable(const Frame& frame, std::uint64_t address);

 private:
  class Module;
  Module& open(const std::string& path);

  std::map<std::string, std::unique_ptr<Module>> modules_;
};

}  // namespace heddle::supervisor
