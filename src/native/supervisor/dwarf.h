// A few words for reading debug information.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::supervisor {

inline bool is_record(Dwarf_Die* die) {
  const int tag = dwarf_tag(die);
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

inline std::string name_of(Dwarf_Die* die) {
  const char* name = dwarf_diename(die);
  return name == nullptr ? std::string() : name;
}

inline std::optional<std::uint64_t> number(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0)
    return std::nullopt;
  return value;
}

// The type of a variable or member without const, typedef and their like.
inline std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
  Dwarf_Attribute found;
  Dwarf_Die type, peeled;
  if (dwarf_attr_integrate(die, DW_AT_type, &found) == nullptr || dwarf_formref_die(&found, &type) == nullptr ||
      dwarf_peel_type(&type, &peeled) != 0)
    return std::nullopt;
  return peeled;
}

inline std::uint64_t size_of(Dwarf_Die* type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

template <class F>
void for_each_child(Dwarf_Die* parent, F&& f) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do f(child);
  while (dwarf_siblingof(&child, &child) == 0);
}

// How many elements an array has in each dimension.
inline std::vector<std::uint64_t> extents(Dwarf_Die* array) {
  std::vector<std::uint64_t> all;
  for_each_child(array, [&](Dwarf_Die& range) {
    if (const auto count = number(&range, DW_AT_count))
      all.push_back(*count);
    else if (const auto last = number(&range, DW_AT_upper_bound))
      all.push_back(*last + 1);
  });
  return all;
}

}  // namespace heddle::supervisor
