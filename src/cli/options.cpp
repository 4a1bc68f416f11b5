#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include "base/spelling.h"
#include "cli/properties.h"

namespace heddle::cli {
namespace {

using explore::Algorithm;

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

template <class T>
Complaint take_number(std::string_view text, T& out) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return in_quotes(text) + " is too large";
  if (error != std::errc() || end != text.data() + text.size())
    return in_quotes(text) + " is not a whole number in range";
  out = value;
  return {};
}

template <class T>
Complaint take_number(std::string_view text, std::optional<T>& out) {
  return take_number(text, out.emplace());
}

// A number of seconds, or with its unit: 90, 0.5, 500ms, 90s, 10m, 8h.
Complaint take_seconds(std::string_view text, std::optional<double>& out) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  constexpr std::pair<std::string_view, double> kUnits[] = {{"", 1}, {"s", 1}, {"ms", 0.001}, {"m", 60}, {"h", 3600}};
  const auto known = std::find_if(std::begin(kUnits), std::end(kUnits), [&](const auto& u) { return u.first == unit; });
  if (known != std::end(kUnits)) value *= known->second;
  if (error != std::errc() || known == std::end(kUnits) || !(value >= 0) || value > 1e9)
    return in_quotes(text) + " is not a time; write seconds (90) or a unit (500ms, 90s, 10m, 8h)";
  out = value;
  return {};
}

Complaint take_define(std::string_view text, Defines& out) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == text.npos) return in_quotes(text) + " is not of the form name=value";
  const std::string name(text.substr(0, equals));
  std::int64_t value = 0;
  if (const Complaint c = take_number(text.substr(equals + 1), value); !c.empty()) return c;
  if (const auto known = out.find(name); known != out.end() && known->second != value)
    return in_quotes(text) + " contradicts -D " + name + "=" + std::to_string(known->second);
  out[name] = value;
  return {};
}

Complaint take_algorithm(std::string_view text, Algorithm& out) {
  if (const auto algorithm = explore::algorithm_named(text)) {
    out = *algorithm;
    return {};
  }
  std::vector<std::string_view> names;
  for (const auto& info : explore::algorithms()) names.push_back(info.name);
  const std::string_view meant = nearest(text, names);
  return in_quotes(text) + " is no algorithm" +
         (meant.empty() ? std::string("; `heddle algorithms` lists them") : "; did you mean " + in_quotes(meant) + "?");
}

// One by name, or auto.
Complaint take_algorithm(std::string_view text, explore::StrategyOptions& out) {
  out.automatic = text == explore::automatic().name;
  return out.automatic ? Complaint() : take_algorithm(text, out.algorithm);
}

Complaint take_order(std::string_view text, explore::SearchOrder& out) {
  auto order = explore::parse_order(text);
  if (!order) return order.error().message;
  out = *order;
  return {};
}

Complaint take_folder(std::string_view text, std::string& out) {
  out = text;
  return text.empty() ? "names no folder" : "";
}

Complaint take_text(std::string_view text, std::optional<std::string>& out) {
  if (text.empty()) return "the name is empty";
  out = std::string(text);
  return {};
}

// One of a few words; the first is the default.
Complaint take_spurious(std::string_view text, std::uint32_t& out) {
  if (text == "on" || text == "off") {
    out = text == "on" ? 1 : 0;
    return {};
  }
  return take_number(text, out);
}

Complaint take_word(std::string_view text, std::initializer_list<std::string_view> words, std::string& out) {
  std::string list;
  for (const std::string_view word : words) {
    if (text == word) {
      out = std::string(word);
      return {};
    }
    list += (list.empty() ? "" : ", ") + std::string(word);
  }
  return in_quotes(text) + " is none of " + list;
}

// "word" or "word:SEED".
Complaint take_seeded(std::string_view text, std::string_view word, std::uint64_t& seed) {
  if (text == word) return {};
  return take_number(text.substr(word.size() + 1), seed);
}

bool is_seeded(std::string_view text, std::string_view word) {
  return text == word || (text.starts_with(word) && text.size() > word.size() && text[word.size()] == ':');
}

