#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "base/spelling.h"
#include "cli/command_table.h"
#include "cli/contradictions.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/settings.h"

namespace heddle::cli {
namespace {

using explore::Algorithm;

// Registers a row. A bad value ends the parse with a message that names option, value and complaint.
void declare(CLI::App& app, OptionRow& row) {
  if (bool** flag = std::get_if<bool*>(&row.target)) {
    app.add_flag(row.name, **flag, row.help)->group(row.group);
    return;
  }
  if (std::string** text = std::get_if<std::string*>(&row.target)) {
    app.add_flag(row.name, **text, row.help)->group(row.group);
    return;
  }
  const auto parse = [&row](const CLI::results_t& values) {
    const std::string option(row.name);
    if (values.size() > 1 && !row.repeatable) throw CLI::ValidationError(option + " is given more than once; keep one");
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

Given given_to(const CLI::App& command) {
  return [&command](const char* option) { return command.count(option) > 0; };
}

Error unknown_argument(const std::string& argument, const std::vector<OptionRow>& rows, const std::string& command) {
  const std::string name = argument.substr(0, argument.find('='));
  if (name.empty() || name[0] != '-')
    return {"unexpected argument \"" + argument + "\"; `heddle " + command + "` takes one file"};
  std::vector<std::string_view> known{"--help"};
  for (const OptionRow& row : rows) known.push_back(row.name);
  const std::string_view meant = nearest(name, known);
  return {
      "unknown option " + name +
      (meant.empty() ? "; `heddle " + command + " --help` lists them" : "; did you mean " + std::string(meant) + "?")};
}

// --check alone checks Heddle; --check=LIST names failures of the program that inputs might bring about.
std::optional<Error> take_checks(RunRequest& r) {
  if (r.check_words.empty()) return std::nullopt;
  if (r.check_words == "true") {
    r.check = true;
    return std::nullopt;
  }
  InputRequest& in = r.inputs;
  in.division = in.bounds = in.overflow = false;
  std::string_view rest = r.check_words;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word == "div")
      in.division = true;
    else if (word == "bounds")
      in.bounds = true;
    else if (word == "overflow")
      in.overflow = true;
    else if (word != "none")
      return Error{"--check: \"" + std::string(word) + "\" is none of div, bounds, overflow, none"};
    if (word == "none" && r.check_words != "none") return Error{"--check: none goes with nothing else"};
  }
  return std::nullopt;
}

constexpr const char* kAbout =
    "heddle: runs a multithreaded program along every meaningfully different interleaving.\n"
    "Exit codes: 0 no bug and exhausted, 1 bug, 2 inconclusive, 3 usage or environment error.";

// Everything after the first "--" is not Heddle's. Where the program is known only later, flags and arguments are
// told apart by whether it is a source.
void take_trailing(NativeRequest& native, int argc, const char* const* argv, int dashes) {
  bool arguments = false;
  for (int i = dashes + 1; i < argc; ++i) {
    if (!arguments && std::string_view(argv[i]) == "--")
      arguments = true;
    else
      (arguments ? native.arguments : native.flags).emplace_back(argv[i]);
  }
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += " " + word;
  return text;
}

// CLI11 writes each description in one line. Too long ones go on below where they begin.
std::string within_width(const std::string& help) {
  constexpr std::size_t kWidth = 80;
  std::string out;
  for (std::size_t i = 0; i < help.size();) {
    const std::size_t end = std::min(help.find('\n', i), help.size());
    std::string line = help.substr(i, end - i);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", indent);
    const std::size_t hang = gap == line.npos ? indent : line.find_first_not_of(' ', gap);
    while (line.size() > kWidth) {
      const std::size_t space = line.rfind(' ', kWidth);
      if (space == line.npos || space <= hang) break;
      out += line.substr(0, space) + '\n';
      line = std::string(hang, ' ') + line.substr(space + 1);
    }
    out += line + '\n';
    i = end + 1;
  }
  return out;
}

// The usage line from the table of commands: CLI11 knows nothing of what follows "--".
class Usage : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    const CommandRow* row = command_named(app->get_name());
    if (row == nullptr) return CLI::Formatter::make_usage(app, name);
    std::string line = "Usage: heddle " + std::string(row->name);
    for (const std::string_view part : {row->operand, std::string_view("[OPTIONS]"), row->rest})
      if (!part.empty()) line += " " + std::string(part);
    return line + "\n";
  }
};

