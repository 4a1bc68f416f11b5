#include "property/property.h"

#include <algorithm>
#include <unordered_map>

#include "property/parser.h"

namespace heddle::property {

using symbolic::kNoTerm;
using symbolic::Term;
using symbolic::TermId;
using symbolic::TermKind;
using symbolic::TermStore;

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::kReachable:
      return "reachable";
    case Kind::kNever:
      return "never";
    case Kind::kAlways:
      return "always";
  }
  return "?";
}

trace::Failure failure_of(const Statement& statement, EventIndex step) {
  const std::string when = statement.when.empty() ? std::string() : " when " + statement.when;
  const std::string text = statement.text + when;
  trace::Failure failure;
  failure.kind = trace::FailureKind::kProperty;
  failure.step = step;
  failure.where = statement.where;
  switch (statement.kind) {
    case Kind::kReachable:
      failure.kind = trace::FailureKind::kReachable;
      failure.message = text;
      break;
    case Kind::kNever:
      failure.message = "never: " + text;
      break;
    case Kind::kAlways:
      failure.message = "always: " + text;
      break;
  }
  return failure;
}

bool Property::shown_by(const trace::Execution& execution) const {
  const trace::Failure wanted = failure(0);
  return std::any_of(execution.failures.begin(), execution.failures.end(), [&](const trace::Failure& f) {
    return f.kind == wanted.kind && f.message == wanted.message && f.where == wanted.where;
  });
}

std::string Property::describe(const symbolic::Assignment& values) const {
  std::string text;
  for (std::size_t a = 0; a < expression.atoms.size(); ++a) {
    const Atom& atom = expression.atoms[a];
    text += text.empty() ? "" : ", ";
    if (atom.kind != AtomKind::kValue) {
      text += (values[a] != 0 ? "" : "!") + atom.text;
      continue;
    }
    const int unused = 64 - atom.type.bits;
    const std::uint64_t raised = values[a] << unused;
    text += atom.text + " = " +
            (atom.type.is_signed ? std::to_string(static_cast<std::int64_t>(raised) >> unused)
                                 : std::to_string(raised >> unused));
  }
  return text;
}

Result<Property> make_property(const Statement& statement, const Names& names) {
  Property property;
  property.statement = statement;
  const auto condition = [&](const std::string& text, std::string_view option, TermId& out) -> std::optional<Error> {
    const Parsed parsed = parse(text, names, property.expression);
    out = parsed.condition;
    if (parsed.ok) return std::nullopt;
    return Error{std::string(option) + ": " + show(text, parsed.complaint)};
  };
  TermStore& terms = property.expression.terms;
  TermId target;
  if (auto error = condition(statement.text, name_of(statement.kind), target)) return *error;
  if (statement.kind == Kind::kAlways) target = terms.negation(target);
  if (!statement.when.empty()) {
    TermId when;
    if (auto error = condition(statement.when, "when", when)) return *error;
    target = terms.make(TermKind::kAnd, when, target);
  }
  property.target = target;
  return property;
}

namespace {

constexpr std::size_t kMostAlternatives = 32;

// Conjunctions that together make up `condition`, or its negation.
std::vector<TermId> disjuncts(TermStore& terms, TermId condition, bool negated) {
  const Term t = terms[condition];
  if (t.width != 1) return {condition};
  if (t.kind == TermKind::kNot) return disjuncts(terms, t.a, !negated);
  const bool joins = t.kind == TermKind::kAnd || t.kind == TermKind::kOr;
  if (!joins) return {negated ? terms.negation(condition) : condition};
  std::vector<TermId> left = disjuncts(terms, t.a, negated);
  const std::vector<TermId> right = disjuncts(terms, t.b, negated);
  if ((t.kind == TermKind::kOr) != negated) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
  }
  if (left.size() * right.size() > kMostAlternatives) return {negated ? terms.negation(condition) : condition};
  std::vector<TermId> both;
  for (const TermId a : left)
    for (const TermId b : right) both.push_back(terms.make(TermKind::kAnd, a, b));
  return both;
}

}  // namespace

std::vector<TermId> alternatives(TermStore& terms, TermId condition) {
  std::vector<TermId> found = disjuncts(terms, condition, false);
  if (found.size() > kMostAlternatives) return {condition};
  std::erase_if(found, [&](TermId t) { return terms.is_constant(t) && terms[t].value == 0; });
  return found;
}

TermId substitute(const Expression& expression, TermId condition, const std::vector<AtomValue>& values,
                  TermStore& into) {
  const TermStore& from = expression.terms;
  std::unordered_map<std::uint32_t, TermId> done;
  std::vector<TermId> stack{condition};
  const auto is_done = [&](TermId t) { return t == kNoTerm || done.contains(t.value); };
  while (!stack.empty()) {
    const TermId id = stack.back();
    const Term& t = from[id];
    if (t.kind == TermKind::kConst) {
      done[id.value] = into.constant(t.width, t.value);
    } else if (t.kind == TermKind::kInput) {
      const AtomValue& v = values[static_cast<std::size_t>(t.value)];
      done[id.value] = v.term == kNoTerm              ? into.constant(t.width, v.value)
                       : into.width(v.term) > t.width ? into.extract(v.term, 0, t.width)
                                                      : v.term;
    } else if (!is_done(t.a) || !is_done(t.b) || !is_done(t.c)) {
      for (const TermId operand : {t.a, t.b, t.c})
        if (!is_done(operand)) stack.push_back(operand);
      continue;
    } else if (t.kind == TermKind::kExtract) {
      done[id.value] = into.extract(done[t.a.value], t.low, t.width);
    } else if (t.kind == TermKind::kZext || t.kind == TermKind::kSext) {
      done[id.value] = into.extend(t.kind, done[t.a.value], t.width);
    } else {
      const auto operand = [&](TermId o) { return o == kNoTerm ? kNoTerm : done[o.value]; };
      done[id.value] = into.make(t.kind, operand(t.a), operand(t.b), operand(t.c));
    }
    stack.pop_back();
  }
  return done[condition.value];
}

}  // namespace heddle::property
