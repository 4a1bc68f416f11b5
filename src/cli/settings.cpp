#include "cli/settings.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/spelling.h"
#include "cli/test_filter.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "heddle.toml";

class Reader {
 public:
  Reader(std::string file, const std::vector<OptionRow>& rows) : file_(std::move(file)), rows_(rows) {}

  Result<Settings> read() {
    const toml::parse_result parsed = toml::parse_file(file_);
    if (!parsed) return complaint(parsed.error().source(), std::string(parsed.error().description()));
    Settings settings{file_, {}, {}};
    for (const auto& [key, node] : parsed.table()) {
      const toml::table* table = node.as_table();
      if (table == nullptr || (key != "run" && key != "test"))
        return complaint(key.source(), "\"" + std::string(key.str()) +
                                           "\" is not known here; there are [run] and [test.\"PATTERN\"]");
      if (key == "run")
        take(*table, settings.run);
      else
        take_tests(*table, settings);
      if (error_) return *error_;
    }
    return settings;
  }

 private:
  void take_tests(const toml::table& tests, Settings& settings) {
    std::vector<std::pair<toml::source_position, std::pair<std::string, std::vector<Setting>>>> found;
    for (const auto& [pattern, node] : tests) {
      const toml::table* table = node.as_table();
      if (table == nullptr) {
        error_ = complaint(pattern.source(), "settings of tests stand under [test.\"PATTERN\"]");
        return;
      }
      std::vector<Setting> all;
      take(*table, all);
      if (error_) return;
      found.push_back({pattern.source().begin, {std::string(pattern.str()), std::move(all)}});
    }
    // toml++ has them by name; of several that match a test, the last in the file counts.
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [place, test] : found) settings.tests.push_back(std::move(test));
  }

  void take(const toml::table& table, std::vector<Setting>& out) {
    for (const auto& [key, node] : table) {
      const std::string name = (key.length() == 1 ? "-" : "--") + std::string(key.str());
      const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const OptionRow& r) { return r.name == name; });
      if (row == rows_.end() || name == "--settings") {
        error_ = complaint(key.source(), unknown(name));
        return;
      }
      Setting setting{name, {}};
      if (!words(*row, node, setting.words)) {
        error_ = complaint(node.source(), "the value of " + std::string(key.str()) +
                                              " is neither a text, a number nor a list of these");
        return;
      }
      if (!setting.words.empty()) out.push_back(std::move(setting));
    }
  }

  std::string unknown(const std::string& name) const {
    std::vector<std::string_view> known;
    for (const OptionRow& row : rows_) known.push_back(row.name);
    const std::string_view meant = nearest(name, known);
    return "`heddle run` has no option " + name +
           (meant.empty() ? "; `heddle run --help` lists them"
                          : "; did you mean " + std::string(meant.substr(2)) + "?");
  }

  // False: nothing that an option could be given.
  bool words(const OptionRow& row, const toml::node& node, std::vector<std::string>& out) const {
    if (const auto* flag = node.as_boolean()) {
      if (row.value != nullptr) return false;
      if (flag->get()) out.push_back(row.name);
      return true;
    }
    std::vector<std::string> values;
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& each : *list)
        if (!value(row, each, values)) return false;
    } else if (!value(row, node, values)) {
      return false;
    }
    if (!row.repeatable && values.size() > 1) {
      for (std::size_t i = 1; i < values.size(); ++i) values[0] += "," + values[i];
      values.resize(1);
    }
    const bool is_short = std::string_view(row.name)[1] != '-';
    for (const std::string& v : values) out.push_back(row.name + std::string(is_short ? "" : "=") + v);
    return true;
  }

  bool value(const OptionRow& row, const toml::node& node, std::vector<std::string>& out) const {
    if (const auto* number = node.as_integer()) {
      out.push_back(std::to_string(number->get()));
    } else if (const auto* real = node.as_floating_point()) {
      out.push_back(std::to_string(real->get()));
    } else if (const auto* text = node.as_string()) {
      const bool file =
          row.value != nullptr && (std::string_view(row.value) == "FILE" || std::string_view(row.value) == "DIR");
      const fs::path path(text->get());
      out.push_back(file && path != "-" ? (fs::path(file_).parent_path() / path).string() : text->get());
    } else {
      return false;
    }
    return true;
  }

  Error complaint(const toml::source_region& where, const std::string& what) const {
    return {file_ + ":" + std::to_string(where.begin.line) + ":" + std::to_string(where.begin.column) + ": " + what};
  }

  std::string file_;
  const std::vector<OptionRow>& rows_;
  std::optional<Error> error_;
};

bool gives(const std::vector<std::string>& words, const std::string& option) {
  const bool is_short = option.size() > 1 && option[1] != '-';
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word == option || word.starts_with(is_short ? option : option + "=");
  });
}

}  // namespace

std::optional<std::string> find_settings(const std::string& folder) {
  std::error_code none;
  for (fs::path here = fs::absolute(folder, none);; here = here.parent_path()) {
    if (fs::is_regular_file(here / kName, none)) return fs::proximate(here / kName, none).string();
    if (fs::exists(here / ".git", none) || here == here.parent_path()) return std::nullopt;
  }
}

Result<Settings> read_settings(const std::string& file, const std::vector<OptionRow>& rows) {
  std::error_code none;
  if (!fs::is_regular_file(file, none))
    return Error{"there is no file \"" + file + "\" for --settings; name one, or say --settings=none"};
  return Reader(file, rows).read();
}

std::vector<std::string> words_of(const Settings& settings, const std::vector<std::string>& command_line,
                                  const std::string& test, const std::vector<OptionRow>& rows) {
  const bool model = std::any_of(command_line.begin(), command_line.end(),
                                 [](const std::string& w) { return !w.starts_with("-") && w.ends_with(".hed"); });
  const auto native = [&](const std::string& option) {
    return std::any_of(rows.begin(), rows.end(), [&](const OptionRow& row) {
      return row.name == option && std::string_view(row.group) == kNativeGroup;
    });
  };
  std::map<std::string, std::vector<std::string>> chosen;
  const auto choose = [&](const std::vector<Setting>& some) {
    for (const Setting& setting : some)
      if (!gives(command_line, setting.option) && !(model && native(setting.option)))
        chosen[setting.option] = setting.words;
  };
  choose(settings.run);
  if (!test.empty())
    for (const auto& [pattern, some] : settings.tests)
      if (matches_filter(test, pattern)) choose(some);
  std::vector<std::string> words;
  for (const auto& [option, its] : chosen) words.insert(words.end(), its.begin(), its.end());
  return words;
}

}  // namespace heddle::cli
