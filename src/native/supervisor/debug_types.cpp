// The tool prints a debug information entry and its children as indented text:
//
//   0x00000034: DW_TAG_structure_type
//                 DW_AT_name      ("Q")
//                 DW_AT_byte_size (0x60)
//   0x00000040:   DW_TAG_member
//                   DW_AT_name      ("head_")
//                   DW_AT_type      (0x000000ad "std::atomic<Node *>")
//                   DW_AT_data_member_location      (0x08)
//
// A local variable is found by its place in the frame of its function: at a fixed distance from the frame pointer or from
// the frame's end, as its location says.
//
// Starting at a variable or a type we follow the member that holds the offset, one type at a time. Each question costs
// some milliseconds and is asked only for objects that a report mentions.
#include "native/supervisor/debug_types.h"

#include <cstdlib>
#include <sstream>
#include <vector>

#include "native/supervisor/child_process.h"

namespace heddle::native {

struct DebugTypes::Entry {
  std::uint64_t offset = 0;
  std::size_t depth = 0;
  std::string tag;
  std::map<std::string, std::string> attributes;

  std::string name() const { return quoted("DW_AT_name"); }
  bool has(const char* key) const { return attributes.count(key) != 0; }
  std::uint64_t number(const char* key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? 0 : std::strtoull(found->second.c_str() + 1, nullptr, 0);
  }
  std::string quoted(const char* key) const {
    const auto found = attributes.find(key);
    if (found == attributes.end()) return {};
    const auto open = found->second.find('"'), close = found->second.rfind('"');
    return close > open ? found->second.substr(open + 1, close - open - 1) : std::string();
  }
};

namespace {

constexpr int kDeepest = 12;

// Everything but the qualifiers.
std::string last_name(const std::string& qualified) {
  int depth = 0;
  for (std::size_t i = qualified.size(); i-- > 0;) {
    if (qualified[i] == '>' || qualified[i] == ')') ++depth;
    if (qualified[i] == '<' || qualified[i] == '(') --depth;
    if (depth == 0 && qualified[i] == ':') return qualified.substr(i + 1);
  }
  return qualified;
}

bool is_internal(const std::string& member) { return member.starts_with("_M_") || member.starts_with("__"); }

bool is_named_variable(const std::string& tag) { return tag == "DW_TAG_variable"; }

bool is_record(const std::string& tag) {
  return tag == "DW_TAG_structure_type" || tag == "DW_TAG_class_type" || tag == "DW_TAG_union_type";
}

bool is_transparent(const std::string& tag) {
  return tag == "DW_TAG_typedef" || tag == "DW_TAG_const_type" || tag == "DW_TAG_volatile_type" ||
         tag == "DW_TAG_atomic_type";
}

}  // namespace

std::string DebugTypes::dump(const std::string& module, const std::string& selector,
                             const std::vector<std::string>& how) {
  std::vector<std::string> command = {{}, selector};
  command.insert(command.end(), how.begin(), how.end());
  command.push_back(module);
  std::string question;
  for (const std::string& word : command) question += word + " ";
  const auto [at, fresh] = dumps_.try_emplace(question);
  if (!fresh) return at->second;
  const std::string tool = find_in_path({"llvm-dwarfdump-19", "llvm-dwarfdump"});
  if (tool.empty()) return {};
  command.front() = tool;
  auto finished = run_tool({command, "", true});
  if (finished && finished->code == 0) at->second = std::move(finished->output);
  return at->second;
}

template <class Entry>
static std::vector<Entry> parse_entries(const std::string& text) {
  std::vector<Entry> entries;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0x")) {
      const auto tag = line.find("DW_TAG_");
      if (tag == line.npos) continue;
      Entry entry;
      entry.offset = std::strtoull(line.c_str(), nullptr, 16);
      entry.depth = (tag - line.find(':') - 2) / 2;
      entry.tag = line.substr(tag, line.find_first_of(" \t*", tag) - tag);
      entries.push_back(std::move(entry));
      continue;
    }
    const auto attribute = line.find("DW_AT_");
    // A list of locations goes on over several lines.
    if (attribute == line.npos && line.find("DW_OP_") != line.npos && !entries.empty())
      entries.back().attributes["DW_AT_location"] += " " + line.substr(line.find("DW_OP_"));
    const auto value = line.find('(');
    if (attribute == line.npos || value == line.npos || entries.empty()) continue;
    const auto end = line.find_first_of(" \t", attribute);
    entries.back().attributes[line.substr(attribute, end - attribute)] = line.substr(value);
  }
  return entries;
}

