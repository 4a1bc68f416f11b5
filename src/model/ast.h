// The tree of a model as it was written: names are not resolved yet. Names point into the source text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/operators.h"
#include "model/source.h"
#include "trace/memory_order.h"

namespace heddle::model {

enum class ExprKind : std::uint8_t {
  kNumber,   // value
  kString,   // text
  kName,     // name
  kElement,  // name [ args[0] ]
  kReplica,  // the word `index`
  kUnary,    // op args[0]
  kBinary,   // args[0] op args[1]
  kAnd,      // args[0] && args[1], short circuit
  kOr,
  kConditional,  // args[0] ? args[1] : args[2]
  kCall,         // name ( args ): a function of the model or a built-in one
  kSpawn,        // spawn name ( args )
  kAtomic,       // args[0] . name ( the other args, order, failure ), an access with a memory order
  kFence,        // fence ( order )
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct Expr {
  ExprKind kind = ExprKind::kNumber;
  Operator op = Operator::kAdd;
  Offset at = 0;
  std::int32_t value = 0;
  trace::MemoryOrder order = trace::MemoryOrder::kSeqCst;    // kAtomic, kFence
  trace::MemoryOrder failure = trace::MemoryOrder::kSeqCst;  // compare_exchange: if it does not
  std::uint32_t height = 1;  // bounded by the parser, so that recursion over the tree is safe
  std::string_view name;
  std::string text;
  std::vector<ExprPtr> args;
};

enum class StmtKind : std::uint8_t {
  kBlock,   // body
  kLocal,   // int name = value; (value may be absent)
  kAssign,  // target = value
  kUpdate,  // target op= value
  kIf,      // value, body[0], body[1] (may be absent)
  kLoop,    // body[0] = init or null; value = condition or null; body[1] = step or null; body[2]
  kBreak,
  kContinue,
  kReturn,    // value may be absent
  kEvaluate,  // value: a call or spawn
  kJoin,      // value
};

struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;

struct Stmt {
  StmtKind kind = StmtKind::kBlock;
  Operator op = Operator::kAdd;
  Offset at = 0;
  std::string_view name;
  ExprPtr target;
  ExprPtr value;
  std::vector<StmtPtr> body;
};

enum class DeclKind : std::uint8_t { kConst, kShared, kLock, kCond, kFunc, kThread };

struct Decl {
  DeclKind kind = DeclKind::kConst;
  Offset at = 0;
  std::string_view name;
  ExprPtr count;                         // [count] of an array or of replicated threads
  std::vector<ExprPtr> initial;          // kConst: its value; kShared: none, one for all, or a list
  bool listed = false;                   // kShared: initial is a { list }
  std::vector<std::string_view> params;  // kFunc
  StmtPtr body;                          // kFunc, kThread
};

// A text about the states of the whole model (property/parser.h).
struct Invariant {
  Offset at = 0;
  std::string_view text;
};

// A name for a statement: where its text begins and ends.
struct Label {
  Offset at = 0;
  std::string_view name;
  Offset first = 0, last = 0;
};

struct Tree {
  std::vector<Decl> decls;
  std::vector<Invariant> invariants;
  std::vector<Label> labels;
};

}  // namespace heddle::model
