// Names and kinds of members: what lies at an offset in a variable or in a type, by llvm-dwarfdump.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::native {

// How the bits of a number are to be read.
struct Scalar {
  enum class Kind : std::uint8_t { kUnknown, kSigned, kUnsigned, kBoolean, kCharacter, kFloat, kPointer };
  Kind kind = Kind::kUnknown;
  std::uint64_t size = 0;   // bytes
};

// What lies at a place.
struct Member {
  // ".head_", ".items[3].key", or empty: the place is the beginning of the object itself, or nothing is known. Members of
  // the standard library's own types are left out.
  std::string path;
  Scalar scalar = {};
};

class DebugTypes {
 public:
  Member member_of_variable(const std::string& module, const std::string& variable, std::uint64_t offset);
  Member member_of_type(const std::string& module, const std::string& type, std::uint64_t offset);

  // A function on some stack.
  struct Frame {
    std::string module;
    std::uint64_t pc = 0;      // in the file
    std::uint64_t end = 0;     // first address above it: the canonical frame address
  };
  // The local variable of the frame's function that lies at an address, its name before its member; or an empty path.
  Member local_variable(const Frame& frame, std::uint64_t address);

 private:
  struct Entry;
  std::uint64_t function_at(const std::string& module, std::uint64_t pc);
  std::uint64_t size_of(const std::string& module, std::uint64_t type, int depth);
  std::string dump(const std::string& module, const std::string& selector,
                   const std::vector<std::string>& how = {"--show-children", "--recurse-depth=2"});
  Member member_at(const std::string& module, std::uint64_t type, std::uint64_t offset, int depth);

  std::map<std::string, std::string> dumps_;   // question -> what the tool said
};

}  // namespace heddle::native
