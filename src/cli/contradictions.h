// What does not go together on a command line, and is refused before anything runs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/options.h"

namespace heddle::cli {

// Has this option been given, by its name?
using Given = std::function<bool(const char* option)>;

// Options that do not fit the kind of program. Models are known by their name; everything else is native.
std::optional<Error> misplaced(const RunRequest& r, const Given& given, const std::vector<OptionRow>& rows);

// Every file is written by one option, standard output only by --json, and what is read is not written over.
using NamedFile = std::pair<const char*, std::optional<std::string>>;
std::optional<Error> clashing_files(const std::string& read, std::vector<NamedFile> files,
                                    const ReportRequest& reports);

// --when without a property that it could speak of.
std::optional<Error> when_alone(const RunRequest& r);

// Contradictions that only the command line can see; make_strategy knows those among algorithms and modifiers.
std::optional<Error> contradiction(const RunRequest& r, const Given& given);

}  // namespace heddle::cli
