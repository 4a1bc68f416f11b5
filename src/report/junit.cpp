#include "report/junit.h"

#include <fmt/format.h>

#include <filesystem>

#include "report/terminal.h"

namespace heddle::report {
namespace {

// Bytes of the UTF-8 sequence at the start of `text`, or 0 if there is no valid one that XML 1.0 may contain.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  const std::size_t length = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead >= 0xf5 || text.size() < length) return 0;
  std::uint32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool forbidden =
      (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff || code > 0x10ffff;
  return overlong || forbidden ? 0 : length;
}

// Text of an element or of an attribute. What XML cannot hold becomes U+FFFD.
std::string xml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    switch (text.front()) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      case '\r':
        out += "&#13;";
        break;
      default:
        out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

std::string lines(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    out += xml(std::string_view(text).substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out;
}

std::string headline(const explore::ExploreResult& r, const trace::Describer& describer) {
  const trace::Failure& f = r.findings.front().failure;
  const std::string where = describer.position(f.where);
  const std::string message = f.message.substr(0, f.message.find('\n'));  // a stack may follow
  std::string text =
      std::string(trace::name_of(f.kind)) + ": " + message + (where.empty() ? "" : " at " + where);
  if (r.findings.size() > 1) text += fmt::format(" (and {} more)", r.findings.size() - 1);
  return text;
}

// The body of the case: empty if all is well.
std::string complaint(const explore::ExploreResult& r, const trace::Describer& describer) {
  switch (r.verdict) {
    case explore::Verdict::kNoBug:
      if (r.exhausted) return {};
      break;
    case explore::Verdict::kInconclusive:
      break;
    case explore::Verdict::kBug: {
      const std::string kind = trace::name_of(r.findings.front().failure.kind);
      return fmt::format("      <failure type=\"{}\" message=\"{}\">\n{}</failure>\n", xml(kind),
                         xml(headline(r, describer)), lines(terminal_report(r, describer, {})));
    }
  }
  return fmt::format("      <error type=\"inconclusive\" message=\"{}\"></error>\n", xml(r.reason));
}

std::string counts(std::size_t tests, std::size_t failures, std::size_t errors, double seconds) {
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", tests, failures, errors, seconds);
}

std::string property(const std::string& name, const std::string& value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml(value));
}

}  // namespace

JunitSuite junit_suite(const explore::ExploreResult& r, const trace::Describer& describer,
                       const trace::SavedSchedule& origin, const std::string& test) {
  const bool bug = r.verdict == explore::Verdict::kBug;
  const bool inconclusive = !bug && !(r.verdict == explore::Verdict::kNoBug && r.exhausted);
  JunitSuite suite{{}, bug ? 1u : 0u, inconclusive ? 1u : 0u, r.seconds};
  const std::string name = test.empty() ? std::filesystem::path(origin.program).stem().string() : test;
  const std::string classname = test.empty() ? "heddle" : "heddle." + std::filesystem::path(origin.program).stem().string();
  suite.text = fmt::format("  <testsuite name=\"{}\" {} skipped=\"0\">\n    <properties>\n",
                           xml(origin.program + (test.empty() ? "" : " " + test)),
                           counts(1, suite.failures, suite.errors, r.seconds));
  suite.text += property("verdict", explore::name_of(r.verdict)) +
                property("exhausted", r.exhausted ? "true" : "false") + property("algorithm", r.algorithm) +
                property("executions", std::to_string(r.executions)) + property("classes", std::to_string(r.classes));
  suite.text += fmt::format("    </properties>\n    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\">\n{}", xml(name),
                            xml(classname), r.seconds, complaint(r, describer));
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