Complaint take_inputs(std::string_view text, InputRequest& out) {
  if (text == "explore") return {};
  if (!is_seeded(text, "random")) return in_quotes(text) + " is neither explore nor random[:SEED]";
  out.explore = false;
  return take_seeded(text, "random", out.seed);
}

Complaint take_branches(std::string_view text, InputRequest& out) {
  if (is_seeded(text, "random")) {
    out.branches = "random";
    return take_seeded(text, "random", out.branch_seed);
  }
  return take_word(text, {"dfs", "random", "new-coverage"}, out.branches);
}

// Kinds of findings, separated by commas.
Complaint take_ignored(std::string_view text, std::vector<trace::FailureKind>& out) {
  std::vector<std::string_view> names;
  for (std::uint64_t k = 0; k < trace::kFailureKinds; ++k)
    if (const auto kind = static_cast<trace::FailureKind>(k); trace::is_matter_of_taste(kind))
      names.push_back(trace::name_of(kind));
  while (true) {
    const auto comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    const std::optional<trace::FailureKind> kind = trace::failure_named(word);
    if (!kind) {
      const std::string_view meant = nearest(word, names);
      return in_quotes(word) + " is no kind of finding" +
             (meant.empty() ? std::string("; exit-with-threads and exit-code can be left out")
                            : "; did you mean " + in_quotes(meant) + "?");
    }
    if (!trace::is_matter_of_taste(*kind))
      return in_quotes(word) + " is no matter of taste: only exit-with-threads and exit-code can be left out" +
             (*kind == trace::FailureKind::kDataRace ? "; for races there is --suppressions=FILE" : "");
    out.push_back(*kind);
    if (comma == text.npos) return {};
    text = text.substr(comma + 1);
  }
}

void append_reports(std::vector<OptionRow>& rows, ReportRequest& r) {
  constexpr const char* output = "Output";
  const auto file = [](std::optional<std::string>& path) {
    return Take([&path](auto t) { return take_text(t, path); });
  };
  rows.push_back(
      {"--html", "FILE", "Write a page to step through the findings; one file, no network", output, file(r.html)});
  rows.push_back({"--junit", "FILE", "Write the result as JUnit XML", output, file(r.junit)});
  rows.push_back({"--sarif", "FILE", "Write the findings as SARIF 2.1.0", output, file(r.sarif)});
  rows.push_back(
      {"--github", nullptr, "Print annotations for GitHub (default where GITHUB_ACTIONS is set)", output, &r.github});
  rows.push_back({"--problems", nullptr, "Print findings as compilers do, for editors: FILE:LINE:COLUMN: error: TEXT",
                  output, &r.problems});
}

constexpr std::uint32_t kMostArguments = 64;
constexpr std::uint32_t kMostBytes = 4096;
constexpr std::uint32_t kUsualBytes = 8;

Complaint take_length(std::string_view text, std::uint32_t& out) {
  if (Complaint c = take_number(text, out); !c.empty()) return c;
  if (out == 0 || out > kMostBytes)
    return in_quotes(text) + " is not between 1 and " + std::to_string(kMostBytes) + " bytes";
  return {};
}

// What stands before the last ":LENGTH", which may be missing.
Complaint take_optional_length(std::string_view& text, std::uint32_t& length) {
  length = kUsualBytes;
  const auto colon = text.rfind(':');
  if (colon == text.npos) return {};
  const std::string_view number = text.substr(colon + 1);
  text = text.substr(0, colon);
  return take_length(number, length);
}

}  // namespace

Complaint take_symbolic_arguments(std::string_view text, InputRequest& out) {
  if (Complaint c = take_optional_length(text, out.argument_length); !c.empty()) return c;
  if (Complaint c = take_number(text, out.arguments); !c.empty()) return c;
  if (out.arguments == 0 || out.arguments > kMostArguments)
    return in_quotes(text) + " is not between 1 and " + std::to_string(kMostArguments) + " arguments";
  return {};
}

