// What the names of a model stand for, and the values known before it runs.
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "model/ast.h"
#include "model/code.h"

namespace heddle::model {

enum class SymbolKind : std::uint8_t { kConst, kVariable, kFunction, kThread };

struct Symbol {
  SymbolKind kind = SymbolKind::kConst;
  Offset at = 0;             // of its declaration
  std::int32_t value = 0;    // kConst
  std::uint32_t number = 0;  // kVariable, kFunction: index in Code; kThread: its first thread
  std::uint32_t count = 1;   // kThread: replicas
  bool array = false;        // kThread: replicated
};

class Symbols {
 public:
  // Throws a Complaint if the name is taken.
  void add(std::string_view name, const Symbol& symbol);
  const Symbol* find(std::string_view name) const;
  // Throws a Complaint if there is none, with the nearest known name as a hint.
  const Symbol& get(std::string_view name, Offset at) const;

 private:
  std::map<std::string_view, Symbol> symbols_;
};

// The value of an expression made of numbers and constants; nothing where it reads anything else or divides
// by zero.
std::optional<std::int32_t> fold(const Expr& e, const Symbols& symbols);
// The same where a value is required: throws a Complaint that names the culprit.
std::int32_t constant_value(const Expr& e, const Symbols& symbols);

}  // namespace heddle::model
