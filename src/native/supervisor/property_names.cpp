// Names as debug information has them (debug_information.h). Pointers are not followed: what they point to may be
// another place in every state.
//
// A line is the code that the compiler made of it. Where a thread stands is shown by the innermost line of the
// program's own (describer.cpp), so code that was inlined from a library counts for the line that called it.
#include "native/supervisor/property_names.h"

#include <algorithm>
#include <charconv>

#include "native/supervisor/debug_information.h"
#include "native/supervisor/executable.h"
#include "property/parser.h"

namespace heddle::supervisor {

using protocol::PropertyOptions;
namespace {

using property::NamedPlace;
using property::NamedThread;
using property::NamedVariable;
using property::NameKind;
using property::PlaceRange;

bool ends_with_path(std::string_view path, std::string_view end) {
  return path == end || (path.size() > end.size() && path.ends_with(end) && path[path.size() - end.size() - 1] == '/');
}

// Names as the debug information has them; what is asked for is written down.
class ExecutableNames final : public property::Names {
 public:
  ExecutableNames(DebugInformation& debug, std::string main_file, PropertyOptions& bound)
      : debug_(debug), main_file_(std::move(main_file)), bound_(bound) {}

  std::optional<NamedVariable> variable(std::string_view name) const override {
    const auto place = debug_.place(name);
    if (!place) return std::nullopt;
    StaticPlace at = DebugInformation::innermost(*place);
    const auto type = at.bit_field ? std::nullopt : integer(&at.type);
    if (!type) return std::nullopt;
    bound_.variables.push_back({std::string(name), at.address, *type});
    return NamedVariable{ObjectId(static_cast<std::uint32_t>(bound_.variables.size() - 1)), *type, 0};
  }

  std::optional<ObjectId> lock(std::string_view name) const override {
    auto place = debug_.place(name);
    if (!place || !is_lock(*place)) return std::nullopt;
    bound_.locks.push_back({std::string(name), place->address, static_cast<std::uint32_t>(size_of(&place->type))});
    return ObjectId(static_cast<std::uint32_t>((1u << 20) + bound_.locks.size() - 1));
  }

  std::optional<NamedThread> thread(std::string_view name) const override {
    if (name == "main") return NamedThread{ThreadId(0), true};
    std::uint16_t number = 0;
    const char* const end = name.data() + name.size();
    if (!name.starts_with("T") || std::from_chars(name.data() + 1, end, number).ptr != end || number == 0 ||
        number >= kMaxThreads)
      return std::nullopt;
    return NamedThread{ThreadId(number), false};
  }