Complaint take_symbolic_variable(std::string_view text, InputRequest& out) {
  const std::string all(text);
  std::uint32_t length = 0;
  if (Complaint c = take_optional_length(text, length); !c.empty()) return c;
  if (text.empty() || text.find('=') != text.npos) return in_quotes(all) + " is not of the form NAME or NAME:LENGTH";
  for (const auto& [name, known] : out.variables)
    if (name == text) return in_quotes(all) + " names a variable that is named already";
  out.variables.emplace_back(text, length);
  return {};
}

Complaint take_symbolic_stdin(std::string_view text, InputRequest& out) {
  return take_length(text, out.standard_input);
}

Complaint take_symbolic_reads(std::string_view text, InputRequest& out) {
  constexpr std::uint32_t kMostElements = 65'536;
  if (Complaint c = take_number(text, out.symbolic_reads); !c.empty()) return c;
  if (out.symbolic_reads > kMostElements)
    return in_quotes(text) + " is more than " + std::to_string(kMostElements) + " elements";
  return {};
}

// Names with commas between, or all.
Complaint take_algorithms(std::string_view text, std::vector<Algorithm>& out) {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word == "all") {
      for (std::size_t i = 0; i < explore::algorithms().size(); ++i) {
        explore::StrategyOptions options;
        options.algorithm = static_cast<Algorithm>(i);
        if (guarantee_of(options) != explore::Guarantee::kSample) out.push_back(options.algorithm);
      }
      continue;
    }
    Algorithm algorithm{};
    if (Complaint c = take_algorithm(word, algorithm); !c.empty()) return c;
    out.push_back(algorithm);
  }
  return {};
}