template <class Entry>
static Scalar scalar_of(const Entry& type) {
  const std::uint64_t size = type.number("DW_AT_byte_size");
  if (type.tag == "DW_TAG_pointer_type") return {Scalar::Kind::kPointer, sizeof(void*)};
  if (type.tag != "DW_TAG_base_type" || !type.has("DW_AT_encoding")) return {};
  const std::string& encoding = type.attributes.at("DW_AT_encoding");
  const auto is = [&](const char* name) { return encoding.find(name) != encoding.npos; };
  if (is("DW_ATE_boolean")) return {Scalar::Kind::kBoolean, size};
  if (is("DW_ATE_float")) return {Scalar::Kind::kFloat, size};
  if (is("_char")) return {Scalar::Kind::kCharacter, size};
  if (is("DW_ATE_signed")) return {Scalar::Kind::kSigned, size};
  if (is("DW_ATE_unsigned")) return {Scalar::Kind::kUnsigned, size};
  return {};
}

// How many elements the array, which is the first of the entries, has in each dimension.
template <class Entry>
static std::vector<std::uint64_t> extents(const std::vector<Entry>& entries) {
  std::vector<std::uint64_t> all;
  for (const Entry& entry : entries) {
    if (entry.depth != entries.front().depth + 1) continue;
    if (entry.has("DW_AT_count")) all.push_back(entry.number("DW_AT_count"));
    else if (entry.has("DW_AT_upper_bound")) all.push_back(entry.number("DW_AT_upper_bound") + 1);
  }
  return all;
}

// "[1][2]" for element 5 of an array with 2 times 3. The first dimension may be unknown or overrun.
static std::string indices(std::uint64_t element, const std::vector<std::uint64_t>& extents) {
  std::string text;
  for (std::size_t i = extents.size(); i-- > 1;) {
    const std::uint64_t extent = std::max<std::uint64_t>(extents[i], 1);
    text.insert(0, "[" + std::to_string(element % extent) + "]");
    element /= extent;
  }
  return "[" + std::to_string(element) + "]" + text;
}

Member DebugTypes::member_at(const std::string& module, std::uint64_t type, std::uint64_t offset, int depth) {
  if (depth > kDeepest || type == 0) return {};
  std::ostringstream selector;
  selector << "--debug-info=0x" << std::hex << type;
  const auto entries = parse_entries<Entry>(dump(module, selector.str()));
  if (entries.empty()) return {};
  const Entry& self = entries.front();
  if (is_transparent(self.tag)) return member_at(module, self.number("DW_AT_type"), offset, depth + 1);
  if (self.tag == "DW_TAG_array_type") {
    const std::uint64_t element = self.number("DW_AT_type"), size = size_of(module, element, depth + 1);
    if (size == 0) return {};
    Member inside = member_at(module, element, offset % size, depth + 1);
    return {indices(offset / size, extents(entries)) + inside.path, inside.scalar};
  }
  if (!is_record(self.tag)) return {"", offset == 0 ? scalar_of(self) : Scalar{}};

  // The last member that begins at or before the offset. The first of a union, whose members all begin there.
  const Entry* holder = nullptr;
  std::uint64_t begin = 0;
  for (const Entry& entry : entries) {
    if (entry.depth != self.depth + 1 || (entry.tag != "DW_TAG_member" && entry.tag != "DW_TAG_inheritance")) continue;
    if (entry.has("DW_AT_external") || (!entry.has("DW_AT_data_member_location") && self.tag != "DW_TAG_union_type"))
      continue;
    const std::uint64_t at = entry.number("DW_AT_data_member_location");
    if (at > offset || (holder != nullptr && at <= begin)) continue;
    holder = &entry;
    begin = at;
  }
  if (holder == nullptr) return {};
  Member inside = member_at(module, holder->number("DW_AT_type"), offset - begin, depth + 1);
  // The library's own members say nothing, but which element of a std::array it is does.
  if (!is_internal(holder->name()))
    inside.path.insert(0, holder->name().empty() ? std::string() : "." + holder->name());
  else if (!inside.path.starts_with("["))
    inside.path.clear();
  return inside;
}

Member DebugTypes::member_of_variable(const std::string& module, const std::string& variable, std::uint64_t offset) {
  for (const Entry& entry : parse_entries<Entry>(dump(module, "--name=" + last_name(variable))))
    if (is_named_variable(entry.tag) && entry.has("DW_AT_type") && entry.has("DW_AT_location"))
      return member_at(module, entry.number("DW_AT_type"), offset, 0);
  return {};
}

