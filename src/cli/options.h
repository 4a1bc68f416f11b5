// The one table of options: names, values, defaults and help. Nothing else in Heddle knows an option's name but
// messages that speak of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/request.h"

namespace heddle::cli {

// What is wrong with an option's value, as a phrase after the option's name; empty: nothing.
using Complaint = std::string;
using Take = std::function<Complaint(std::string_view)>;

struct OptionRow {
  const char* name;   // with dashes
  const char* value;  // what follows it in the help; null for a flag
  const char* help;
  const char* group;
  std::variant<bool*, Take, std::string*> target;  // the last: a flag, or --flag=TEXT
  bool repeatable = false;
};

// Options of this group make sense for C and C++ programs only.
inline constexpr const char* kNativeGroup = "C and C++";

// Arguments, environment and standard input that are inputs: N[:LENGTH], NAME[:LENGTH], LENGTH. Also settings of
// schedules.
Complaint take_symbolic_arguments(std::string_view text, InputRequest& out);
Complaint take_symbolic_variable(std::string_view text, InputRequest& out);
Complaint take_symbolic_stdin(std::string_view text, InputRequest& out);
Complaint take_symbolic_reads(std::string_view text, InputRequest& out);

// Names of algorithms with commas between, or "all" for those that end by themselves.
Complaint take_algorithms(std::string_view text, std::vector<explore::Algorithm>& out);

// Rows that write into the request.
std::vector<OptionRow> run_options(RunRequest& request);
std::vector<OptionRow> replay_options(ReplayRequest& request);
std::vector<OptionRow> unfold_options(UnfoldRequest& request);
std::vector<OptionRow> status_options(StatusRequest& request);
std::vector<OptionRow> work_options(WorkRequest& request);
std::vector<OptionRow> compare_options(CompareRequest& request);

}  // namespace heddle::cli
