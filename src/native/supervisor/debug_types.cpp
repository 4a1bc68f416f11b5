// Starting at a variable or a type we follow the member that holds the offset, one type at a time. Variables and types
// are found by their last name in an index, which is made when a file is first asked about.
//
// A local variable is found by its place in the frame of its function: at a fixed distance from the frame pointer, from
// the frame's end or, where the frame is aligned to more than usual, from its beginning, as its location says.
#include "native/supervisor/debug_types.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "native/supervisor/dwarf.h"

namespace heddle::supervisor {

namespace {

constexpr int kDeepestType = 12;
constexpr unsigned kFramePointer = DW_OP_breg6;  // x86-64 numbers rbp so, and rsp:
constexpr unsigned kStackPointer = DW_OP_breg7;

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

// "C" of "C<int>".
std::string without_arguments(const std::string& name) { return name.substr(0, name.find('<')); }

bool is_internal(const std::string& member) { return member.starts_with("_M_") || member.starts_with("__"); }

Scalar scalar_of(Dwarf_Die* type) {
  if (dwarf_tag(type) == DW_TAG_pointer_type) return {Scalar::Kind::kPointer, sizeof(void*)};
  if (dwarf_tag(type) != DW_TAG_base_type) return {};
  const std::uint64_t size = number(type, DW_AT_byte_size).value_or(0);
  switch (number(type, DW_AT_encoding).value_or(0)) {
    case DW_ATE_boolean:
      return {Scalar::Kind::kBoolean, size};
    case DW_ATE_float:
      return {Scalar::Kind::kFloat, size};
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
      return {Scalar::Kind::kCharacter, size};
    case DW_ATE_signed:
      return {Scalar::Kind::kSigned, size};
    case DW_ATE_unsigned:
      return {Scalar::Kind::kUnsigned, size};
    default:
      return {};
  }
}

// "[1][2]" for element 5 of an array with 2 times 3. The first dimension may be unknown or overrun.
std::string indices(std::uint64_t element, const std::vector<std::uint64_t>& extents) {
  std::string text;
  for (std::size_t i = extents.size(); i-- > 1;) {
    const std::uint64_t extent = std::max<std::uint64_t>(extents[i], 1);
    text.insert(0, "[" + std::to_string(element % extent) + "]");
    element /= extent;
  }
  return "[" + std::to_string(element) + "]" + text;
}

Container::Kind container_kind(const std::string& type) {
  static const struct {
    const char* prefix;
    Container::Kind kind;
  } known[] = {{"vector<", Container::Kind::kVector},
               {"deque<", Container::Kind::kDeque},
               {"basic_string<", Container::Kind::kString},
               {"list<", Container::Kind::kList},
               {"map<", Container::Kind::kTree},
               {"set<", Container::Kind::kTree},
               {"multimap<", Container::Kind::kTree},
               {"multiset<", Container::Kind::kTree},
               {"unordered_map<", Container::Kind::kHashed},
               {"unordered_set<", Container::Kind::kHashed},
               {"unordered_multimap<", Container::Kind::kHashed},
               {"unordered_multiset<", Container::Kind::kHashed}};
  for (const auto& one : known)
    if (type.starts_with(one.prefix)) return one.kind;
  return Container::Kind::kNone;
}

bool is_adapter(const std::string& type) {
  return type.starts_with("queue<") || type.starts_with("stack<") || type.starts_with("priority_queue<");
}

// The size of what a template's first argument names.
std::uint64_t first_argument_size(Dwarf_Die* type) {
  std::uint64_t size = 0;
  for_each_child(type, [&](Dwarf_Die& child) {
    if (size != 0 || dwarf_tag(&child) != DW_TAG_template_type_parameter) return;
    if (std::optional<Dwarf_Die> argument = type_of(&child))
      size = dwarf_tag(&*argument) == DW_TAG_pointer_type ? sizeof(void*) : size_of(&*argument);
  });
  return size;
}

Member member_at(std::optional<Dwarf_Die> type, std::uint64_t offset, int depth = 0);

Member element_at(Dwarf_Die* array, std::uint64_t offset, int depth) {
  std::optional<Dwarf_Die> element = type_of(array);
  const std::uint64_t size = element ? size_of(&*element) : 0;
  if (size == 0) return {};
  Member inside = member_at(element, offset % size, depth + 1);
  inside.path.insert(0, indices(offset / size, extents(array)));
  return inside;
}

Member member_at(std::optional<Dwarf_Die> type, std::uint64_t offset, int depth) {
  if (!type || depth > kDeepestType) return {};
  if (dwarf_tag(&*type) == DW_TAG_array_type) return element_at(&*type, offset, depth);
  if (!is_record(&*type)) return {"", offset == 0 ? scalar_of(&*type) : Scalar{}, {}};

  // The last member that begins at or before the offset. The first of a union, whose members all begin there.
  std::optional<Dwarf_Die> holder;
  std::uint64_t begin = 0;
  for_each_child(&*type, [&](Dwarf_Die& member) {
    const int tag = dwarf_tag(&member);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(&member, DW_AT_external)) return;
    const auto at = number(&member, DW_AT_data_member_location);
    if (!at && dwarf_tag(&*type) != DW_TAG_union_type) return;
    if (at.value_or(0) > offset || (holder && at.value_or(0) <= begin)) return;
    holder = member;
    begin = at.value_or(0);
  });
  const std::string own = name_of(&*type);
  Container container;
  if (const Container::Kind kind = container_kind(own); kind != Container::Kind::kNone)
    container = {kind, offset, first_argument_size(&*type)};
  if (!holder) return {"", {}, container};  // of a library's type there may be no more than the name
  Member inside = member_at(type_of(&*holder), offset - begin, depth + 1);
  const std::string name = dwarf_tag(&*holder) == DW_TAG_member ? name_of(&*holder) : std::string();
  // The library's own members say nothing, but which element of a std::array it is does.
  if (!is_internal(name))
    inside.path.insert(0, name.empty() ? std::string() : "." + name);
  else if (!inside.path.starts_with("["))
    inside.path.clear();
  if (is_adapter(own) && inside.path == ".c") inside.path.clear();
  if (inside.container.kind == Container::Kind::kNone) inside.container = container;
  return inside;
}

// A function in the middle of something.
struct Activation {
  std::uint64_t pc;
  std::uint64_t base;  // what locations count from
  std::uint64_t frame_pointer;
  std::uint64_t stack_pointer;
};

// Where a variable lies in a frame; nothing if it is in a register, or elsewhere.
std::optional<std::uint64_t> place_in_frame(Dwarf_Die* variable, const Activation& activation) {
  Dwarf_Attribute location;
  if (dwarf_attr_integrate(variable, DW_AT_location, &location) == nullptr) return std::nullopt;
  Dwarf_Addr list_base = 0, from = 0, to = 0;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  // It may have several places, one after the other; only one of them is in memory.
  for (std::ptrdiff_t next = 0;
       (next = dwarf_getlocations(&location, next, &list_base, &from, &to, &operations, &count)) > 0;) {
    if (count == 0 || operations[count - 1].atom == DW_OP_stack_value) continue;  // its value, not its place
    if (operations[0].atom == DW_OP_fbreg) return activation.base + operations[0].number;
    if (operations[0].atom == kFramePointer) return activation.frame_pointer + operations[0].number;
    if (operations[0].atom == kStackPointer) return activation.stack_pointer + operations[0].number;
  }
  return std::nullopt;
}

bool counts_from_the_frames_end(Dwarf_Die* function) {
  Dwarf_Attribute base;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  return dwarf_attr_integrate(function, DW_AT_frame_base, &base) != nullptr &&
         dwarf_getlocation(&base, &operations, &count) == 0 && count > 0 && operations[0].atom == DW_OP_call_frame_cfa;
}

}  // namespace

