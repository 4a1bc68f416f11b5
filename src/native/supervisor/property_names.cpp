// A variable is found by its qualified name, or by the end of it; then we follow members and elements as they are written,
// one type at a time. Types of the standard library that hold one thing (std::atomic<int>, std::array) stand for what they
// hold. Pointers are not followed: what they point to may be another place in every state.
//
// A line is the code that the compiler made of it. Where a thread stands is shown by the innermost line of the program's own
// (describer.cpp), so code that was inlined from a library counts for the line that called it.
#include "native/supervisor/property_names.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "native/supervisor/dwarf.h"
#include "native/supervisor/executable.h"
#include "property/parser.h"

namespace heddle::native {
namespace {

using property::NamedPlace;
using property::NamedThread;
using property::NamedVariable;
using property::NameKind;
using property::PlaceRange;

constexpr int kDeepest = 12;

bool is_library(const std::string& file) {
  return file.empty() || file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") || file.starts_with("/lib/");
}

bool ends_with_path(std::string_view path, std::string_view end) {
  return path == end || (path.size() > end.size() && path.ends_with(end) && path[path.size() - end.size() - 1] == '/');
}

// Somewhere in the static memory of the program.
struct StaticPlace {
  std::uint64_t address = 0;
  Dwarf_Die type{};
};

class DebugInformation {
 public:
  explicit DebugInformation(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ >= 0) dwarf_ = dwarf_begin(file_, DWARF_C_READ);
    for_each_unit([&](Dwarf_Die& unit) { list(unit, ""); });
  }
  ~DebugInformation() {
    if (dwarf_ != nullptr) dwarf_end(dwarf_);
    if (file_ >= 0) close(file_);
  }
  DebugInformation(const DebugInformation&) = delete;
  DebugInformation& operator=(const DebugInformation&) = delete;

  const std::map<std::string, StaticPlace>& variables() const { return variables_; }

  // "table[3].next" or a part of it; nothing if there is no such place.
  std::optional<StaticPlace> place(std::string_view name) const {
    const std::size_t end = std::min(name.find_first_of(".[-"), name.size());
    const StaticPlace* base = variable(name.substr(0, end));
    if (base == nullptr) return std::nullopt;
    std::optional<StaticPlace> at = *base;
    for (std::string_view rest = name.substr(end); at && !rest.empty();) {
      if (rest.starts_with("[")) {
        const std::size_t close = rest.find(']');
        std::uint64_t index = 0;
        if (close == rest.npos || std::from_chars(rest.data() + 1, rest.data() + close, index).ptr != rest.data() + close)
          return std::nullopt;
        at = element(*at, index);
        rest.remove_prefix(close + 1);
      } else if (rest.starts_with(".")) {
        const std::size_t next = std::min(rest.find_first_of(".[-", 1), rest.size());
        at = member(*at, std::string(rest.substr(1, next - 1)));
        rest.remove_prefix(next);
      } else {
        return std::nullopt;   // through a pointer
      }
    }
    return at;
  }

  // The members of the place that all but the last part of the name stands for, by their whole names.
  std::vector<std::pair<std::string, StaticPlace>> beside(std::string_view name) const {
    std::vector<std::pair<std::string, StaticPlace>> members;
    const std::size_t dot = name.rfind('.');
    if (const auto whole = dot == name.npos ? std::nullopt : place(name.substr(0, dot)))
      for_each_member(*whole, [&](const std::string& own, const StaticPlace& at) {
        members.emplace_back(std::string(name.substr(0, dot + 1)) + own, at);
      });
    return members;
  }

  // What a type that holds only one thing holds.
  static StaticPlace innermost(StaticPlace at) {
    for (int depth = 0; depth < kDeepest && is_record(&at.type); ++depth) {
      const std::vector<StaticPlace> parts = parts_of(at);
      if (parts.size() != 1) break;
      at = parts.front();
    }
    return at;
  }

  struct Line {
    std::uint64_t first = 0, last = 0;   // addresses
    std::string file;
    std::uint32_t line = 0;
  };
  // The program's own line of every piece of code that has one.
  const std::vector<Line>& lines() {
    if (!lines_read_) read_lines();
    lines_read_ = true;
    return lines_;
  }

 private:
  struct Inlined {
    std::uint64_t first, last;
    int depth;
    std::string file;
    std::uint32_t line;
  };

  template <class F>
  void for_each_unit(F&& f) {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die, split;
    while (dwarf_ != nullptr && dwarf_get_units(dwarf_, unit, &unit, nullptr, nullptr, &die, &split) == 0) f(die);
  }

