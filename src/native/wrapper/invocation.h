// What a compiler command line asks for, as far as the wrapper has to know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::wrapper {

enum class Instrument : std::uint8_t { kPass, kTsan };

enum class LastPhase : std::uint8_t {
  kNothing,     // no inputs: --version, -print-search-dirs, ...
  kPreprocess,  // -E, -M, -MM
  kCompile,     // -c, -S, -fsyntax-only, precompiled headers
  kLink,
};

enum class LinkKind : std::uint8_t { kExecutable, kShared, kRelocatable };

struct Input {
  std::string path;
  std::string language;    // of the -x in force, or empty
  bool is_source = false;  // goes through the compiler proper
};

struct Invocation {
  // The user's arguments without Heddle's own (--heddle-...). Response files stay references unless one of them held
  // such an option.
  std::vector<std::string> arguments;
  std::vector<Input> inputs;
  LastPhase last_phase = LastPhase::kNothing;
  LinkKind link_kind = LinkKind::kExecutable;
  Instrument instrument = Instrument::kPass;
  std::string symbolic;            // of --heddle-symbolic=, or empty
  bool coverage = false;           // --heddle-coverage
  std::string output;              // of -o, or empty
  bool debug_info_chosen = false;  // some -g flag is there, be it -g0
  bool assertions_chosen = false;  // -D or -U_GLIBCXX_ASSERTIONS
  bool dependencies = false;       // -MD or -MMD
  bool dependency_file = false;    // -MF
  bool dry_run = false;            // --heddle-dry-run
  bool help = false;               // --heddle-help

  bool compiles() const {
    for (const Input& input : inputs)
      if (input.is_source) return true;
    return false;
  }
};

Result<Invocation> parse_invocation(const std::vector<std::string>& arguments);

// Whether the option is followed by its value as an argument of its own.
bool takes_value(const std::string& option);

}  // namespace heddle::wrapper
