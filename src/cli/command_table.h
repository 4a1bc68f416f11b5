// Every command with its words: the one source of help texts, man pages and shell completions. Options come from the
// table in options.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

namespace heddle::cli {

struct Example {
  std::string_view command;
  std::string_view meaning;
};

struct CommandRow {
  std::string_view name;
  std::string_view operand;  // what follows it: "PROGRAM", or empty
  std::string_view rest;     // what follows the options: "[-- FLAGS... [-- ARGUMENTS...]]", or empty
  std::string_view files;    // endings of files it takes, for completion: "hed c cc cpp cxx"
  std::string_view words;    // words it takes instead: "bash zsh fish"
  std::string_view summary;
  std::string_view description;
  std::vector<Example> examples;
};

std::span<const CommandRow> commands();
const CommandRow* command_named(std::string_view name);

// What options are parsed into.
struct OptionTargets {
  RunRequest run;
  ReplayRequest replay;
  UnfoldRequest unfold;
  CompareRequest compare;
};
// Rows of a command's options, those of a group together; none for a command without any. They write into `targets`.
std::vector<OptionRow> options_of(std::string_view command, OptionTargets& targets);

// Words that an option takes, where they are few: algorithms, orders, modes. For completion.
std::vector<std::string_view> values_of(std::string_view option);

// The examples of a command, as the end of its help text.
std::string examples_text(const CommandRow& command);

}  // namespace heddle::cli