  static std::optional<std::uint64_t> static_address(Dwarf_Die* die) {
    Dwarf_Attribute location, address;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_attr_integrate(die, DW_AT_location, &location) == nullptr ||
        dwarf_getlocation(&location, &operations, &count) != 0 || count != 1)
      return std::nullopt;
    if (operations[0].atom == DW_OP_addr) return operations[0].number;
    Dwarf_Addr found = 0;
    if (operations[0].atom == DW_OP_addrx && dwarf_getlocation_attr(&location, operations, &address) == 0 &&
        dwarf_formaddr(&address, &found) == 0)
      return found;
    return std::nullopt;
  }

  void list(Dwarf_Die& parent, const std::string& scope) {
    for_each_child(&parent, [&](Dwarf_Die& die) {
      const int tag = dwarf_tag(&die);
      const std::string own = name_of(&die);
      const std::string qualified = scope.empty() || own.empty() ? scope + own : scope + "::" + own;
      if (tag == DW_TAG_variable) {
        const auto address = static_address(&die);
        const auto type = type_of(&die);
        if (address && type) variables_.try_emplace(own.empty() ? std::string() : full_name(die, qualified),
                                                    StaticPlace{*address, *type});
      } else if (tag == DW_TAG_namespace || is_record(&die) || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) {
        list(die, qualified);
      }
    });
  }

  // A static member is defined outside of its class, and refers to its declaration inside.
  static std::string full_name(Dwarf_Die& die, const std::string& otherwise) {
    Dwarf_Attribute found;
    Dwarf_Die declaration, *scopes = nullptr;
    if (dwarf_attr(&die, DW_AT_specification, &found) == nullptr || dwarf_formref_die(&found, &declaration) == nullptr)
      return otherwise;
    const int count = dwarf_getscopes_die(&declaration, &scopes);
    std::string name = name_of(&declaration);
    for (int i = 1; i < count; ++i)
      if (dwarf_tag(&scopes[i]) == DW_TAG_namespace || is_record(&scopes[i])) name = name_of(&scopes[i]) + "::" + name;
    free(scopes);
    return name;
  }

  const StaticPlace* variable(std::string_view name) const {
    if (const auto exact = variables_.find(std::string(name)); exact != variables_.end()) return &exact->second;
    for (const auto& [qualified, place] : variables_)
      if (qualified.size() > name.size() + 2 && qualified.ends_with(name) &&
          std::string_view(qualified).substr(qualified.size() - name.size() - 2, 2) == "::")
        return &place;
    return nullptr;
  }

  // Bases and members.
  static std::vector<StaticPlace> parts_of(const StaticPlace& at) {
    std::vector<StaticPlace> parts;
    Dwarf_Die type = at.type;
    for_each_child(&type, [&](Dwarf_Die& die) {
      const int tag = dwarf_tag(&die);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return;
      if (dwarf_hasattr(&die, DW_AT_external) || dwarf_hasattr(&die, DW_AT_declaration)) return;   // a static one
      const auto part = type_of(&die);
      if (part) parts.push_back({at.address + number(&die, DW_AT_data_member_location).value_or(0), *part});
    });
    return parts;
  }

  // f(name, place) for every member, those of bases and of unnamed members included.
  template <class F>
  static void for_each_member(const StaticPlace& at, const F& f, int depth = 0) {
    Dwarf_Die type = at.type;
    if (depth > kDeepest || !is_record(&type)) return;
    for_each_child(&type, [&](Dwarf_Die& die) {
      const int tag = dwarf_tag(&die);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return;
      if (dwarf_hasattr(&die, DW_AT_external) || dwarf_hasattr(&die, DW_AT_declaration)) return;
      const auto part = type_of(&die);
      if (!part) return;
      const StaticPlace place{at.address + number(&die, DW_AT_data_member_location).value_or(0), *part};
      if (tag == DW_TAG_inheritance || name_of(&die).empty()) for_each_member(place, f, depth + 1);
      else f(name_of(&die), place);
    });
  }

  static std::optional<StaticPlace> member(const StaticPlace& at, const std::string& name) {
    std::optional<StaticPlace> found;
    for_each_member(at, [&](const std::string& own, const StaticPlace& place) {
      if (!found && own == name) found = place;
    });
    return found;
  }

  static std::optional<StaticPlace> element(StaticPlace at, std::uint64_t index) {
    at = innermost(at);
    if (dwarf_tag(&at.type) != DW_TAG_array_type) return std::nullopt;
    const std::vector<std::uint64_t> counts = extents(&at.type);
    auto type = type_of(&at.type);
    if (counts.size() != 1 || index >= counts.front() || !type) return std::nullopt;   // one dimension
    return StaticPlace{at.address + index * size_of(&*type), *type};
  }

