#include "native/runtime/library_members.h"

#include <string_view>

#include "native/runtime/race_detector.h"

namespace heddle::runtime {
namespace {

// A buffer begins with a pointer to its table, and six pointers say where it stands; a stream has it behind what is its
// own (iostreams.cpp).
constexpr std::uint16_t kWord = sizeof(void*), kPositions = 6 * kWord, kState = kStateOfStream;

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
    // Whether a stream is good, or its own code would have it so.
    {"St9basic_iosIcSt11char_traitsIcEE5clear", kState, 4},
    {"St9basic_iosIcSt11char_traitsIcEE8setstate", kState, 4},
    {"St9basic_iosIcSt11char_traitsIcEE7rdstate", kState, 4},
    {"St9basic_iosIcSt11char_traitsIcEE4good", kState, 4},
    {"St9basic_iosIcSt11char_traitsIcEE4fail", kState, 4},
    {"St9basic_iosIcSt11char_traitsIcEE3bad", kState, 4},
    {"St9basic_iosIcSt11char_traitsIcEE3eof", kState, 4},
    {"St9basic_iosIcSt11char_traitsIcEEcvb", kState, 4},
    {"St9basic_iosIcSt11char_traitsIcEEnt", kState, 4},
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

// Those that are given memory of the program, which iostreams.cpp sees to.
constexpr std::string_view kWrapped[] = {
    "_ZNSirsER",
    "_ZNSi10_M_extract",
    "_ZNSi3getERc",
    "_ZNSi4readEPcl",
    "_ZNSi7getlineEPclc",
    "_ZNSo5writeEPKcl",
    "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
    "_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE",
    "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE",
};

// Manipulators with an argument, where << and >> for them are not inline (-O0): the part of std::ios_base that they
// set.
constexpr Class kManipulators[] = {
    {"St5_Setw", kWidthOfStream, sizeof(long)},
    {"St8_Setfill", kFillOfStream, 1},
    {"St13_Setprecision", kPrecisionOfStream, sizeof(long)},
    {"St12_Setiosflags", kFlagsOfStream, 4},
    {"St14_Resetiosflags", kFlagsOfStream, 4},
    {"St8_Setbase", kFlagsOfStream, 4},
};

bool is_constructor_or_destructor(std::string_view function) {
  return function.size() > 1 && (function[0] == 'C' || function[0] == 'D') && function[1] >= '0' && function[1] <= '5';
}

// So and Si are std::ostream and std::istream; ls and rs << and >>, which may also be given a manipulator or a buffer.
LibraryMember stream_function(std::string_view name) {
  using Of = LibraryMember::Of;
  for (const std::string_view wrapped : kWrapped)
    if (name.starts_with(wrapped)) return {};
  const auto uses = [](Of of, Layout layout, bool second = false) {
    LibraryMember member;
    member.of = of;
    member.layout = layout;
    member.second = second;
    return member;
  };
  if (name.starts_with("_ZStlsIc") || name.starts_with("_ZStrsIc"))
    for (const Class& m : kManipulators)
      if (name.find(m.name) != name.npos) return {Of::kLayout, m.offset, m.bytes, true};
  for (const std::string_view manipulator : {"_ZSt4endlIcS", "_ZSt4endsIcS", "_ZSt5flushIcS"})
    if (name.starts_with(manipulator)) return uses(Of::kOutput, Layout::kUnused);
  if (name.starts_with("_ZSt2wsIcS")) return uses(Of::kInput, Layout::kUnused);
  if (name.starts_with("_ZStlsI") && !name.starts_with("_ZStlsIw") && name.find("13basic_ostreamI") != name.npos)
    return uses(Of::kOutput, Layout::kUsed);
  if (name.starts_with("_ZStrsI") && !name.starts_with("_ZStrsIw") && name.find("13basic_istreamI") != name.npos)
    return uses(Of::kInput, Layout::kUsed);
  if (!name.starts_with("_ZNSo") && !name.starts_with("_ZNSi")) return {};
  const Of of = name[4] == 'o' ? Of::kOutput : Of::kInput;
  const std::string_view function = name.substr(5);
  if (function.starts_with("6sentryC")) return uses(of, Layout::kUnused, /*second=*/true);
  if (function.starts_with("6sentry") || function.starts_with("aS") || is_constructor_or_destructor(function))
    return {};
  const bool is_operator = function.starts_with("ls") || function.starts_with("rs");
  if (is_operator && function.substr(2).starts_with("EPFRSt")) return {};  // std::hex, which is inline
  const bool lays_out = is_operator ? !function.substr(2).starts_with("EP") || function.substr(2).starts_with("EPKv")
                                    : function.starts_with("9_M_insert");
  return uses(of, lays_out ? Layout::kUsed : Layout::kUnused);
}

}  // namespace

LibraryMember member_of(const char* mangled_name) {
  std::string_view name = mangled_name;
  if (const LibraryMember member = stream_function(name); member.of != LibraryMember::Of::kNothing) return member;
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
    const bool copies = !returns_object && function.find("ERKS") != function.npos;
    return {LibraryMember::Of::kObject, c.offset, c.bytes, !constant, returns_object, copies};
  }
  return {};
}

void announce_member(const LibraryMember& member, std::uintptr_t first, std::uintptr_t second, const void* pc) {
  const std::uintptr_t object = member.second ? second : first;
  if (member.of == LibraryMember::Of::kOutput)
    return announce_output(reinterpret_cast<void*>(object), member.layout, pc);
  if (member.of == LibraryMember::Of::kLayout)
    return plain_access(base_of_stream(object) + member.offset, member.bytes, true, pc);
  if (member.of == LibraryMember::Of::kInput) return announce_input(reinterpret_cast<void*>(object), member.layout, pc);
  if (member.copies) plain_access(second + member.offset, member.bytes, false, pc);
  plain_access(object + member.offset, member.bytes, member.writes, pc);
}

}  // namespace heddle::runtime
