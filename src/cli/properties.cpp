#include "cli/properties.h"

#include <algorithm>

#include "explore/minimize.h"

namespace heddle::cli {
namespace {

using property::Kind;
using property::Statement;

// One line: schedules have a line per setting.
Complaint take_condition(std::string_view text, std::string& out) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) return "the condition is empty";
  out = std::string(text);
  std::replace_if(out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return {};
}

Complaint take_statement(std::string_view text, Kind kind, PropertyRequest& request) {
  Statement statement{kind, {}, {}, 0};
  if (Complaint c = take_condition(text, statement.text); !c.empty()) return c;
  request.statements.push_back(std::move(statement));
  return {};
}

}  // namespace

void append_property_options(std::vector<OptionRow>& rows, PropertyRequest& r) {
  constexpr const char* properties = "Properties of global states";
  const auto statement = [&r](Kind kind) { return Take([&r, kind](auto t) { return take_statement(t, kind, r); }); };
  rows.push_back({"--reachable", "CONDITION", "Is there a state in which it holds? Shows an execution that passes it",
                  properties, statement(Kind::kReachable), true});
  rows.push_back(
      {"--never", "CONDITION", "A state in which it holds is a bug", properties, statement(Kind::kNever), true});
  rows.push_back({"--always", "CONDITION", "A state in which it does not hold is a bug", properties,
                  statement(Kind::kAlways), true});
  rows.push_back({"--when", "CONDITION", "Look only at states in which this holds, too", properties,
                  Take([&r](auto t) { return take_condition(t, r.when); })});
  rows.push_back({"--global", "HOW",
                  "How an unfolding is asked: search, or smt (a formula for a constraint solver); default search",
                  properties, Take([&r](auto t) {
                    if (t != "search" && t != "smt") return "\"" + std::string(t) + "\" is neither search nor smt";
                    r.global = std::string(t);
                    return Complaint();
                  })});
}

std::vector<Statement> statements_of(const PropertyRequest& request) {
  std::vector<Statement> statements = request.statements;
  for (Statement& s : statements) s.when = request.when;
  return statements;
}

void append_settings(const PropertyRequest& request, std::vector<std::string>& settings) {
  for (const Statement& s : request.statements)
    settings.push_back(std::string(property::name_of(s.kind)) + "=" + s.text);
  if (!request.when.empty()) settings.push_back("when=" + request.when);
}

bool take_setting(const std::string& setting, PropertyRequest& request) {
  const auto equals = setting.find('=');
  if (equals == setting.npos) return false;
  const std::string name = setting.substr(0, equals), text = setting.substr(equals + 1);
  if (name == "when") {
    request.when = text;
    return true;
  }
  for (const Kind kind : {Kind::kReachable, Kind::kNever, Kind::kAlways})
    if (name == property::name_of(kind)) {
      request.statements.push_back({kind, text, {}, 0});
      return true;
    }
  return false;
}

void answer(const std::vector<Statement>& statements, explore::ExploreResult& result) {
  for (const Statement& s : statements) {
    const trace::Failure wanted = property::failure_of(s, 0);
    const bool found = std::any_of(result.findings.begin(), result.findings.end(),
                                   [&](const auto& f) { return explore::same_failure(f.failure, wanted); });
    const bool asked = s.kind == Kind::kReachable;
    std::string text = found                ? (asked ? "reachable" : "violated")
                       : result.exhausted() ? (asked ? "unreachable" : "holds in every reachable state")
                                            : "not decided";
    result.properties.push_back(
        {property::name_of(s.kind), s.text + (s.when.empty() ? "" : " when " + s.when), std::move(text)});
  }
}

}  // namespace heddle::cli
