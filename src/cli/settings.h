// heddle.toml: what a project wants of every run, and of some of its tests (docs/settings.md).
//
//   [run]                      every program
//   max-seconds = "5m"
//   ignore = ["exit-code"]
//
//   [test."Queue.*"]           tests with such names, as in --filter
//   max-seconds = "30s"
//
// Keys are options of `heddle run`, and settings are nothing but words put before those of the command line, which wins
// option by option: so a setting can mean nothing else than its option does, and is checked and complained about alike.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/options.h"

namespace heddle::cli {

// The words of an option: "--all", "--max-seconds=30s".
struct Setting {
  std::string option;
  std::vector<std::string> words;
};

struct Settings {
  std::string file;
  std::vector<Setting> run;
  std::vector<std::pair<std::string, std::vector<Setting>>> tests;  // by pattern, in the file's order
};

// The file for whoever works in this folder: there or above, up to the root of its repository.
std::optional<std::string> find_settings(const std::string& folder);
// Files that settings name are relative to the file's own folder. `rows`: the options there are.
Result<Settings> read_settings(const std::string& file, const std::vector<OptionRow>& rows);

// The words of those settings that the command line leaves open, for a run of `test` (if not empty). The last of
// several that match counts. Options that only C and C++ programs have are left out for models.
std::vector<std::string> words_of(const Settings& settings, const std::vector<std::string>& command_line,
                                  const std::string& test, const std::vector<OptionRow>& rows);

}  // namespace heddle::cli