  // --- lines ---

  static std::string called_from(Dwarf_Die& unit, Dwarf_Die& die) {
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    const auto file = number(&die, DW_AT_call_file);
    if (!file || dwarf_getsrcfiles(&unit, &files, &count) != 0 || *file >= count) return {};
    const char* name = dwarf_filesrc(files, *file, nullptr, nullptr);
    return name == nullptr ? std::string() : name;
  }

  void collect_inlined(Dwarf_Die& unit, Dwarf_Die& parent, int depth, std::vector<Inlined>& out) {
    for_each_child(&parent, [&](Dwarf_Die& die) {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_inlined_subroutine) {
        const std::string file = called_from(unit, die);
        Dwarf_Addr base = 0, begin = 0, end = 0;
        for (std::ptrdiff_t at = 0; !is_library(file) && (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
          if (end > begin)
            out.push_back({begin, end - 1, depth, file,
                           static_cast<std::uint32_t>(number(&die, DW_AT_call_line).value_or(0))});
      }
      collect_inlined(unit, die, depth + 1, out);
    });
  }

  void read_lines() {
    for_each_unit([&](Dwarf_Die& unit) {
      std::vector<Inlined> inlined;
      collect_inlined(unit, unit, 0, inlined);
      Dwarf_Lines* table = nullptr;
      std::size_t count = 0;
      if (dwarf_getsrclines(&unit, &table, &count) != 0) return;
      for (std::size_t i = 0; i + 1 < count; ++i) {
        Dwarf_Line* row = dwarf_onesrcline(table, i);
        Dwarf_Addr first = 0, next = 0;
        int line = 0;
        bool ends = false;
        dwarf_lineaddr(row, &first);
        dwarf_lineaddr(dwarf_onesrcline(table, i + 1), &next);
        dwarf_lineno(row, &line);
        dwarf_lineendsequence(row, &ends);
        const char* source = dwarf_linesrc(row, nullptr, nullptr);
        if (ends || next <= first || source == nullptr) continue;
        Line found{first, next - 1, source, static_cast<std::uint32_t>(line)};
        if (is_library(found.file)) {
          const Inlined* caller = nullptr;
          for (const Inlined& call : inlined)
            if (call.first <= first && first <= call.last && (caller == nullptr || call.depth > caller->depth)) caller = &call;
          if (caller == nullptr) continue;
          found.file = caller->file;
          found.line = caller->line;
        }
        lines_.push_back(std::move(found));
      }
    });
  }

  int file_ = -1;
  Dwarf* dwarf_ = nullptr;
  std::map<std::string, StaticPlace> variables_;   // by qualified name
  std::vector<Line> lines_;
  bool lines_read_ = false;
};

// Names as the debug information has them; what is asked for is written down.
class ExecutableNames final : public property::Names {
 public:
  ExecutableNames(DebugInformation& debug, std::string main_file, PropertyOptions& bound)
      : debug_(debug), main_file_(std::move(main_file)), bound_(bound) {}

  std::optional<NamedVariable> variable(std::string_view name) const override {
    const auto place = debug_.place(name);
    if (!place) return std::nullopt;
    StaticPlace at = DebugInformation::innermost(*place);
    const auto type = integer(&at.type);
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
    if (!place) return {};
    return kind == NameKind::kLock ? "'" + std::string(name) + "' is no lock"
                                   : "'" + std::string(name) + "' is no integer, enumeration, bool or pointer";
  }

  std::vector<std::string> known(NameKind kind, std::string_view like) const override {
    std::vector<std::string> names;
    for (const auto& [name, place] : debug_.beside(like))
      if ((kind == NameKind::kLock) == is_lock(place)) names.push_back(name);
    if (!names.empty()) return names;
    // The same part of another variable; if none has it, all variables.
    const std::string part(like.substr(std::min(like.find_first_of(".[-"), like.size())));
    for (const std::string& suffix : {part, std::string()}) {
      for (const auto& [name, whole] : debug_.variables()) {
        if (name.empty() || name.starts_with("std::") || name.find("__") != name.npos) continue;
        const auto place = debug_.place(name + suffix);
        if (place && (kind == NameKind::kLock) == is_lock(*place)) names.push_back(name + suffix);
      }
      if (!names.empty()) break;
    }
    return names;
  }

 private:
  static std::optional<property::Type> integer(Dwarf_Die* type) {
    const auto bits = static_cast<std::uint8_t>(8 * std::min<std::uint64_t>(size_of(type), 8));
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
    if (!out.empty() && r.first <= out.back().last + 1) out.back().last = std::max(out.back().last, r.last);
    else out.push_back(r);
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

}  // namespace heddle::native