std::vector<OptionRow> run_options(RunRequest& r) {
  const auto& s = [&r]() -> explore::StrategyOptions& { return r.strategy; };
  constexpr const char* program = "Program";
  constexpr const char* search = "Search";
  constexpr const char* budget = "Budgets";
  constexpr const char* native = kNativeGroup;
  constexpr const char* output = "Output";
  std::vector<OptionRow> rows = {
      {"-D", "NAME=VALUE", "Set a named constant of the model", program,
       Take([&r](auto t) { return take_define(t, r.defines); }), true},
      {"--algorithm", "NAME", "How to explore (see `heddle algorithms`); default auto", search,
       Take([s](auto t) { return take_algorithm(t, s()); })},
      {"--sleep-sets", nullptr, "Never explore two complete executions of one class", search, &r.strategy.sleep_sets},
      {"--order", "ORDER[:SEED]",
       "Which sibling first: dfs, bit-reversal, round-robin, stride, conflict-first; default dfs", search,
       Take([s](auto t) { return take_order(t, s().order); })},
      {"--preemptions", "K", "Only classes with a member of at most K pre-emptions", search,
       Take([s](auto t) { return take_number(t, s().preemptions); })},
      {"--match", "WHAT",
       "Which states of a model are one to stateful algorithms: with variables of one origin (origins) or of one value "
       "(values); default origins",
       search, Take([&r](auto t) {
         std::string word;
         Complaint c = take_word(t, {"origins", "values"}, word);
         r.strategy.match_values = word == "values";
         return c;
       })},
      {"--memory", "MODEL",
       "Memory model: sc, tso or c++20; default c++20 where the program has orders weaker than seq_cst, otherwise sc",
       search, Take([s](auto t) {
         std::string word;
         Complaint c = take_word(t, {"sc", "tso", "c++20"}, word);
         if (c.empty()) s().memory = trace::memory_model_named(word);
         return c;
       })},
      {"--relax", nullptr,
       "Say which memory orders could be weaker without a failure in this test; only if it has none (c++20)", search,
       &r.relax},
      {"--spurious", "N",
       "Spurious wake-ups of one thread in one execution, at most: a number, on (1) or off (0); default on", search,
       Take([&r](auto t) { return take_spurious(t, r.spurious); })},
      {"--seed", "N", "Seed of sampling and of input(); default 0", search,
       Take([s](auto t) { return take_number(t, s().seed); })},
      {"--pct-depth", "D", "Bug depth that pct aims at; default 3", search,
       Take([s](auto t) { return take_number(t, s().pct_depth); })},
      {"--max-executions", "N", "Stop after N executions; default none (10000 when sampling)", budget,
       Take([&r](auto t) { return take_number(t, r.max_executions); })},
      {"--max-seconds", "TIME", "Stop after TIME: seconds, or 500ms, 90s, 10m, 8h", budget,
       Take([&r](auto t) { return take_seconds(t, r.max_seconds); })},
      {"--total-seconds", "TIME", "Share TIME among all tests of the program", budget,
       Take([&r](auto t) { return take_seconds(t, r.total_seconds); })},
      {"--max-steps", "N", "Cut an execution when a thread has done N steps", budget,
       Take([&r](auto t) { return take_number(t, r.max_steps); })},
      {"-j", "N", "Explore by N explorers at once; default 1", budget,
       Take([&r](auto t) { return take_number(t, r.jobs); })},
      {"--journal", "FILE", "Keep the search in FILE; the same command goes on with it, whatever was killed", budget,
       Take([&r](auto t) { return take_text(t, r.journal); })},
      {"--serve", "SERVER",
       "Let explorers on other machines join in (heddle work): nats://HOST:PORT, or local, which starts a server on "
       "this "
       "machine",
       budget, Take([&r](auto t) { return take_text(t, r.serve); })},
      {"--tls", "FOLDER", "Certificates for the server of --serve (scripts/team-certificates)", budget,
       Take([&r](auto t) { return take_folder(t, r.tls); })},
      {"--all", nullptr, "Go on after the first bug", budget, &r.all},
      {"--no-minimize", nullptr, "Show each bug by the execution that was found, not by its shortest one", output,
       &r.no_minimize},
      {"--all-details", nullptr, "Show a trace for every bug; default for the first three, and a line for each", output,
       &r.all_details},
      {"--races", "MODE",
       "Data races: report (a finding, explored from then on), explore (no finding, every shared access is a step), "
       "ignore; default report",
       native, Take([&r](auto t) { return take_word(t, {"report", "explore", "ignore"}, r.native.races); })},
      {"--suppressions", "FILE", "Leave out the data races that this file names: race:PATTERN, race_top:PATTERN",
       native, Take([&r](auto t) { return take_text(t, r.native.suppressions); })},
      {"--ignore", "KINDS", "Leave out findings of these kinds: exit-with-threads, exit-code", native,
       Take([&r](auto t) { return take_ignored(t, r.native.ignored); })},
      {"--isolation", "MODE", "in-process (the world is rewound) or process (a fork each); default in-process", native,
       Take([&r](auto t) { return take_word(t, {"in-process", "process"}, r.native.isolation); })},
      {"--checkpoints", "MODE",
       "on (begin at a state that the execution before passed, if that pays) or off; default on", native,
       Take([&r](auto t) { return take_word(t, {"on", "off"}, r.native.checkpoints); })},
      {"--known-steps", "MODE", "on (a step that is known to lead to the same is not run again) or off; default on",
       native, Take([&r](auto t) { return take_word(t, {"on", "off"}, r.native.known_steps); })},
      {"--backend", "KIND",
       "What the program's threads are: fibers, or threads (of the kernel, as a debugger sees them; a fork each); "
       "default fibers",
       native, Take([&r](auto t) { return take_word(t, {"fibers", "threads"}, r.native.backend); })},
      {"--instrument", "ROUTE",
       "Instrument a source by Heddle's pass or by -fsanitize=thread: pass, tsan; default pass", native,
       Take([&r](auto t) { return take_word(t, {"pass", "tsan"}, r.native.instrument); })},
      {"--symbolic", nullptr, "Track inputs in every file of a source, not only where it asks for inputs", native,
       &r.native.symbolic},
      {"--symbolic-args", "N[:LENGTH]", "N more arguments whose LENGTH bytes are inputs; LENGTH 8 unless given", native,
       Take([&r](auto t) { return take_symbolic_arguments(t, r.inputs); })},
      {"--symbolic-env", "NAME[:LENGTH]",
       "The LENGTH bytes of this environment variable are inputs; LENGTH 8 unless given", native,
       Take([&r](auto t) { return take_symbolic_variable(t, r.inputs); }), true},
      {"--symbolic-stdin", "LENGTH", "Standard input is LENGTH bytes that are inputs", native,
       Take([&r](auto t) { return take_symbolic_stdin(t, r.inputs); })},
      {"--test", "NAME", "Explore only this test of the program (HEDDLE_TEST, GoogleTest)", native, Take([&r](auto t) {
         r.native.test = std::string(t);
         return Complaint();
       })},
      {"--filter", "PATTERNS", "Explore the tests that match, each on its own: A*:B.?-C*, as GoogleTest has it", native,
       Take([&r](auto t) {
         r.native.filter = std::string(t);
         return Complaint();
       })},
      {"--list-tests", nullptr, "Print the names of the program's tests and end", native, &r.native.list_tests},
      {"--json", "FILE", "Write the result as JSON; - is standard output", output,
       Take([&r](auto t) { return take_text(t, r.json); })},
      {"--save", "FILE", "Write the first bug's schedule, for `heddle replay`", output,
       Take([&r](auto t) { return take_text(t, r.save); })},
      {"--corpus", "DIR",
       "Run the schedules kept there for this program first; keep those that fail, and their near misses", output,
       Take([&r](auto t) { return take_text(t, r.corpus); })},
      {"--progress", "SECONDS", "Between lines of progress where standard error is no terminal; 0: none; default 10",
       output, Take([&r](auto t) {
         std::optional<double> seconds;
         Complaint c = take_seconds(t, seconds);
         if (seconds) r.progress_seconds = *seconds;
         return c;
       })},
      {"--check", nullptr,
       "Check Heddle itself on the way (slow). --check=LIST: failures that inputs might bring about, of div, "
       "bounds, overflow, none; default div,bounds",
       output, &r.check_words},
      {"--inputs", "HOW", "Inputs of the program: explore, or random[:SEED]; default explore", program,
       Take([&r](auto t) { return take_inputs(t, r.inputs); })},
      {"--branches", "ORDER",
       "Which outcome of a branch on inputs first: dfs, random[:SEED], new-coverage; default dfs", search,
       Take([&r](auto t) { return take_branches(t, r.inputs); })},
      {"--symbolic-reads", "N",
       "Read arrays of up to N elements at an index that depends on inputs as one term, not index by index; default 0",
       search, Take([&r](auto t) { return take_symbolic_reads(t, r.inputs); })},
      {"--solver", "HOW",
       "Who answers questions about inputs: staged (shortcuts, then solvers), incremental (CaDiCaL, then Z3), scratch "
       "(a "
       "fresh Z3 each); default staged",
       search, Take([&r](auto t) { return take_word(t, {"staged", "incremental", "scratch"}, r.inputs.solver); })},
      {"--solver-limit", "MS", "Milliseconds per question to the constraint solvers; default 2000", budget,
       Take([&r](auto t) {
         const Complaint c = take_number(t, r.inputs.solver_milliseconds);
         return c.empty() && r.inputs.solver_milliseconds == 0 ? Complaint("must be at least 1") : c;
       })},
      {"--tests", "DIR", "Write one schedule with its inputs per explored class into DIR", output,
       Take([&r](auto t) { return take_text(t, r.inputs.tests); })},
      {"--coverage", "FILE", "Write line and branch coverage of all executions in lcov's format", output,
       Take([&r](auto t) { return take_text(t, r.inputs.coverage); })},
      {"--settings", "FILE", "The project's settings; none: do without; default heddle.toml in this folder or above",
       program, Take([&r](auto t) { return take_text(t, r.settings); })},
      {"--watch", nullptr, "Explore it again whenever a source or the executable changes, until Ctrl-C", program,
       &r.watch},
      {"--stats", nullptr, "Print tables of statistics at the end", output, &r.stats},
      {"--quiet", nullptr, "Print nothing; the exit code tells", output, &r.quiet},
  };
  append_property_options(rows, r.properties);
  append_reports(rows, r.reports);
  return rows;
}

