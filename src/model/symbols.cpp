#include "model/symbols.h"

#include <algorithm>
#include <vector>

namespace heddle::model {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// The innermost reason why an expression has no value before the model runs.
[[noreturn]] void complain_not_constant(const Expr& e, const Symbols& symbols) {
  for (const ExprPtr& arg : e.args)
    if (!fold(*arg, symbols)) complain_not_constant(*arg, symbols);
  if (e.kind == ExprKind::kBinary && divides(e.op)) throw Complaint{e.at, "division by zero in a constant"};
  if (e.kind == ExprKind::kName) {
    symbols.get(e.name, e.at);
    throw Complaint{e.at,
                    "'" + std::string(e.name) + "' is not a constant; its value is not known before the model runs"};
  }
  throw Complaint{e.at, "a constant is needed here: numbers, constants and operators only"};
}

}  // namespace

void Symbols::add(std::string_view name, const Symbol& symbol) {
  if (!symbols_.emplace(name, symbol).second)
    throw Complaint{symbol.at, "'" + std::string(name) + "' is declared twice"};
}

const Symbol* Symbols::find(std::string_view name) const {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? nullptr : &found->second;
}

const Symbol& Symbols::get(std::string_view name, Offset at) const {
  if (const Symbol* symbol = find(name)) return *symbol;
  std::string message = std::string(name.substr(0, 60)) + " is not declared";
  std::size_t best = 3;
  std::string_view nearest;
  if (name.size() <= 60) {
    for (const auto& [known, symbol] : symbols_) {
      if (known.size() > 60) continue;
      const std::size_t distance = edit_distance(name, known);
      if (distance < best && distance < name.size()) best = distance, nearest = known;
    }
  }
  if (!nearest.empty()) message += "; did you mean " + std::string(nearest) + "?";
  throw Complaint{at, message};
}

std::optional<std::int32_t> fold(const Expr& e, const Symbols& symbols) {
  const auto operand = [&](std::size_t i) { return fold(*e.args[i], symbols); };
  switch (e.kind) {
    case ExprKind::kNumber:
      return e.value;
    case ExprKind::kName: {
      const Symbol* symbol = symbols.find(e.name);
      if (symbol && symbol->kind == SymbolKind::kConst) return symbol->value;
      return std::nullopt;
    }
    case ExprKind::kUnary: {
      const auto a = operand(0);
      return a ? std::optional(apply(e.op, *a, 0)) : std::nullopt;
    }
    case ExprKind::kBinary: {
      const auto a = operand(0), b = operand(1);
      if (!a || !b || (divides(e.op) && *b == 0)) return std::nullopt;
      return apply(e.op, *a, *b);
    }
    case ExprKind::kAnd:
    case ExprKind::kOr: {
      const auto a = operand(0);
      if (!a) return std::nullopt;
      if ((*a != 0) == (e.kind == ExprKind::kOr)) return *a != 0;
      const auto b = operand(1);
      return b ? std::optional<std::int32_t>(*b != 0) : std::nullopt;
    }
    case ExprKind::kConditional: {
      const auto a = operand(0);
      return a ? operand(*a ? 1 : 2) : std::nullopt;
    }
    case ExprKind::kString:
    case ExprKind::kElement:
    case ExprKind::kReplica:
    case ExprKind::kCall:
    case ExprKind::kSpawn:
    case ExprKind::kAtomic:
    case ExprKind::kFence:
      return std::nullopt;
  }
  return std::nullopt;
}

std::int32_t constant_value(const Expr& e, const Symbols& symbols) {
  if (const auto value = fold(e, symbols)) return *value;
  complain_not_constant(e, symbols);
}

}  // namespace heddle::model
