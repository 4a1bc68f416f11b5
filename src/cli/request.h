// What the user asked for, after parsing: plain data that the commands work from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/algorithms.h"
#include "property/property.h"
#include "trace/outcome.h"

namespace heddle::cli {

// Exit codes of the command (docs/formats.md).
inline constexpr int kExitNoBug = 0;
inline constexpr int kExitBug = 1;
inline constexpr int kExitInconclusive = 2;
inline constexpr int kExitError = 3;

using Defines = std::map<std::string, std::int64_t>;

// What only native programs have. Values are checked by the option table.
struct NativeRequest {
  std::string races = "report";             // explore, ignore
  std::string isolation = "in-process";     // process
  std::string checkpoints = "on";           // off
  std::string known_steps = "on";           // off
  std::string backend = "fibers";           // threads
  std::string instrument = "pass";          // tsan
  std::optional<std::string> suppressions;  // a file
  std::vector<trace::FailureKind> ignored;  // kinds of findings that are left out
  bool symbolic = false;                    // track inputs in every file
  bool coverage = false;                    // count lines and branches, though nobody asks for a file
  std::string test;
  std::string filter;  // of tests, as GoogleTest's
  bool list_tests = false;
  std::vector<std::string> learnt;  // settings of a saved schedule, and the program they are about
  std::uint64_t learnt_about = 0;
  // After "--": flags for the compiler and, after another "--", arguments of the program. An executable has only
  // arguments.
  std::vector<std::string> flags;
  std::vector<std::string> arguments;
};

// Reports besides the terminal's: files, and annotations.
struct ReportRequest {
  std::optional<std::string> html;
  std::optional<std::string> junit;
  std::optional<std::string> sarif;
  bool github = false;    // also without it where GITHUB_ACTIONS is set, unless quiet
  bool problems = false;  // lines as compilers write them
};

// Inputs of the program (docs/inputs.md).
struct InputRequest {
  bool explore = true;           // else random
  std::uint64_t seed = 0;        // of random inputs
  std::string branches = "dfs";  // which outcome first: random, new-coverage
  std::uint64_t branch_seed = 0;
  bool division = true, bounds = true, overflow = false;  // failures to look for
  std::uint32_t symbolic_reads = 0;                       // elements of arrays that are read as one term
  std::string solver = "staged";  // incremental, scratch: without what stands before the solvers
  std::uint32_t solver_milliseconds = 2000;
  // What a native program is given as inputs, in bytes.
  std::uint32_t arguments = 0, argument_length = 0;
  std::vector<std::pair<std::string, std::uint32_t>> variables;
  std::uint32_t standard_input = 0;
  bool gives_any() const { return arguments > 0 || !variables.empty() || standard_input > 0; }
  std::optional<std::string> tests;     // folder
  std::optional<std::string> coverage;  // file
};

// Questions about global states (docs/properties.md).
struct PropertyRequest {
  std::vector<property::Statement> statements;  // as given, without `when`
  std::string when;                             // for all of them; empty: in every state
  std::string global = "search";                // smt: how an unfolding is asked
};

struct RunRequest {
  std::string program;
  bool keep_executions = false;  // in the result, for who draws them
  Defines defines;
  explore::StrategyOptions strategy;
  bool any_memory = false;  // the program's orders may decide on the memory model, and so on the algorithm
  std::optional<std::uint64_t> max_executions;
  std::optional<double> max_seconds;
  std::optional<double> total_seconds;  // shared among all tests of the program
  std::optional<std::uint32_t> max_steps;
  std::uint32_t spurious = 1;          // wake-ups of a thread that nobody has caused, at most
  std::uint32_t jobs = 1;              // explorers of one search
  std::optional<std::string> journal;  // where the search is kept, to be gone on with
  std::optional<std::string> serve;    // a nats-server, or "local": others join in there
  std::string tls;                     // the folder with the certificates for it
  bool all = false;
  bool relax = false;  // which orders could be weaker
  bool no_minimize = false;
  bool all_details = false;             // a trace for every finding, however many there are
  std::vector<trace::Decision> prefix;  // of `heddle replay --prefix-only`
  NativeRequest native;
  std::optional<std::string> json;  // "-": standard output
  std::optional<std::string> save;
  ReportRequest reports;
  std::optional<std::string> corpus;
  double progress_seconds = 10;  // between plain lines of progress
  InputRequest inputs;
  PropertyRequest properties;
  bool check = false;
  std::string check_words = "";  // of --check=WORDS
  bool stats = false;
  bool quiet = false;
  bool watch = false;                      // and run it again whenever it changes
  std::optional<std::string> settings;     // of the project: a file, or "none"
  std::vector<std::string> from_settings;  // options that are from there
  std::vector<std::string> command_line;   // as it was given
};

// `heddle unfold`: the unfolding of a small model, as a picture.
struct UnfoldRequest {
  std::string program;
  Defines defines;
  bool contextual = false;
  bool model = false;  // the program's Petri net instead
  bool dot = false;    // to standard output
  std::optional<std::string> svg;
  std::optional<std::string> html;
  std::uint64_t max_events = 500;
};

// `heddle compare`: several algorithms on one program.
struct CompareRequest {
  RunRequest run;
  std::vector<explore::Algorithm> algorithms;
  std::optional<std::string> json, csv, html;  // "-": standard output, not for the last
};

// `heddle status`: how a search stands.
struct StatusRequest {
  std::string journal;  // or the address of a nats-server
  std::string tls;
};

// `heddle work`: explorers for a search on another machine.
struct WorkRequest {
  std::string url;
  std::string tls;
  std::uint32_t jobs = 1;
};

struct ReplayRequest {
  std::string schedule;
  std::string program;               // instead of the one that the schedule names, if not empty
  std::optional<std::size_t> steps;  // of the schedule; the rest of it is not used
  bool prefix_only = false;          // explore what can follow
  bool gdb = false;                  // in a debugger
  std::optional<std::string> json;
  ReportRequest reports;
  bool quiet = false;
};

}  // namespace heddle::cli
