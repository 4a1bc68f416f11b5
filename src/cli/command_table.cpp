#include "cli/command_table.h"

#include <algorithm>

namespace heddle::cli {
namespace {

constexpr std::string_view kCompiled = "[-- FLAGS... [-- ARGUMENTS...]]";

}  // namespace

std::span<const CommandRow> commands() {
  static const std::vector<CommandRow> table = {
      {"run",
       "PROGRAM",
       kCompiled,
       "hed c cc cpp cxx",
       "",
       "Explore a program: a model (.hed), or C and C++",
       "Runs the program along every meaningfully different interleaving until a bug shows, everything has been "
       "explored, "
       "or a budget is used up. A bug is minimised and explained. For a C or C++ source, flags for the compiler follow "
       "\"--\", and arguments of the program another \"--\"; for an executable, \"--\" is followed by its arguments.",
       {{"heddle run examples/bank.hed", "explore until the first bug"},
        {"heddle run examples/bank.cpp --save=bug.schedule", "a C++ source; keep the failing schedule"},
        {"heddle run examples/bank.cpp --all -- -O2 -DNDEBUG", "all bugs; with flags for the compiler"},
        {"heddle run bench/programs/dining.hed -D n=4 --all", "a model with a constant set; all bugs"},
        {"heddle run examples/bank.hed --algorithm=pct --seed=7", "sample instead of searching"},
        {"heddle run examples/bank.hed --corpus=corpus", "run what failed before first, and keep what fails now"},
        {"heddle run bench/programs/fib.hed -j 2 --journal=fib.db", "two explorers; say it again and it goes on"}}},
      {"replay",
       "SCHEDULE [PROGRAM]",
       "",
       "schedule hed c cc cpp cxx",
       "",
       "Run one saved schedule again and show it",
       "Runs the one execution that a schedule file describes. If the program has changed since, it says how far the "
       "schedule could still be followed. The program that the schedule names is looked for from the current folder, "
       "from the schedule's folder and those above it, and beside the schedule; or it is the one named here.",
       {{"heddle replay bug.schedule", "show the failing execution again"},
        {"heddle replay bug.schedule --gdb", "the same in gdb, stopped at the failure"},
        {"heddle replay bug.schedule --prefix-only --steps=3",
         "explore everything that can follow its first three steps"}}},
      {"unfold",
       "PROGRAM",
       "",
       "hed c cc cpp cxx",
       "",
       "Draw the unfolding of a small model, or the Petri net of a program",
       "Explores a model by unfolding and draws the resulting net, for Graphviz, as a drawing or as a page.",
       {{"heddle unfold examples/bank.hed --dot", "print the net for Graphviz"},
        {"heddle unfold examples/lost_update.cpp --model --svg=net.svg", "the Petri net of a program in C++"}}},
      {"compare",
       "PROGRAM",
       kCompiled,
       "hed c cc cpp cxx",
       "",
       "Run several algorithms on one program, side by side",
       "A table of what each needs: executions, classes, states, events, time and memory. Each runs in a process of "
       "its own, "
       "for at most 10 seconds unless a budget says otherwise, and goes on after the first bug.",
       {{"heddle compare bench/programs/fib.hed -D k=3", "all that end by themselves"},
        {"heddle compare examples/bank.hed --algorithms=optimal-dpor,stateful --csv=-", "two of them, as values"}}},
      {"status",
       "JOURNAL",
       "",
       "db",
       "",
       "Say how a search with --journal or --serve stands",
       "What has been explored and found so far, whether the search is over, and whether a process is at work on it.",
       {{"heddle status night.db", "while it runs, or after"},
        {"heddle status nats://build1:4222 --tls=team", "a search that several machines share"}}},
      {"work",
       "SERVER",
       "",
       "",
       "",
       "Explore for a search on another machine",
       "Asks the search that is served there for the program and for parts to explore, and answers, until the search "
       "is "
       "over. Start it on any number of machines, and stop it when you like: nothing is lost but a moment's work.",
       {{"heddle work nats://build1:4222 --tls=team -j 16", "sixteen explorers for the search served there"}}},
      {"algorithms",
       "",
       "",
       "",
       "",
       "List every algorithm and modifier with its guarantee",
       "One line each: what is guaranteed when it ends by itself, the idea, and where it comes from.",
       {{"heddle algorithms", "what --algorithm takes"}}},
      {"help",
       "[COMMAND]",
       "",
       "",
       "run replay unfold compare status work algorithms completion man help version",
       "Show this text, or that of a command",
       "The same as --help.",
       {{"heddle help run", "everything about run"}}},
      {"completion",
       "SHELL",
       "",
       "",
       "bash zsh fish",
       "Print a completion script for bash, zsh or fish",
       "The scripts are installed with Heddle; this is for shells that look elsewhere.",
       {{"source <(heddle completion bash)", "completion in this shell"}}},
      {"man",
       "[COMMAND]",
       "",
       "",
       "run replay unfold compare status work algorithms completion help version heddle-cc heddle-c++",
       "Print a manual page",
       "In the format of man(7), as installed with Heddle.",
       {{"heddle man run | man -l -", "read it without installing"}}},
      {"version",
       "",
       "",
       "",
       "",
       "Show the version",
       "The same as --version: Heddle's, and those of the libraries and the compiler that it works with.",
       {}},
  };
  return table;
}

const CommandRow* command_named(std::string_view name) {
  for (const CommandRow& row : commands())
    if (row.name == name) return &row;
  return nullptr;
}

std::vector<OptionRow> options_of(std::string_view command, OptionTargets& targets) {
  std::vector<OptionRow> rows;
  if (command == "run") rows = run_options(targets.run);
  if (command == "replay") rows = replay_options(targets.replay);
  if (command == "unfold") rows = unfold_options(targets.unfold);
  if (command == "compare") rows = compare_options(targets.compare);
  std::vector<std::string_view> groups;  // as they are first mentioned
  for (const OptionRow& row : rows)
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) groups.push_back(row.group);
  const auto rank = [&](const OptionRow& row) { return std::find(groups.begin(), groups.end(), row.group); };
  std::stable_sort(rows.begin(), rows.end(), [&](const OptionRow& a, const OptionRow& b) { return rank(a) < rank(b); });
  return rows;
}

std::vector<std::string_view> values_of(std::string_view option) {
  if (option == "--algorithm") {
    std::vector<std::string_view> names{explore::automatic().name};
    for (const auto& info : explore::algorithms()) names.push_back(info.name);
    return names;
  }
  if (option == "--order") return {"dfs", "bit-reversal", "round-robin", "stride", "conflict-first"};
  if (option == "--memory") return {"sc", "tso", "c++20"};
  if (option == "--match") return {"origins", "values"};
  if (option == "--inputs") return {"explore", "random"};
  if (option == "--branches") return {"dfs", "random", "new-coverage"};
  if (option == "--solver") return {"staged", "incremental", "scratch"};
  if (option == "--races") return {"report", "explore", "ignore"};
  if (option == "--ignore") return {"exit-with-threads", "exit-code"};
  if (option == "--isolation") return {"in-process", "process"};
  if (option == "--spurious" || option == "--checkpoints" || option == "--known-steps") return {"on", "off"};
  if (option == "--backend") return {"fibers", "threads"};
  if (option == "--instrument") return {"pass", "tsan"};
  return {};
}

std::string examples_text(const CommandRow& command) {
  if (command.examples.empty()) return {};
  std::string text = "Examples:\n";
  for (const Example& e : command.examples)
    text += "  " + std::string(e.command) + "\n      " + std::string(e.meaning) + "\n";
  return text;
}

}  // namespace heddle::cli
