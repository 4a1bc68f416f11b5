#include "native/runtime/library_members.h"

#include <string_view>

#include "native/runtime/race_detector.h"

namespace heddle::native {
namespace {

// A buffer begins with a pointer to its table, and six pointers say where it stands; a stream has it behind what is its
// own (iostreams.cpp).
constexpr std::uint16_t kWord = sizeof(void*), kPositions = 6 * kWord;

struct Class {
  std::string_view name;
  std::uint16_t offset, bytes;
};
constexpr Class kClasses[] = {
    {"St10filesystem7__cxx114path5_List", 0, kWord},
    {"St10filesystem7__cxx114path", 0, 5 * kWord},
    {"St7__cxx1118basic_stringstreamIc", 4 * kWord, kPositions},
    {"St7__cxx1119basic_ostringstreamIc", 2 * kWord, kPositions},
    {"St7__cxx1119basic_istringstreamIc", 3 * kWord, kPositions},
    {"St7__cxx1115basic_stringbufIc", kWord, kPositions},
    {"St13basic_fstreamIc", 4 * kWord, kPositions},
    {"St14basic_ofstreamIc", 2 * kWord, kPositions},
    {"St14basic_ifstreamIc", 3 * kWord, kPositions},
    {"St13basic_filebufIc", kWord, kPositions},
    {"St6localeC", 0, kWord},
    {"St6localeD", 0, kWord},
    {"St6localeaS", 0, kWord},
};

// Members that return an object.
constexpr std::string_view kReturnObjects[] = {
    "11parent_pathE",         "8filenameE",  "4stemE",           "9extensionE",         "9root_nameE",
    "14root_directoryE",      "9root_pathE", "13relative_pathE", "16lexically_normalE", "18lexically_relativeE",
    "19lexically_proximateE", "3strEv",
};

}  // namespace

LibraryMember member_of(const char* mangled_name) {
  std::string_view name = mangled_name;
  if (!name.starts_with("_ZN")) return {};
  name.remove_prefix(3);
  const bool constant = name.starts_with("K");
  if (constant) name.remove_prefix(1);
  if (name.starts_with("R") || name.starts_with("O")) name.remove_prefix(1);
  for (const Class& c : kClasses) {
    if (!name.starts_with(c.name)) continue;
    const std::string_view function = name.substr(c.name.size());
    if (function.find("_S_") != function.npos) return {};  // static
    bool returns_object = false;
    for (const std::string_view returned : kReturnObjects)
      returns_object = returns_object || function.find(returned) != function.npos;
    return {c.offset, c.bytes, !constant, returns_object, !returns_object && function.find("ERKS") != function.npos};
  }
  return {};
}

void announce_member(const LibraryMember& member, std::uintptr_t first, std::uintptr_t second, const void* pc) {
  const std::uintptr_t object = member.second ? second : first;
  if (member.copies) plain_access(second + member.offset, member.bytes, false, pc);
  plain_access(object + member.offset, member.bytes, member.writes, pc);
}

}  // namespace heddle::native
