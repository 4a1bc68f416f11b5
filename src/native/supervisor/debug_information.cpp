// A variable is found by its qualified name, by the end of it, or, inside a function, by the name that traces show,
// which is that of the symbol; then we follow members and elements as they are written, one type at a time. Types of
// the standard library that hold one thing (std::atomic<int>, std::array) stand for what they hold. What has no fixed
// place of its own is not followed: members of virtual bases, bit-fields, what pointers point to.
#include "native/supervisor/debug_information.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

namespace heddle::supervisor {
namespace {

constexpr int kDeepest = 12;

bool is_library(const std::string& file) {
  return file.empty() || file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") ||
         file.starts_with("/lib/");
}

std::optional<std::uint64_t> static_address(Dwarf_Die* die) {
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

bool is_thread_local(Dwarf_Die* die) {
  Dwarf_Attribute location;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  return dwarf_attr_integrate(die, DW_AT_location, &location) != nullptr &&
         dwarf_getlocation(&location, &operations, &count) == 0 && count > 0 &&
         (operations[count - 1].atom == DW_OP_GNU_push_tls_address ||
          operations[count - 1].atom == DW_OP_form_tls_address);
}

// A static member is defined outside of its class, and refers to its declaration inside.
std::string full_name(Dwarf_Die& die, const std::string& otherwise) {
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

bool is_part(Dwarf_Die& die) {
  const int tag = dwarf_tag(&die);
  return (tag == DW_TAG_member || tag == DW_TAG_inheritance) && !dwarf_hasattr(&die, DW_AT_external) &&
         !dwarf_hasattr(&die, DW_AT_declaration);  // else a static one
}

// A base or member of a record; nothing if it is not at the same place in all of them.
std::optional<StaticPlace> part_at(const StaticPlace& whole, Dwarf_Die& die) {
  const auto type = type_of(&die);
  const auto offset = number(&die, DW_AT_data_member_location);  // a union's members have none
  const bool varies =
      dwarf_hasattr(&die, DW_AT_virtuality) || (dwarf_hasattr(&die, DW_AT_data_member_location) && !offset);
  if (!type || varies) return std::nullopt;
  return StaticPlace{whole.address + offset.value_or(0), *type, 0, dwarf_hasattr(&die, DW_AT_bit_size) != 0};
}

// f(name, place) for every member, those of bases and of unnamed members included.
template <class F>
void for_each_member(const StaticPlace& at, const F& f, int depth = 0) {
  Dwarf_Die type = at.type;
  if (depth > kDeepest || !is_record(&type)) return;
  for_each_child(&type, [&](Dwarf_Die& die) {
    const auto part = is_part(die) ? part_at(at, die) : std::nullopt;
    if (!part) return;
    if (dwarf_tag(&die) == DW_TAG_inheritance || name_of(&die).empty())
      for_each_member(*part, f, depth + 1);
    else
      f(name_of(&die), *part);
  });
}

std::optional<StaticPlace> member(const StaticPlace& at, const std::string& name) {
  std::optional<StaticPlace> found;
  for_each_member(at, [&](const std::string& own, const StaticPlace& place) {
    if (!found && own == name) found = place;
  });
  return found;
}

std::optional<StaticPlace> element(StaticPlace at, std::uint64_t index) {
  at = DebugInformation::innermost(at);
  if (dwarf_tag(&at.type) != DW_TAG_array_type) return std::nullopt;
  const std::vector<std::uint64_t> counts = extents(&at.type);
  auto type = type_of(&at.type);
  if (at.dimensions >= counts.size() || index >= counts[at.dimensions] || !type) return std::nullopt;
  std::uint64_t stride = size_of(&*type);
  for (std::size_t i = at.dimensions + 1; i < counts.size(); ++i) stride *= counts[i];
  at.address += index * stride;
  if (++at.dimensions == counts.size()) return StaticPlace{at.address, *type};
  return at;
}

std::optional<StaticPlace> follow(StaticPlace from, std::string_view rest) {
  std::optional<StaticPlace> at = from;
  while (at && !rest.empty()) {
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
      return std::nullopt;  // through a pointer
    }
  }
  return at;
}

// The variable that a name begins with.
std::string_view variable_of(std::string_view name) {
  const std::size_t function = name.rfind(")::");
  return name.substr(0, std::min(name.find_first_of(".[-", function == name.npos ? 0 : function), name.size()));
}

std::string called_from(Dwarf_Die& unit, Dwarf_Die& die) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const auto file = number(&die, DW_AT_call_file);
  if (!file || dwarf_getsrcfiles(&unit, &files, &count) != 0 || *file >= count) return {};
  const char* name = dwarf_filesrc(files, *file, nullptr, nullptr);
  return name == nullptr ? std::string() : name;
}

}  // namespace

DebugInformation::DebugInformation(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ >= 0) dwarf_ = dwarf_begin(file_, DWARF_C_READ);
  for_each_unit([&](Dwarf_Die& unit) { list(unit, ""); });
  if (dwarf_ != nullptr) read_symbols();
}

DebugInformation::~DebugInformation() {
  if (dwarf_ != nullptr) dwarf_end(dwarf_);
  if (file_ >= 0) close(file_);
}

template <class F>
void DebugInformation::for_each_unit(F&& f) {
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die, split;
  while (dwarf_ != nullptr && dwarf_get_units(dwarf_, unit, &unit, nullptr, nullptr, &die, &split) == 0) f(die);
}

