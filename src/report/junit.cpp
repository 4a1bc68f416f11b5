#include "report/junit.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/xml_text.h"
#include "report/terminal.h"

namespace heddle::report {
namespace {

std::string lines(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    out += xml_text(std::string_view(text).substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out;
}

std::string headline(const explore::ExploreResult& r, const trace::Describer& describer) {
  const trace::Failure& f = r.findings.front().failure;
  const std::string where = describer.position(f.where);
  const std::string message = f.message.substr(0, f.message.find('\n'));  // a stack may follow
  std::string text = std::string(trace::name_of(f.kind)) + ": " + message + (where.empty() ? "" : " at " + where);
  if (r.findings.size() > 1) text += fmt::format(" (and {} more)", r.findings.size() - 1);
  return text;
}

// The body of the case: empty if all is well.
std::string complaint(const explore::ExploreResult& r, const trace::Describer& describer) {
  switch (r.verdict()) {
    case explore::Verdict::kNoBug:
      return {};
    case explore::Verdict::kInconclusive:
      break;
    case explore::Verdict::kBug: {
      const std::string kind = trace::name_of(r.findings.front().failure.kind);
      return fmt::format("      <failure type=\"{}\" message=\"{}\">\n{}</failure>\n", xml_text(kind),
                         xml_text(headline(r, describer)), lines(terminal_report(r, describer, {})));
    }
  }
  return fmt::format("      <error type=\"inconclusive\" message=\"{}\"></error>\n", xml_text(r.reason()));
}

std::string counts(std::size_t tests, std::size_t failures, std::size_t errors, double seconds) {
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", tests, failures, errors, seconds);
}

std::string property(const std::string& name, const std::string& value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml_text(value));
}

}  // namespace

JunitSuite junit_suite(const explore::ExploreResult& r, const trace::Describer& describer,
                       const trace::SavedSchedule& origin, const std::string& test, bool skipped) {
  const bool bug = r.verdict() == explore::Verdict::kBug;
  const bool inconclusive = r.verdict() == explore::Verdict::kInconclusive;
  JunitSuite suite{{}, bug ? 1u : 0u, inconclusive ? 1u : 0u, skipped ? 1u : 0u, r.seconds};
  const std::string name = test.empty() ? std::filesystem::path(origin.program).stem().string() : test;
  const std::string classname =
      test.empty() ? "heddle" : "heddle." + std::filesystem::path(origin.program).stem().string();
  suite.text = fmt::format("  <testsuite name=\"{}\" {} skipped=\"{}\">\n    <properties>\n",
                           xml_text(origin.program + (test.empty() ? "" : " " + test)),
                           counts(1, suite.failures, suite.errors, r.seconds), suite.skipped);
  suite.text += property("verdict", explore::name_of(r.verdict())) +
                property("exhausted", r.exhausted() ? "true" : "false") + property("algorithm", r.algorithm) +
                property("executions", std::to_string(r.executions)) + property("classes", std::to_string(r.classes));
  for (const trace::Assumption& assumption : r.assumptions)
    suite.text += property("assuming", to_text(assumption, describer));
  suite.text +=
      fmt::format("    </properties>\n    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\">\n{}", xml_text(name),
                  xml_text(classname), r.seconds, skipped ? "      <skipped/>\n" : complaint(r, describer));
  suite.text += "    </testcase>\n  </testsuite>\n";
  return suite;
}

std::string junit_document(std::span<const JunitSuite> suites) {
  JunitSuite all;
  for (const JunitSuite& suite : suites) {
    all.text += suite.text;
    all.failures += suite.failures;
    all.errors += suite.errors;
    all.seconds += suite.seconds;
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"heddle\" {}>\n{}</testsuites>\n",
                     counts(suites.size(), all.failures, all.errors, all.seconds), all.text);
}

std::string junit_report(const explore::ExploreResult& result, const trace::Describer& describer,
                         const trace::SavedSchedule& origin) {
  const JunitSuite suite = junit_suite(result, describer, origin);
  return junit_document({&suite, 1});
}

}  // namespace heddle::report