Member DebugTypes::member_of_type(const std::string& module, const std::string& type, std::uint64_t offset) {
  for (const Entry& entry : parse_entries<Entry>(dump(module, "--name=" + last_name(type))))
    if (is_record(entry.tag) && !entry.has("DW_AT_declaration")) return member_at(module, entry.offset, offset, 0);
  return {};
}

namespace {

std::string selector_of(std::uint64_t entry) {
  std::ostringstream text;
  text << "--debug-info=0x" << std::hex << entry;
  return text.str();
}

// "DW_OP_fbreg -72" and "DW_OP_breg6 RBP-44" as addresses in a frame; nothing for variables in registers.
std::optional<std::uint64_t> place_in_frame(const std::string& location, std::uint64_t base, std::uint64_t frame_pointer) {
  if (const auto at = location.find("DW_OP_fbreg "); at != location.npos)
    return base + static_cast<std::uint64_t>(std::strtoll(location.c_str() + at + 12, nullptr, 10));
  if (const auto at = location.find("DW_OP_breg6 RBP"); at != location.npos)
    return frame_pointer + static_cast<std::uint64_t>(std::strtoll(location.c_str() + at + 15, nullptr, 10));
  return std::nullopt;
}

}  // namespace

// The entry of the function itself, whatever was inlined there.
std::uint64_t DebugTypes::function_at(const std::string& module, std::uint64_t pc) {
  std::ostringstream lookup;
  lookup << "--lookup=0x" << std::hex << pc;
  const auto innermost = parse_entries<Entry>(dump(module, lookup.str(), {}));
  if (innermost.empty()) return 0;
  for (const Entry& entry : parse_entries<Entry>(dump(module, selector_of(innermost.back().offset), {"--show-parents"})))
    if (entry.tag == "DW_TAG_subprogram" && entry.has("DW_AT_low_pc")) return entry.offset;
  return 0;
}

std::uint64_t DebugTypes::size_of(const std::string& module, std::uint64_t type, int depth) {
  const auto entries = parse_entries<Entry>(dump(module, selector_of(type)));
  if (entries.empty() || depth > kDeepest) return 0;
  const Entry& self = entries.front();
  if (is_transparent(self.tag)) return size_of(module, self.number("DW_AT_type"), depth + 1);
  if (self.tag != "DW_TAG_array_type") return self.number("DW_AT_byte_size");
  std::uint64_t size = size_of(module, self.number("DW_AT_type"), depth + 1);
  for (const std::uint64_t extent : extents(entries)) size *= extent;
  return size;
}

Member DebugTypes::local_variable(const Frame& frame, std::uint64_t address) {
  const std::uint64_t function = function_at(frame.module, frame.pc);
  if (function == 0) return {};
  const auto entries = parse_entries<Entry>(dump(frame.module, selector_of(function), {"--show-children"}));
  if (entries.empty()) return {};
  // The wrappers keep frame pointers: below the frame's end are the return address and the caller's frame pointer.
  const std::uint64_t frame_pointer = frame.end - 16;
  const auto base_is = entries.front().attributes.find("DW_AT_frame_base");
  const bool from_end = base_is != entries.front().attributes.end() && base_is->second.find("call_frame_cfa") != std::string::npos;
  std::size_t nested = ~std::size_t{0};   // in a type or function of its own
  for (const Entry& entry : entries) {
    if (entry.depth <= nested) nested = ~std::size_t{0};
    const bool own = entry.offset != function;
    if (own && nested == ~std::size_t{0} && (is_record(entry.tag) || entry.tag == "DW_TAG_subprogram")) nested = entry.depth;
    if (entry.depth > nested || (entry.tag != "DW_TAG_variable" && entry.tag != "DW_TAG_formal_parameter")) continue;
    const auto location = entry.attributes.find("DW_AT_location");
    if (location == entry.attributes.end() || entry.name().empty()) continue;
    const auto place = place_in_frame(location->second, from_end ? frame.end : frame_pointer, frame_pointer);
    const std::uint64_t type = entry.number("DW_AT_type");
    if (!place || address < *place || address - *place >= size_of(frame.module, type, 0)) continue;
    Member member = member_at(frame.module, type, address - *place, 0);
    member.path.insert(0, entry.name());
    return member;
  }
  return {};
}

}  // namespace heddle::native