void DebugInformation::list(Dwarf_Die& parent, const std::string& scope) {
  for_each_child(&parent, [&](Dwarf_Die& die) {
    const int tag = dwarf_tag(&die);
    const std::string own = name_of(&die);
    const std::string qualified = scope.empty() || own.empty() ? scope + own : scope + "::" + own;
    if (tag == DW_TAG_variable && !own.empty()) {
      const auto address = static_address(&die);
      const auto type = type_of(&die);
      if (is_thread_local(&die)) thread_local_.insert(full_name(die, qualified));
      if (!address || !type) return;
      std::vector<StaticPlace>& places = variables_[full_name(die, qualified)];
      if (std::none_of(places.begin(), places.end(), [&](const StaticPlace& p) { return p.address == *address; }))
        places.push_back({*address, *type});
    } else if (tag == DW_TAG_namespace || is_record(&die) || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) {
      list(die, qualified);
    }
  });
}

// Of variables inside functions: debug information does not always tell in which.
void DebugInformation::read_symbols() {
  Elf* const elf = dwarf_getelf(dwarf_);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB || data == nullptr) continue;
    for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT)
        continue;
      const char* const mangled = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (mangled == nullptr || !std::string_view(mangled).starts_with("_ZZ")) continue;
      int status = 0;
      const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                             &std::free);
      if (name) in_functions_.emplace(name.get(), symbol.st_value);
    }
  }
}

std::vector<std::pair<std::string, StaticPlace>> DebugInformation::meant_by(std::string_view variable) const {
  std::vector<std::pair<std::string, StaticPlace>> found;
  const auto symbol = in_functions_.find(std::string(variable));
  const auto ends_so = [&](std::string_view qualified) {
    return qualified.size() > variable.size() + 2 && qualified.ends_with(variable) &&
           qualified.substr(qualified.size() - variable.size() - 2, 2) == "::";
  };
  const auto exact = variables_.find(std::string(variable));
  for (const auto& [qualified, places] : variables_)
    for (const StaticPlace& place : places)
      if (symbol != in_functions_.end() ? place.address == symbol->second
          : exact != variables_.end()   ? qualified == variable
                                        : ends_so(qualified))
        found.emplace_back(qualified, place);
  return found;
}

std::optional<StaticPlace> DebugInformation::place(std::string_view name) const {
  const std::string_view variable = variable_of(name);
  const auto meant = meant_by(variable);
  return meant.size() == 1 ? follow(meant.front().second, name.substr(variable.size())) : std::nullopt;
}

std::string DebugInformation::complaint(std::string_view name) const {
  const std::string_view variable = variable_of(name);
  const auto meant = meant_by(variable);
  const std::string quoted = "'" + std::string(variable) + "'";
  if (meant.empty() && thread_local_.contains(std::string(variable)))
    return quoted + " is thread-local: each thread has its own";
  if (meant.size() < 2) return {};
  std::string names;
  for (const auto& [qualified, place] : meant)
    if (qualified != variable) names += (names.empty() ? ": " : ", ") + qualified;
  return quoted + " may be one of " + std::to_string(meant.size()) + " variables" + names +
         (names.empty() ? " in different files or functions; give it a name of its own" : "; say which");
}

std::vector<std::pair<std::string, StaticPlace>> DebugInformation::beside(std::string_view name) const {
  std::vector<std::pair<std::string, StaticPlace>> members;
  const std::size_t dot = name.rfind('.');
  if (const auto whole = dot == name.npos ? std::nullopt : place(name.substr(0, dot)))
    for_each_member(*whole, [&](const std::string& own, const StaticPlace& at) {
      members.emplace_back(std::string(name.substr(0, dot + 1)) + own, at);
    });
  return members;
}

StaticPlace DebugInformation::innermost(StaticPlace at) {
  for (int depth = 0; depth < kDeepest && is_record(&at.type); ++depth) {
    std::vector<StaticPlace> parts;
    bool fixed = true;
    for_each_child(&at.type, [&](Dwarf_Die& die) {
      if (!is_part(die)) return;
      const auto part = part_at(at, die);
      fixed = fixed && part;
      if (part) parts.push_back(*part);
    });
    if (!fixed || parts.size() != 1) break;
    at = parts.front();
  }
  return at;
}

const std::vector<DebugInformation::Line>& DebugInformation::lines() {
  if (!lines_read_) read_lines();
  lines_read_ = true;
  return lines_;
}

void DebugInformation::collect_inlined(Dwarf_Die& unit, Dwarf_Die& parent, int depth, std::vector<Inlined>& out) {
  for_each_child(&parent, [&](Dwarf_Die& die) {
    const int tag = dwarf_tag(&die);
    if (tag == DW_TAG_inlined_subroutine) {
      const std::string file = called_from(unit, die);
      Dwarf_Addr base = 0, begin = 0, end = 0;
      for (std::ptrdiff_t at = 0; !is_library(file) && (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
        if (end > begin)
          out.push_back(
              {begin, end - 1, depth, file, static_cast<std::uint32_t>(number(&die, DW_AT_call_line).value_or(0))});
    }
    collect_inlined(unit, die, depth + 1, out);
  });
}

void DebugInformation::read_lines() {
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
          if (call.first <= first && first <= call.last && (caller == nullptr || call.depth > caller->depth))
            caller = &call;
        if (caller == nullptr) continue;
        found.file = caller->file;
        found.line = caller->line;
      }
      lines_.push_back(std::move(found));
    }
  });
}

}  // namespace heddle::supervisor
