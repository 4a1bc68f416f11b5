#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>


namespace heddle::cli {
namespace {

using explore::Algorithm;

// What is wrong with an option's value, as a phrase after the option's name; empty: nothing.
using Complaint = std::string;

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

template <class T>
Complaint take_number(std::string_view text, T& out) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return quoted(text) + " is too large";
  if (error != std::errc() || end != text.data() + text.size()) return quoted(text) + " is not a whole number in range";
  out = value;
  return {};
}

template <class T>
Complaint take_number(std::string_view text, std::optional<T>& out) {
  return take_number(text, out.emplace());
}

Complaint take_seconds(std::string_view text, std::optional<double>& out) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || value > 1e9)
    return quoted(text) + " is not a number of seconds";
  out = value;
  return {};
}

Complaint take_define(std::string_view text, Defines& out) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == text.npos) return quoted(text) + " is not of the form name=value";
  const std::string name(text.substr(0, equals));
  std::int64_t value = 0;
  if (const Complaint c = take_number(text.substr(equals + 1), value); !c.empty()) return c;
  if (const auto known = out.find(name); known != out.end() && known->second != value)
    return quoted(text) + " contradicts -D " + name + "=" + std::to_string(known->second);
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
  return quoted(text) + " is no algorithm" +
         (meant.empty() ? std::string("; `heddle algorithms` lists them")
                        : "; did you mean " + quoted(meant) + "?");
}

Complaint take_order(std::string_view text, explore::SearchOrder& out) {
  auto order = explore::parse_order(text);
  if (!order) return order.error().message;
  out = *order;
  return {};
}

Complaint take_text(std::string_view text, std::optional<std::string>& out) {
  if (text.empty()) return "the name is empty";
  out = std::string(text);
  return {};
}

// One of a few words; the first is the default.
Complaint take_word(std::string_view text, std::initializer_list<std::string_view> words, std::string& out) {
  std::string list;
  for (const std::string_view word : words) {
    if (text == word) {
      out = std::string(word);
      return {};
    }
    list += (list.empty() ? "" : ", ") + std::string(word);
  }
  return quoted(text) + " is none of " + list;
}

using Take = std::function<Complaint(std::string_view)>;
using Target = std::variant<bool*, Take>;

struct OptionRow {
  const char* name;    // with dashes
  const char* value;   // what follows it in the help; null for a flag
  const char* help;
  const char* group;
  Target target;
  bool repeatable = false;
};

std::vector<OptionRow> run_options(RunRequest& r) {
  const auto& s = [&r]() -> explore::StrategyOptions& { return r.strategy; };
  constexpr const char* program = "Program";
  constexpr const char* search = "Search";
  constexpr const char* budget = "Budgets";
  constexpr const char* native = "C and C++";
  constexpr const char* output = "Output";
  return {
      {"-D", "NAME=VALUE", "Set a named constant of the model", program,
       Take([&r](auto t) { return take_define(t, r.defines); }), true},
      {"--algorithm", "NAME", "How to explore (see `heddle algorithms`); default optimal-dpor", search,
       Take([s](auto t) { return take_algorithm(t, s().algorithm); })},
      {"--sleep-sets", nullptr, "Never explore two complete executions of one class", search,
       &r.strategy.sleep_sets},
      {"--order", "ORDER[:SEED]",
       "Which sibling first: dfs, bit-reversal, round-robin, stride, conflict-first; default dfs", search,
       Take([s](auto t) { return take_order(t, s().order); })},
      {"--preemptions", "K", "Only classes with a member of at most K pre-emptions", search,
       Take([s](auto t) { return take_number(t, s().preemptions); })},
      {"--seed", "N", "Seed of sampling and of input(); default 0", search,
       Take([s](auto t) { return take_number(t, s().seed); })},
      {"--pct-depth", "D", "Bug depth that pct aims at; default 3", search,
       Take([s](auto t) { return take_number(t, s().pct_depth); })},
      {"--max-executions", "N", "Stop after N executions; default none (10000 when sampling)", budget,
       Take([&r](auto t) { return take_number(t, r.max_executions); })},
      {"--max-seconds", "S", "Stop after S seconds", budget,
       Take([&r](auto t) { return take_seconds(t, r.max_seconds); })},
      {"--max-steps", "N", "Cut an execution when a thread has done N steps", budget,
       Take([&r](auto t) { return take_number(t, r.max_steps); })},
      {"--all", nullptr, "Go on after the first bug", budget, &r.all},
      {"--races", "MODE",
       "Data races: report (a finding, explored from then on), explore (no finding, every shared access is a step), "
       "ignore; default report",
       native, Take([&r](auto t) { return take_word(t, {"report", "explore", "ignore"}, r.native.races); })},
      {"--isolation", "MODE", "in-process (the world is rewound) or process (a fork each); default in-process", native,
       Take([&r](auto t) { return take_word(t, {"in-process", "process"}, r.native.isolation); })},
      {"--backend", "KIND", "Run threads as fibers or as kernel threads (for debuggers); default fibers", native,
       Take([&r](auto t) { return take_word(t, {"fibers", "threads"}, r.native.backend); })},
      {"--instrument", "ROUTE", "Instrument a source by Heddle's pass or by -fsanitize=thread: pass, tsan; default pass",
       native, Take([&r](auto t) { return take_word(t, {"pass", "tsan"}, r.native.instrument); })},
      {"--test", "NAME", "Explore this test of the program instead of main", native,
       Take([&r](auto t) { r.native.test = std::string(t); return Complaint(); })},
      {"--json", "FILE", "Write the result as JSON; - is standard output", output,
       Take([&r](auto t) { return take_text(t, r.json); })},
      {"--save", "FILE", "Write the first bug's schedule, for `heddle replay`", output,
       Take([&r](auto t) { return take_text(t, r.save); })},
      {"--check", nullptr, "Check Heddle itself on the way (slow)", output, &r.check},
      {"--quiet", nullptr, "Print nothing; the exit code tells", output, &r.quiet},
  };
}