// The commands as CLI11 knows them, and what they are parsed into.
class CommandLine {
 public:
  CommandLine() {
    app_.set_version_flag("--version", "heddle " HEDDLE_VERSION);
    app_.allow_extras();
    app_.formatter(std::make_shared<Usage>());
    run_.add_option("PROGRAM", run_request_.program, "The program under test");
    replay_.add_option("SCHEDULE", replay_request_.schedule, "A file written by --save");
    replay_.add_option("PROGRAM", replay_request_.program, "The program, if it is not where the schedule says");
    for (OptionRow& row : run_rows_) declare(run_, row);
    unfold_.add_option("PROGRAM", unfold_request_.program, "A model (.hed)");
    for (OptionRow& row : replay_rows_) declare(replay_, row);
    for (OptionRow& row : unfold_rows_) declare(unfold_, row);
    compare_.add_option("PROGRAM", compare_request_.run.program, "The program under test");
    for (OptionRow& row : compare_rows_) declare(compare_, row);
    status_.add_option("JOURNAL", status_request_.journal, "A file of --journal, or nats://HOST:PORT of --serve");
    for (OptionRow& row : status_rows_) declare(status_, row);
    work_.add_option("SERVER", work_request_.url, "nats://HOST:PORT, where a search is served");
    for (OptionRow& row : work_rows_) declare(work_, row);
    for (CLI::App* command :
         {&run_, &replay_, &unfold_, &compare_, &status_, &work_, &list_, &help_, &completion_, &man_, &version_}) {
      command->allow_extras();
      command->formatter(app_.get_formatter());
      command->footer(examples_text(*command_named(command->get_name())));
    }
  }