class DebugTypes::Module {
 public:
  explicit Module(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ >= 0) dwarf_ = dwarf_begin(file_, DWARF_C_READ);
    for_each_unit([&](Dwarf_Die& unit) { list(unit); });
  }
  ~Module() {
    if (dwarf_ != nullptr) dwarf_end(dwarf_);
    if (file_ >= 0) close(file_);
  }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  std::optional<Dwarf_Die> variable_type(const std::string& name) {
    const auto at = variables_.find(last_name(name));
    return at == variables_.end() ? std::nullopt : std::optional(at->second);
  }

  // The type of this name. Of a template's instances the one that is so large, as its arguments may be spelt in many
  // ways.
  std::optional<Dwarf_Die> type(const std::string& name, std::uint64_t size) {
    const std::string wanted = last_name(name);
    if (const auto at = types_.find(wanted); at != types_.end()) return at->second;
    const std::string prefix = without_arguments(wanted) + "<";
    std::optional<Dwarf_Die> instance;
    for (auto at = types_.lower_bound(prefix); at != types_.end() && at->first.starts_with(prefix); ++at)
      if (!instance || size_of(&at->second) == size) instance = at->second;
    return instance;
  }

  // The function itself, whatever was inlined there.
  std::optional<Dwarf_Die> function_at(std::uint64_t pc) {
    std::optional<Dwarf_Die> function;
    for_each_unit([&](Dwarf_Die& unit) {
      if (!function && dwarf_haspc(&unit, pc) > 0) function = function_in(unit, pc);
    });
    return function;
  }

 private:
  template <class F>
  void for_each_unit(F&& f) {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die, split;
    while (dwarf_ != nullptr && dwarf_get_units(dwarf_, unit, &unit, nullptr, nullptr, &die, &split) == 0) f(die);
  }

  void list(Dwarf_Die& parent) {
    for_each_child(&parent, [&](Dwarf_Die& die) {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_variable && dwarf_hasattr(&die, DW_AT_location)) {
        if (const auto type = type_of(&die)) variables_.try_emplace(name_of(&die), *type);
      } else if (is_record(&die)) {
        if (!dwarf_hasattr(&die, DW_AT_declaration)) types_.try_emplace(name_of(&die), die);
        list(die);
      } else if (tag == DW_TAG_base_type) {
        types_.try_emplace(name_of(&die), die);
      } else if (tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) {
        list(die);
      }
    });
  }

  static std::optional<Dwarf_Die> function_in(Dwarf_Die& parent, std::uint64_t pc) {
    std::optional<Dwarf_Die> function;
    for_each_child(&parent, [&](Dwarf_Die& die) {
      const int tag = dwarf_tag(&die);
      if (function) return;
      if (tag == DW_TAG_subprogram && dwarf_haspc(&die, pc) > 0)
        function = die;
      else if (tag == DW_TAG_namespace || is_record(&die))
        function = function_in(die, pc);
    });
    return function;
  }

  int file_ = -1;
  Dwarf* dwarf_ = nullptr;
  std::map<std::string, Dwarf_Die> variables_;  // by last name: their types
  std::map<std::string, Dwarf_Die> types_;
};