std::vector<OptionRow> replay_options(ReplayRequest& r) {
  return {
      {"--json", "FILE", "Write the result as JSON; - is standard output", "Output",
       Take([&r](auto t) { return take_text(t, r.json); })},
      {"--quiet", nullptr, "Print nothing; the exit code tells", "Output", &r.quiet},
  };
}

// Registers a row. A bad value ends the parse with a message that names option, value and complaint.
void declare(CLI::App& app, OptionRow& row) {
  if (bool** flag = std::get_if<bool*>(&row.target)) {
    app.add_flag(row.name, **flag, row.help)->group(row.group);
    return;
  }
  const auto parse = [&row](const CLI::results_t& values) {
    const std::string option(row.name);
    if (values.size() > 1 && !row.repeatable)
      throw CLI::ValidationError(option + " is given more than once; keep one");
    for (const std::string& value : values) {
      if (const Complaint c = std::get<Take>(row.target)(value); !c.empty())
        throw CLI::ValidationError(option + ": " + c);
    }
    return true;
  };
  app.add_option(row.name, parse, row.help)
      ->type_name(row.value)
      ->group(row.group)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Error unknown_argument(const std::string& argument, const std::vector<OptionRow>& rows,
                       const std::string& command) {
  const std::string name = argument.substr(0, argument.find('='));
  if (name.empty() || name[0] != '-')
    return {"unexpected argument \"" + argument + "\"; `heddle " + command + "` takes one file"};
  std::vector<std::string_view> known{"--help"};
  for (const OptionRow& row : rows) known.push_back(row.name);
  const std::string_view meant = nearest(name, known);
  return {"unknown option " + name +
          (meant.empty() ? "; `heddle " + command + " --help` lists them"
                         : "; did you mean " + std::string(meant) + "?")};
}

bool samples(Algorithm a) {
  return a == Algorithm::kRandom || a == Algorithm::kPct || a == Algorithm::kPos;
}

// Contradictions that only the command line can see; make_strategy knows those among algorithms and modifiers.
std::optional<Error> contradiction(const RunRequest& r, const CLI::App& run) {
  const auto given = [&](const char* name) { return run.count(name) > 0; };
  const std::string algorithm(explore::name_of(r.strategy.algorithm));
  if (given("--pct-depth") && r.strategy.algorithm != Algorithm::kPct)
    return Error{"--pct-depth is for --algorithm=pct, not for " + algorithm + "; drop one of the two"};
  if (given("--pct-depth") && r.strategy.pct_depth == 0)
    return Error{"--pct-depth: a bug has a depth of at least 1"};
  if (given("--order") && samples(r.strategy.algorithm))
    return Error{"--order is for algorithms that search a tree; " + algorithm + " samples: drop one of the two"};
  if (r.max_steps == 0) return Error{"--max-steps=0 would cut every execution at once; give at least 1"};
  if (r.save && r.json && *r.save == *r.json)
    return Error{"--save and --json name the same file \"" + *r.save + "\"; give two"};
  if (r.save == "-") return Error{"--save needs a file, not standard output; use --json=- for that"};
  if (auto strategy = explore::make_strategy(r.strategy); !strategy) return strategy.error();
  return std::nullopt;
}

constexpr const char* kAbout =
    "heddle: runs a multithreaded program along every meaningfully different interleaving.\n"
    "Exit codes: 0 no bug and exhausted, 1 bug, 2 inconclusive, 3 usage or environment error.";

}  // namespace

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  std::vector<std::size_t> row;
  for (const std::string_view candidate : known) {
    row.resize(candidate.size() + 1);
    std::iota(row.begin(), row.end(), 0u);
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t above = row[j];
        row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (word[i - 1] != candidate[j - 1])});
        diagonal = above;
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

