// The declarations: constants get their values, objects and threads their numbers; then each body is
// compiled. Bodies may use whatever is declared anywhere, constant expressions only constants declared before
// them.
#include "model/compiler.h"

#include "model/body_compiler.h"
#include "model/symbols.h"

namespace heddle::model {
namespace {

constexpr std::int32_t kMaxCells = 1 << 20;

class Compiler {
 public:
  Compiler(const Tree& tree, std::string_view text, const Defines& defines)
      : tree_(tree), text_(text), defines_(defines) {}

  Code run() {
    check_defines();
    for (const Decl& d : tree_.decls) declare(d);
    if (code_.threads.empty())
      throw Complaint{static_cast<Offset>(text_.size()), "the model has no thread; add `thread main { ... }`"};
    for (std::uint32_t f = 0; f < bodies_.size(); ++f) BodyCompiler(code_, symbols_, text_).compile(*bodies_[f], f);
    for (const Invariant& i : tree_.invariants) code_.invariants.push_back({i.at, std::string(i.text)});
    for (const Label& l : tree_.labels) code_.labels.push_back({std::string(l.name), l.first, l.last});
    return std::move(code_);
  }

 private:
  void check_defines() const {
    for (const auto& [name, value] : defines_) {
      const std::string shown = "-D " + name + "=" + std::to_string(value) + ": ";
      std::string known;
      bool found = false;
      for (const Decl& d : tree_.decls) {
        if (d.kind != DeclKind::kConst) continue;
        found = found || d.name == name;
        known += (known.empty() ? "" : ", ") + std::string(d.name);
      }
      if (!found)
        throw Complaint{
            kNoPlace, shown + "the model has no such constant; " + (known.empty() ? "it has none" : "it has " + known)};
      if (value != static_cast<std::int32_t>(value))
        throw Complaint{kNoPlace, shown + "the value does not fit into 32 bits"};
    }
  }

  void declare(const Decl& d) {
    switch (d.kind) {
      case DeclKind::kConst:
        return declare_constant(d);
      case DeclKind::kShared:
        return declare_variable(d, ObjectKind::kMemory);
      case DeclKind::kLock:
        return declare_variable(d, ObjectKind::kLock);
      case DeclKind::kCond:
        return declare_variable(d, ObjectKind::kCond);
      case DeclKind::kFunc:
        return declare_function(d);
      case DeclKind::kThread:
        return declare_thread(d);
    }
  }

  void declare_constant(const Decl& d) {
    const auto given = defines_.find(std::string(d.name));
    Symbol symbol;
    symbol.at = d.at;
    symbol.value =
        given != defines_.end() ? static_cast<std::int32_t>(given->second) : constant_value(*d.initial[0], symbols_);
    symbols_.add(d.name, symbol);
    code_.constants[std::string(d.name)] = symbol.value;
  }

  // The value of [count], 1 if absent.
  std::int32_t count_of(const Decl& d, std::int32_t lowest, std::int32_t highest) const {
    if (!d.count) return 1;
    const std::int32_t count = constant_value(*d.count, symbols_);
    if (count < lowest || count > highest)
      throw Complaint{d.count->at, "the count of '" + std::string(d.name) + "' is " + std::to_string(count) +
                                       "; it must be from " + std::to_string(lowest) + " to " +
                                       std::to_string(highest)};
    return count;
  }

  void declare_variable(const Decl& d, ObjectKind kind) {
    Variable v;
    v.name = d.name;
    v.kind = kind;
    v.array = d.count != nullptr;
    v.first = static_cast<std::uint32_t>(code_.initial.size());
    v.count = static_cast<std::uint32_t>(count_of(d, 0, kMaxCells - static_cast<std::int32_t>(code_.initial.size())));
    Symbol symbol;
    symbol.kind = SymbolKind::kVariable;
    symbol.at = d.at;
    symbol.number = static_cast<std::uint32_t>(code_.variables.size());
    symbols_.add(d.name, symbol);
    if (d.listed && d.initial.size() != v.count)
      throw Complaint{d.at, "'" + std::string(d.name) + "' has " + std::to_string(v.count) + " elements but " +
                                std::to_string(d.initial.size()) + " initial values"};
    if (d.listed && !v.array) throw Complaint{d.at, "only an array has a list of initial values"};
    const std::int32_t common = d.listed || d.initial.empty() ? 0 : constant_value(*d.initial[0], symbols_);
    for (std::uint32_t i = 0; i < v.count; ++i) {
      switch (kind) {
        case ObjectKind::kMemory:
          code_.initial.push_back(d.listed ? constant_value(*d.initial[i], symbols_) : common);
          code_.slots.push_back(0);
          break;
        case ObjectKind::kLock:
          code_.initial.push_back(kNoOwner);
          code_.slots.push_back(code_.locks++);
          break;
        case ObjectKind::kCond:
          code_.initial.push_back(0);
          code_.slots.push_back(code_.conds++);
          break;
      }
    }
    code_.variables.push_back(std::move(v));
  }

  std::uint32_t add_function(const Decl& d) {
    Function f;
    f.name = d.name;
    f.parameters = static_cast<std::uint32_t>(d.params.size());
    code_.functions.push_back(std::move(f));
    bodies_.push_back(&d);
    return static_cast<std::uint32_t>(bodies_.size() - 1);
  }

  void declare_function(const Decl& d) {
    Symbol symbol;
    symbol.kind = SymbolKind::kFunction;
    symbol.at = d.at;
    symbol.number = add_function(d);
    symbols_.add(d.name, symbol);
  }

  void declare_thread(const Decl& d) {
    const auto room = static_cast<std::int32_t>(kMaxThreads - code_.threads.size());
    if (room == 0) throw Complaint{d.at, "more than " + std::to_string(kMaxThreads) + " threads"};
    Symbol symbol;
    symbol.kind = SymbolKind::kThread;
    symbol.at = d.at;
    symbol.number = static_cast<std::uint32_t>(code_.threads.size());
    symbol.count = static_cast<std::uint32_t>(count_of(d, 0, room));
    symbol.array = d.count != nullptr;
    symbols_.add(d.name, symbol);
    const std::uint32_t function = add_function(d);
    for (std::uint32_t i = 0; i < symbol.count; ++i)
      code_.threads.push_back({function, static_cast<std::int32_t>(i), symbol.array});
  }

  const Tree& tree_;
  std::string_view text_;
  const Defines& defines_;
  Symbols symbols_;
  std::vector<const Decl*> bodies_;  // by function number
  Code code_;
};

}  // namespace

Code compile(const Tree& tree, std::string_view text, const Defines& defines) {
  return Compiler(tree, text, defines).run();
}

}  // namespace heddle::model