std::vector<OptionRow> unfold_options(UnfoldRequest& r) {
  return {
      {"-D", "NAME=VALUE", "Set a named constant of the model", "Program",
       Take([&r](auto t) { return take_define(t, r.defines); }), true},
      {"--contextual", nullptr, "With read arcs; default with a copy of every shared variable per thread", "Program",
       &r.contextual},
      {"--model", nullptr, "Draw the Petri net of the program, which stateful algorithms learn, instead", "Program",
       &r.model},
      {"--max-events", "N", "Refuse to draw more than N events or transitions; default 500", "Program",
       Take([&r](auto t) { return take_number(t, r.max_events); })},
      {"--dot", nullptr, "Print the net for Graphviz", "Output", &r.dot},
      {"--svg", "FILE", "Write the net as a drawing", "Output", Take([&r](auto t) { return take_text(t, r.svg); })},
      {"--html", "FILE", "Write a page that holds the drawing", "Output",
       Take([&r](auto t) { return take_text(t, r.html); })},
  };
}

std::vector<OptionRow> status_options(StatusRequest& r) {
  return {{"--tls", "FOLDER", "Certificates for the server (scripts/team-certificates)", "Search",
           Take([&r](auto t) { return take_folder(t, r.tls); })}};
}

std::vector<OptionRow> work_options(WorkRequest& r) {
  return {{"-j", "N", "Explore by N explorers at once; default 1", "Search",
           Take([&r](auto t) { return take_number(t, r.jobs); })},
          {"--tls", "FOLDER", "Certificates for the server (scripts/team-certificates)", "Search",
           Take([&r](auto t) { return take_folder(t, r.tls); })}};
}

