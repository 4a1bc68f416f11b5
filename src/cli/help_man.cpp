// Manual pages. In man(7) a backslash, and a dot or apostrophe at the start of a line, mean something: escaped here.
#include "base/spelling.h"
#include "cli/command_table.h"
#include "cli/help.h"
#include "native/wrapper/options.h"

namespace heddle::cli {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string section(std::string_view title) { return ".SH " + std::string(title) + "\n"; }

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

std::string head(std::string_view page, std::string_view summary) {
  return ".TH " + upper(page) + " 1 \"\" \"heddle " HEDDLE_VERSION "\" \"User Commands\"\n" + section("NAME") +
         escaped(page) + " \\- " + escaped(summary) + "\n";
}

std::string option_entry(const OptionRow& row) {
  std::string name = "\\fB" + escaped(row.name) + "\\fR";
  if (row.value != nullptr)
    name +=
        (std::string_view(row.name).starts_with("--") ? "=" : " ") + std::string("\\fI") + escaped(row.value) + "\\fR";
  return ".TP\n" + name + "\n" + escaped(row.help) + "\n";
}

std::string options_section(std::string_view command) {
  OptionTargets targets;
  std::string out, group;
  for (const OptionRow& row : options_of(command, targets)) {
    if (out.empty()) out = section("OPTIONS");
    if (group != row.group) out += ".SS " + escaped(row.group) + "\n";
    group = row.group;
    out += option_entry(row);
  }
  return out;
}

constexpr std::string_view kExitStatus =
    ".TP\n0\nno bug, and everything within the stated bounds was explored\n"
    ".TP\n1\na bug was found\n"
    ".TP\n2\ninconclusive: no bug, but not everything was explored\n"
    ".TP\n3\nusage or environment error\n";

std::string command_page(const CommandRow& command) {
  const std::string name = "heddle-" + std::string(command.name);
  std::string out = head(name, command.summary) + section("SYNOPSIS");
  out += "\\fBheddle " + escaped(command.name) + "\\fR \\fI" + escaped(command.operand) + "\\fR [\\fIoption\\fR...]";
  if (!command.rest.empty()) out += " " + escaped(command.rest);
  out += "\n" + section("DESCRIPTION") + escaped(command.description) + "\n" + options_section(command.name);
  out += section("EXIT STATUS") + std::string(kExitStatus);
  if (!command.examples.empty()) out += section("EXAMPLES");
  for (const Example& e : command.examples)
    out += ".TP\n\\fB" + escaped(e.command) + "\\fR\n" + escaped(e.meaning) + "\n";
  return out + section("SEE ALSO") + "\\fBheddle\\fR(1)\n";
}

std::string overview_page() {
  std::string out = head("heddle", "systematic tester for multithreaded programs") + section("SYNOPSIS");
  out += "\\fBheddle\\fR \\fIcommand\\fR [\\fIargument\\fR...]\n" + section("DESCRIPTION");
  out += "Runs a multithreaded program along every meaningfully different interleaving. What it finds it can replay.\n";
  out += section("COMMANDS");
  for (const CommandRow& c : commands())
    out += ".TP\n\\fB" + escaped(c.name) + "\\fR \\fI" + escaped(c.operand) + "\\fR\n" + escaped(c.summary) + "\n";
  out += section("EXIT STATUS") + std::string(kExitStatus) + section("SEE ALSO");
  return out +
         "\\fBheddle\\-run\\fR(1), \\fBheddle\\-replay\\fR(1), \\fBheddle\\-unfold\\fR(1), "
         "\\fBheddle\\-compare\\fR(1), "
         "\\fBheddle\\-cc\\fR(1)\n";
}

std::string compiler_page() {
  std::string out = head("heddle-cc", "compile C and C++ programs for heddle run") + section("SYNOPSIS");
  out += "\\fBheddle\\-cc\\fR [\\fIoption\\fR...] \\fIfile\\fR...\n.br\n";
  out += "\\fBheddle\\-c++\\fR [\\fIoption\\fR...] \\fIfile\\fR...\n" + section("DESCRIPTION");
  out += escaped(wrapper::kSummary) + " " + escaped(wrapper::kDescription) + "\n" + section("OPTIONS");
  for (const wrapper::Option& option : wrapper::kOptions)
    out += ".TP\n\\fB" + escaped(option.name) + "\\fR\n" + escaped(option.help) + "\n";
  out += section("ENVIRONMENT") + ".TP\n\\fBHEDDLE_CC\\fR, \\fBHEDDLE_CXX\\fR\n";
  out += "the compilers underneath; a launcher may stand in front (\\fBccache clang\\-19\\fR)\n";
  out += section("EXIT STATUS") + "The compiler's; 3 for bad usage of the options above.\n" + section("EXAMPLES");
  out += ".TP\n\\fBcmake \\-B build \\-DCMAKE_CXX_COMPILER=heddle\\-c++ && cmake \\-\\-build build\\fR\n";
  out += "a project whose tests \\fBheddle run\\fR can explore\n";
  return out + section("SEE ALSO") + "\\fBheddle\\-run\\fR(1)\n";
}

}  // namespace

Result<std::string> manual_page(std::string_view command) {
  if (command.empty()) return overview_page();
  if (command == "heddle-cc" || command == "heddle-c++") return compiler_page();
  if (const CommandRow* row = command_named(command)) return command_page(*row);
  std::vector<std::string_view> names;
  for (const CommandRow& row : commands()) names.push_back(row.name);
  names.insert(names.end(), {"heddle-cc", "heddle-c++"});
  const std::string_view meant = nearest(command, names);
  return Error{"there is no command \"" + std::string(command) + "\"" +
               (meant.empty() ? "; `heddle help` lists them" : "; did you mean " + std::string(meant) + "?")};
}

}  // namespace heddle::cli