  NamedPlace line(std::string_view text) const override {
    const auto colon = text.rfind(':');
    const std::string file(colon == text.npos ? std::string_view(main_file_) : text.substr(0, colon));
    const std::string_view digits = colon == text.npos ? text : text.substr(colon + 1);
    std::uint32_t wanted = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), wanted).ptr != digits.data() + digits.size() ||
        digits.empty() || file.empty())
      return {{}, "expected a line, as pool.cpp:31"};
    NamedPlace place;
    std::uint32_t nearest_line = 0;
    for (const DebugInformation::Line& l : debug_.lines()) {
      if (!ends_with_path(l.file, file)) continue;
      if (l.line == wanted) place.places.push_back({l.first, l.last});
      if (l.line > wanted && (nearest_line == 0 || l.line < nearest_line)) nearest_line = l.line;
    }
    if (place.places.empty())
      place.complaint = nearest_line == 0 ? "no code was made of " + file + ":" + std::string(digits)
                                          : "no code was made of this line; the next one with code is " + file + ":" +
                                                std::to_string(nearest_line);
    else
      bound_.lines.push_back({std::string(text), place.places});
    return place;
  }

  std::optional<std::vector<PlaceRange>> label(std::string_view) const override { return std::nullopt; }

  std::string complaint(NameKind kind, std::string_view name) const override {
    if (kind == NameKind::kLabel) return "labels are for models; use in(THREAD, FILE:LINE)";
    if (kind == NameKind::kThread) return "threads are main, T1, T2, ... in the order in which they are started";
    if (name.find("->") != name.npos) return property::kNotFollowed;
    const auto place = debug_.place(name);
    if (!place) return debug_.complaint(name);
    const std::string quoted = "'" + std::string(name) + "'";
    if (kind == NameKind::kLock) return quoted + " is no lock";
    if (DebugInformation::innermost(*place).bit_field)
      return quoted + " is a bit-field, and its neighbours are written with it; say it in the program as an assertion";
    return quoted + " is no integer of up to 64 bits, enumeration, bool or pointer";
  }

  std::vector<std::string> known(NameKind kind, std::string_view like) const override {
    std::vector<std::string> names;
    for (const auto& [name, place] : debug_.beside(like))
      if ((kind == NameKind::kLock) == is_lock(place)) names.push_back(name);
    if (!names.empty()) return names;
    // The same part of another variable; if none has it, all variables.
    const std::string part(like.substr(std::min(like.find_first_of(".[-"), like.size())));
    for (const std::string& suffix : {part, std::string()}) {
      for (const auto& [name, places] : debug_.variables()) {
        if (name.starts_with("std::") || name.find("__") != name.npos) continue;
        const auto place = debug_.place(name + suffix);
        if (place && (kind == NameKind::kLock) == is_lock(*place)) names.push_back(name + suffix);
      }
      if (!names.empty()) break;
    }
    return names;
  }

 private:
  static std::optional<property::Type> integer(Dwarf_Die* type) {
    if (size_of(type) > 8) return std::nullopt;
    const auto bits = static_cast<std::uint8_t>(8 * size_of(type));
    const int tag = dwarf_tag(type);
    if (tag == DW_TAG_pointer_type) return property::Type{64, false};
    if (tag == DW_TAG_enumeration_type) {
      const auto below = type_of(type);
      Dwarf_Die underlying = below.value_or(*type);
      return property::Type{bits, !below || number(&underlying, DW_AT_encoding).value_or(0) == DW_ATE_signed};
    }
    if (tag != DW_TAG_base_type) return std::nullopt;
    switch (number(type, DW_AT_encoding).value_or(0)) {
      case DW_ATE_signed:
      case DW_ATE_signed_char:
        return property::Type{bits, true};
      case DW_ATE_unsigned:
      case DW_ATE_unsigned_char:
      case DW_ATE_boolean:
      case DW_ATE_UTF:
        return property::Type{bits, false};
      default:
        return std::nullopt;
    }
  }

  static bool is_lock(StaticPlace place) {
    const std::string name = name_of(&place.type);
    for (const char* word : {"mutex", "rwlock", "spinlock"})
      if (name.find(word) != name.npos) return true;
    // pthread_mutex_t is a union without a name of its own behind a typedef: known by its members.
    if (dwarf_tag(&place.type) != DW_TAG_union_type) return false;
    bool locks = false;
    for_each_child(&place.type, [&](Dwarf_Die& die) { locks = locks || name_of(&die) == "__data"; });
    return locks;
  }

  DebugInformation& debug_;
  std::string main_file_;
  PropertyOptions& bound_;
};

// "file:line:condition", one after the other, as HEDDLE_INVARIANT writes them.
std::vector<std::pair<std::string, std::string>> invariants_of(const std::string& executable) {
  std::vector<std::pair<std::string, std::string>> found;
  const std::string section = read_section(executable, "heddle_invariants");
  for (std::size_t at = 0; at < section.size();) {
    const std::size_t end = std::min(section.find('\0', at), section.size());
    const std::string text = section.substr(at, end - at);
    at = end + 1;
    const std::size_t split = text.find('\n');
    if (split != text.npos) found.emplace_back(text.substr(0, split), text.substr(split + 1));
  }
  return found;
}

// Code that has a line, as few ranges as possible.
std::vector<PlaceRange> joined(const std::vector<DebugInformation::Line>& lines) {
  std::vector<PlaceRange> ranges;
  for (const auto& l : lines) ranges.push_back({l.first, l.last});
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<PlaceRange> out;
  for (const PlaceRange& r : ranges) {
    if (!out.empty() && r.first <= out.back().last + 1)
      out.back().last = std::max(out.back().last, r.last);
    else
      out.push_back(r);
  }
  return out;
}

}  // namespace

Result<PropertyOptions> bind_properties(const std::string& executable, const std::string& main_file,
                                        std::vector<property::Statement> statements) {
  PropertyOptions bound;
  const auto invariants = invariants_of(executable);
  if (statements.empty() && invariants.empty()) return bound;
  DebugInformation debug(executable);
  const ExecutableNames names(debug, main_file, bound);
  for (const property::Statement& statement : statements)
    if (auto property = property::make_property(statement, names); !property)
      return Error{"--" + property.error().message};
  for (const auto& [place, text] : invariants) {
    property::Expression scratch;
    if (const property::Parsed parsed = property::parse(text, names, scratch); !parsed.ok)
      return Error{place + ": HEDDLE_INVARIANT: " + property::show(text, parsed.complaint)};
    statements.push_back({property::Kind::kAlways, text, {}, 0});
  }
  bound.statements = std::move(statements);
  if (!bound.lines.empty()) bound.own_code = joined(debug.lines());
  return bound;
}

}  // namespace heddle::supervisor
