// Names of members: what lies at an offset in a variable or in a type, by llvm-dwarfdump.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace heddle::native {

class DebugTypes {
 public:
  // ".head_", ".items[3].key", or empty: the offset lies in the object itself, or nothing is known. Members of the standard
  // library's own types are left out.
  std::string member_of_variable(const std::string& module, const std::string& variable, std::uint64_t offset);
  std::string member_of_type(const std::string& module, const std::string& type, std::uint64_t offset);

 private:
  struct Entry;
  std::string dump(const std::string& module, const std::string& selector);
  std::string member_at(const std::string& module, std::uint64_t type, std::uint64_t offset, int depth);

  std::map<std::string, std::string> dumps_;   // "module selector" -> what the tool said
};

}  // namespace heddle::native
