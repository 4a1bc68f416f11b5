// Names of members: what lies at an offset in a variable or in a type, by llvm-dwarfdump.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::native {

class DebugTypes {
 public:
  // ".head_", ".items[3].key", or empty: the offset lies in the object itself, or nothing is known. Members of the standard
  // library's own types are left out.
  std::string member_of_variable(const std::string& module, const std::string& variable, std::uint64_t offset);
  std::string member_of_type(const std::string& module, const std::string& type, std::uint64_t offset);

  // A function on some stack.
  struct Frame {
    std::string module;
    std::uint64_t pc = 0;      // in the file
    std::uint64_t end = 0;     // first address above it: the canonical frame address
  };
  // The local variable of the frame's function that lies at an address, with its member; or empty.
  std::string local_variable(const Frame& frame, std::uint64_t address);

 private:
  struct Entry;
  std::uint64_t function_at(const std::string& module, std::uint64_t pc);
  std::uint64_t size_of(const std::string& module, std::uint64_t type, int depth);
  std::string dump(const std::string& module, const std::string& selector,
                   const std::vector<std::string>& how = {"--show-children", "--recurse-depth=2"});
  std::string member_at(const std::string& module, std::uint64_t type, std::uint64_t offset, int depth);

  std::map<std::string, std::string> dumps_;   // question -> what the tool said
};

}  // namespace heddle::native