namespace {

// Everything after the first "--" is not Heddle's. Where the program is known only later, flags and arguments are
// told apart by whether it is a source.
void take_trailing(NativeRequest& native, int argc, const char* const* argv, int dashes) {
  bool arguments = false;
  for (int i = dashes + 1; i < argc; ++i) {
    if (!arguments && std::string_view(argv[i]) == "--") arguments = true;
    else (arguments ? native.arguments : native.flags).emplace_back(argv[i]);
  }
}

}  // namespace

Result<Request> parse_command_line(int argc, const char* const* argv) {
  RunRequest run_request;
  ReplayRequest replay_request;
  std::vector<OptionRow> run_rows = run_options(run_request);
  std::vector<OptionRow> replay_rows = replay_options(replay_request);

  CLI::App app{kAbout, "heddle"};
  app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
  app.allow_extras();
  CLI::App& run = *app.add_subcommand("run", "Explore a program: a model (.hed), or C and C++");
  CLI::App& replay = *app.add_subcommand("replay", "Run one saved schedule again and show it");
  CLI::App& list = *app.add_subcommand("algorithms", "List every algorithm and modifier with its guarantee");
  CLI::App& help = *app.add_subcommand("help", "Show this text");
  CLI::App& version = *app.add_subcommand("version", "Show the version");
  run.add_option("PROGRAM", run_request.program, "The program under test");
  replay.add_option("SCHEDULE", replay_request.schedule, "A file written by --save");
  for (OptionRow& row : run_rows) declare(run, row);
  for (OptionRow& row : replay_rows) declare(replay, row);
  for (CLI::App* command : {&run, &replay, &list}) command->allow_extras();

  const std::string overview = app.help();   // once a command is parsed, help() is about that command

  const int dashes = static_cast<int>(
      std::find_if(argv, argv + argc, [](const char* a) { return std::string_view(a) == "--"; }) - argv);
  take_trailing(run_request.native, argc, argv, dashes);
  try {
    app.parse(dashes, argv);
  } catch (const CLI::CallForHelp&) {
    return Request(Information{app.help()});
  } catch (const CLI::CallForVersion& v) {
    return Request(Information{std::string(v.what()) + "\n"});
  } catch (const CLI::ParseError& error) {
    return Error{error.what()};
  }

  const auto extra = [](const CLI::App& command) { return command.remaining(); };
  if (run.parsed()) {
    if (!extra(run).empty()) return unknown_argument(extra(run).front(), run_rows, "run");
    if (run_request.program.empty())
      return Error{"`heddle run` needs a program, e.g. `heddle run examples/bank.hed`"};
    if (auto error = contradiction(run_request, run)) return *error;
    if (samples(run_request.strategy.algorithm) && !run_request.max_executions && !run_request.max_seconds)
      run_request.max_executions = 10'000;
    return Request(run_request);
  }
  if (dashes < argc)
    return Error{"\"--\" is for `heddle run`: flags for the compiler, or arguments for the program, follow it"};
  if (replay.parsed()) {
    if (!extra(replay).empty()) return unknown_argument(extra(replay).front(), replay_rows, "replay");
    if (replay_request.schedule.empty())
      return Error{"`heddle replay` needs a schedule file, as written by `heddle run ... --save=FILE`"};
    return Request(replay_request);
  }
  if (list.parsed()) {
    if (!extra(list).empty())
      return Error{"`heddle algorithms` takes no arguments, but got \"" + extra(list).front() + "\""};
    return Request(AlgorithmsRequest{});
  }
  if (version.parsed()) return Request(Information{"heddle " HEDDLE_VERSION "\n"});
  if (help.parsed()) return Request(Information{overview});
  if (!app.remaining().empty()) {
    const std::string word = app.remaining().front();
    const std::string_view meant =
        nearest(word, {"run", "replay", "algorithms", "help", "version", "--help", "--version"});
    return Error{(word[0] == '-' ? "unknown option " : "unknown command ") + word +
                 (meant.empty() ? "; `heddle --help` lists the commands"
                                : "; did you mean " + std::string(meant) + "?")};
  }
  return Error{"no command; try `heddle run PROGRAM` or `heddle --help`"};
}

}  // namespace heddle::cli