std::vector<OptionRow> compare_options(CompareRequest& r) {
  std::vector<OptionRow> rows;
  const std::string_view kept[] = {"-D",      "--spurious",       "--seed",        "--inputs",    "--races",
                                   "--test",  "--max-executions", "--max-seconds", "--max-steps", "--reachable",
                                   "--never", "--always",         "--when"};
  for (OptionRow& row : run_options(r.run))
    if (std::find(std::begin(kept), std::end(kept), row.name) != std::end(kept)) rows.push_back(std::move(row));
  rows.push_back({"--algorithms", "LIST",
                  "Names with commas between (see `heddle algorithms`), or all; default all that end by themselves",
                  "Search", Take([&r](auto t) { return take_algorithms(t, r.algorithms); })});
  rows.push_back({"--json", "FILE", "Write the table as JSON; - is standard output", "Output",
                  Take([&r](auto t) { return take_text(t, r.json); })});
  rows.push_back({"--csv", "FILE", "Write the table as comma-separated values; - is standard output", "Output",
                  Take([&r](auto t) { return take_text(t, r.csv); })});
  rows.push_back(
      {"--html", "FILE", "Write a page with the table", "Output", Take([&r](auto t) { return take_text(t, r.html); })});
  return rows;
}

std::vector<OptionRow> replay_options(ReplayRequest& r) {
  constexpr const char* replay = "Replay";
  std::vector<OptionRow> rows = {
      {"--steps", "N", "Use only the first N steps of the schedule", replay,
       Take([&r](auto t) { return take_number(t, r.steps); })},
      {"--prefix-only", nullptr, "Explore everything that can follow the schedule's steps", replay, &r.prefix_only},
      {"--gdb", nullptr, "Follow the schedule of a C or C++ program in gdb, stopped at the failure", replay, &r.gdb},
      {"--json", "FILE", "Write the result as JSON; - is standard output", "Output",
       Take([&r](auto t) { return take_text(t, r.json); })},
      {"--quiet", nullptr, "Print nothing; the exit code tells", "Output", &r.quiet},
  };
  append_reports(rows, r.reports);
  return rows;
}

}  // namespace heddle::cli