  // `test`: for which of the project's settings.
  Result<Request> parse(int argc, const char* const* argv, const std::string& test = {}) {
    const std::string overview = within_width(app_.help());  // once a command is parsed, help() is about that command
    for (CLI::App* command : app_.get_subcommands({}))
      help_texts_[command->get_name()] = within_width(command->help("heddle"));
    const int dashes = static_cast<int>(
        std::find_if(argv, argv + argc, [](const char* a) { return std::string_view(a) == "--"; }) - argv);
    // These take names of commands, which CLI11 would take for commands.
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + dashes);
    const bool plain =
        std::none_of(words.begin(), words.end(), [](const std::string& w) { return w.starts_with("-"); });
    if (plain && !words.empty() && (words[0] == "help" || words[0] == "man" || words[0] == "completion"))
      return information(words, overview);
    // CLI11 would take the next word for the value, and that may be a file that must not be written.
    for (const std::string& word : words)
      if (word.starts_with("--") && word.find('=') == word.size() - 1)
        return Error{word + " has no value; give one, or drop the option"};
    take_trailing(run_request_.native, argc, argv, dashes);
    run_request_.command_line.assign(argv, argv + argc);
    std::vector<const char*> all(argv, argv + dashes);
    if (!words.empty() && words[0] == "run") {
      if (auto error = take_settings(words, test)) return *error;
      for (const std::string& word : run_request_.from_settings) all.insert(all.begin() + 2, word.c_str());
    }
    try {
      app_.parse(static_cast<int>(all.size()), all.data());
    } catch (const CLI::CallForHelp&) {
      return Request(Information{within_width(app_.help())});
    } catch (const CLI::CallForVersion&) {
      return Request(Information{version_text()});
    } catch (const CLI::ParseError& error) {
      return with_origin(Error{error.what()});
    }
    if (run_.parsed()) return with_origin(run());
    if (compare_.parsed()) return compare();
    if (dashes < argc)
      return Error{
          "\"--\" is for `heddle run` and `heddle compare`: flags for the compiler, or arguments for the program, "
          "follow it"};
    if (replay_.parsed()) return replay();
    if (unfold_.parsed()) return unfold();
    if (status_.parsed()) return status();
    if (work_.parsed()) return work();
    if (list_.parsed()) return list();
    if (version_.parsed()) return Request(Information{version_text()});
    for (const CLI::App* command : {&help_, &man_, &completion_})
      if (command->parsed()) return unknown_argument(operand(*command), {}, command->get_name());
    return no_command();
  }

 private:
  static std::string given(const std::vector<std::string>& words, const std::string& option) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].starts_with(option + "=")) return words[i].substr(option.size() + 1);
      if (words[i] == option && i + 1 < words.size()) return words[i + 1];
    }
    return {};
  }

  std::optional<Error> take_settings(const std::vector<std::string>& words, const std::string& test) {
    std::string file = given(words, "--settings");
    if (file == "none") return std::nullopt;
    if (file.empty()) file = find_settings(".").value_or("");
    if (file.empty()) return std::nullopt;
    auto settings = read_settings(file, run_rows_);
    if (!settings) return settings.error();
    run_request_.from_settings = words_of(*settings, words, test.empty() ? given(words, "--test") : test, run_rows_);
    settings_file_ = file;
    return std::nullopt;
  }

  // What is wrong may be so because of an option that nobody has typed.
  Result<Request> with_origin(Result<Request> request) const {
    if (request || run_request_.from_settings.empty()) return request;
    return Error{request.error().message + " (" + settings_file_ + " says" + listed(run_request_.from_settings) + ")"};
  }

  Result<Request> run() {
    RunRequest& r = run_request_;
    if (const auto extra = run_.remaining(); !extra.empty()) return unknown_argument(extra.front(), run_rows_, "run");
    if (r.program.empty()) return Error{"`heddle run` needs a program, e.g. `heddle run examples/bank.hed`"};
    if (auto error = take_checks(r)) return *error;
    if (run_.count("--algorithm") == 0) r.strategy.automatic = true;
    choose_memory(r);
    if (auto error = contradiction(r, given_to(run_))) return *error;
    if (auto error = misplaced(r, given_to(run_), run_rows_)) return *error;
    // Sampling has no end of its own.
    const bool samples = explore::family_of(r.strategy.algorithm) == explore::Family::kSampling;
    if (samples && !r.max_executions && !r.max_seconds) r.max_executions = 10'000;
    return Request(r);
  }

  // A weak memory model needs execution graphs. Where nothing that only interleavings have is asked for, the model's
  // own orders decide.
  void choose_memory(RunRequest& r) {
    const auto given = [&](const char* name) { return run_.count(name) > 0; };
    if (r.relax && !given("--memory")) r.strategy.memory = trace::MemoryModel::kCpp20;
    const bool weak = r.strategy.memory.value_or(trace::MemoryModel::kSc) != trace::MemoryModel::kSc;
    if (weak && r.strategy.automatic) r.strategy.algorithm = Algorithm::kTrust;
    r.any_memory = r.strategy.automatic && !given("--memory") && !given("--sleep-sets") && !given("--preemptions") &&
                   !given("--order") && !r.check && r.properties.statements.empty() && !r.relax;
  }

  Result<Request> replay() {
    if (const auto extra = replay_.remaining(); !extra.empty())
      return unknown_argument(extra.front(), replay_rows_, "replay");
    if (replay_request_.schedule.empty())
      return Error{"`heddle replay` needs a schedule file, as written by `heddle run ... --save=FILE`"};
    if (replay_request_.gdb && (replay_request_.prefix_only || replay_request_.json || replay_request_.quiet))
      return Error{"--gdb does not go with --prefix-only, --json or --quiet; drop one of them"};
    if (auto error =
            clashing_files(replay_request_.schedule, {{"--json", replay_request_.json}}, replay_request_.reports))
      return *error;
    return Request(replay_request_);
  }

  Result<Request> compare() {
    CompareRequest& r = compare_request_;
    if (const auto extra = compare_.remaining(); !extra.empty())
      return unknown_argument(extra.front(), compare_rows_, "compare");
    if (r.run.program.empty())
      return Error{"`heddle compare` needs a program, e.g. `heddle compare examples/bank.hed`"};
    if (r.json == "-" && r.csv == "-")
      return Error{"--json and --csv both write to standard output; name a file for one"};
    if (r.run.max_executions == 0) return Error{"--max-executions=0 would run nothing; give at least 1"};
    if (r.run.max_steps == 0) return Error{"--max-steps=0 would cut every execution at once; give at least 1"};
    if (auto error = when_alone(r.run)) return *error;
    r.run.native.flags = run_request_.native.flags;
    r.run.native.arguments = run_request_.native.arguments;
    if (auto error = clashing_files(r.run.program, {{"--json", r.json}, {"--csv", r.csv == "-" ? std::nullopt : r.csv}},
                                    {r.html, {}, {}, false}))
      return *error;
    if (auto error = misplaced(r.run, given_to(compare_), compare_rows_)) return *error;
    return Request(r);
  }

  Result<Request> unfold() {
    const UnfoldRequest& r = unfold_request_;
    if (const auto extra = unfold_.remaining(); !extra.empty())
      return unknown_argument(extra.front(), unfold_rows_, "unfold");
    if (r.program.empty()) return Error{"`heddle unfold` needs a model, e.g. `heddle unfold examples/bank.hed --dot`"};
    if (!r.program.ends_with(".hed") && !r.model)
      return Error{"\"" + r.program +
                   "\" is not a model (.hed), and only unfoldings of models can be drawn; --model draws "
                   "the Petri net of any program"};
    if (r.model && r.contextual)
      return Error{"--model draws no unfolding, so it has no --contextual form; drop one of them"};
    if (r.svg && r.svg == r.html) return Error{"--svg and --html name the same file \"" + *r.svg + "\"; give two"};
    return Request(r);
  }

  Result<Request> status() {
    if (const auto extra = status_.remaining(); !extra.empty())
      return unknown_argument(extra.front(), status_rows_, "status");
    if (status_request_.journal.empty())
      return Error{
          "`heddle status` needs a journal, e.g. `heddle status night.db` after `heddle run ... "
          "--journal=night.db`"};
    return Request(status_request_);
  }

  Result<Request> work() {
    if (const auto extra = work_.remaining(); !extra.empty())
      return unknown_argument(extra.front(), work_rows_, "work");
    if (!work_request_.url.starts_with("nats://"))
      return Error{
          "`heddle work` needs the server of a search, e.g. `heddle work nats://build1:4222 --tls=team` after `heddle "
          "run ... --serve=nats://build1:4222`"};
    if (work_request_.jobs == 0 || work_request_.jobs > 1024)
      return Error{"-j: give a number of explorers from 1 to 1024"};
    return Request(work_request_);
  }

  Result<Request> list() {
    if (const auto extra = list_.remaining(); !extra.empty())
      return Error{"`heddle algorithms` takes no arguments, but got \"" + extra.front() + "\""};
    return Request(AlgorithmsRequest{});
  }

  static std::string operand(const CLI::App& command) {
    const auto words = command.remaining();
    return words.empty() ? std::string() : words.front();
  }

  // `heddle help`, `man` and `completion`, with what follows them.
  Result<Request> information(const std::vector<std::string>& words, const std::string& overview) const {
    if (words.size() > 2) return Error{"`heddle " + words[0] + "` takes one word, but got \"" + words[2] + "\" too"};
    const std::string word = words.size() > 1 ? words[1] : std::string();
    if (words[0] == "help" && word.empty()) return Request(Information{overview});
    if (const auto found = help_texts_.find(word); words[0] == "help" && found != help_texts_.end())
      return Request(Information{found->second});
    auto text = words[0] == "completion" ? completion_script(word) : manual_page(word);
    if (!text) return text.error();
    return Request(Information{std::move(*text)});
  }

  Result<Request> no_command() {
    if (app_.remaining().empty()) return Error{"no command; try `heddle run PROGRAM` or `heddle --help`"};
    const std::string word = app_.remaining().front();
    std::vector<std::string_view> known{"--help", "--version"};
    for (const CommandRow& row : commands()) known.push_back(row.name);
    const std::string_view meant = nearest(word, known);
    return Error{
        (word[0] == '-' ? "unknown option " : "unknown command ") + word +
        (meant.empty() ? "; `heddle --help` lists the commands" : "; did you mean " + std::string(meant) + "?")};
  }

  CLI::App& add(const char* name) { return *app_.add_subcommand(name, std::string(command_named(name)->summary)); }

  RunRequest run_request_;
  ReplayRequest replay_request_;
  UnfoldRequest unfold_request_;
  std::vector<OptionRow> run_rows_ = run_options(run_request_);
  std::vector<OptionRow> replay_rows_ = replay_options(replay_request_);
  CompareRequest compare_request_;
  StatusRequest status_request_;
  WorkRequest work_request_;
  std::vector<OptionRow> status_rows_ = status_options(status_request_);
  std::vector<OptionRow> work_rows_ = work_options(work_request_);
  std::vector<OptionRow> compare_rows_ = compare_options(compare_request_);
  std::vector<OptionRow> unfold_rows_ = unfold_options(unfold_request_);
  CLI::App app_{kAbout, "heddle"};
  CLI::App& run_ = add("run");
  CLI::App& replay_ = add("replay");
  CLI::App& unfold_ = add("unfold");
  CLI::App& compare_ = add("compare");
  CLI::App& status_ = add("status");
  CLI::App& work_ = add("work");
  CLI::App& list_ = add("algorithms");
  CLI::App& help_ = add("help");
  CLI::App& completion_ = add("completion");
  CLI::App& man_ = add("man");
  CLI::App& version_ = add("version");
  std::map<std::string, std::string> help_texts_;
  std::string settings_file_;
};

}  // namespace

Result<Request> parse_command_line(int argc, const char* const* argv) { return CommandLine().parse(argc, argv); }

Result<RunRequest> parsed_again(const RunRequest& request, const std::string& test) {
  std::vector<const char*> words;
  for (const std::string& word : request.command_line) words.push_back(word.c_str());
  auto parsed = CommandLine().parse(static_cast<int>(words.size()), words.data(), test);
  if (!parsed) return parsed.error();
  RunRequest one = std::get<RunRequest>(std::move(*parsed));
  if (!test.empty()) {
    one.native.test = test;
    one.native.filter.clear();
  }
  return one;
}

}  // namespace heddle::cli