namespace {

// The variables of a function and of those of its blocks that are active, not those of types and functions inside it:
// two variables that are never alive together may have one place.
Member local_in(Dwarf_Die& block, std::uint64_t address, const Activation& activation) {
  Member found;
  for_each_child(&block, [&](Dwarf_Die& die) {
    if (!found.path.empty()) return;
    const int tag = dwarf_tag(&die);
    if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) && dwarf_haspc(&die, activation.pc) > 0)
      found = local_in(die, address, activation);
    const bool named = !name_of(&die).empty() && !is_internal(name_of(&die));
    if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || !named) return;
    const auto place = place_in_frame(&die, activation);
    std::optional<Dwarf_Die> type = type_of(&die);
    if (!place || !type || address < *place || address - *place >= size_of(&*type)) return;
    found = member_at(type, address - *place);
    found.path.insert(0, name_of(&die));
  });
  return found;
}

}  // namespace

DebugTypes::DebugTypes() = default;
DebugTypes::~DebugTypes() = default;

DebugTypes::Module& DebugTypes::open(const std::string& path) {
  std::unique_ptr<Module>& module = modules_[path];
  if (!module) module = std::make_unique<Module>(path);
  return *module;
}

Member DebugTypes::member_of_variable(const std::string& module, const std::string& variable, std::uint64_t offset) {
  return member_at(open(module).variable_type(variable), offset);
}

Member DebugTypes::member_of_type(const std::string& module, const std::string& type, std::uint64_t size,
                                  std::uint64_t offset) {
  return member_at(open(module).type(type, size), offset);
}

Member DebugTypes::local_variable(const Frame& frame, std::uint64_t address) {
  std::optional<Dwarf_Die> function = open(frame.module).function_at(frame.pc);
  if (!function) return {};
  // The wrappers keep frame pointers: below the frame's end are the return address and the caller's frame pointer.
  const std::uint64_t frame_pointer = frame.end - 16;
  const std::uint64_t base = counts_from_the_frames_end(&*function) ? frame.end : frame_pointer;
  return local_in(*function, address, {frame.pc, base, frame_pointer, frame.begin});
}

}  // namespace heddle::supervisor
