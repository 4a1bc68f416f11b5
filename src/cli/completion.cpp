// Completion scripts for three shells. Each offers commands, then the command's options, the words of options that take
// few, and files with the endings that the command opens.
#include <algorithm>

#include "cli/command_table.h"
#include "cli/help.h"

namespace heddle::cli {
namespace {

std::string joined(const std::vector<std::string_view>& words, const char* between = " ") {
  std::string out;
  for (const std::string_view w : words) out += (out.empty() ? "" : between) + std::string(w);
  return out;
}

std::vector<std::string_view> split(std::string_view words) {
  std::vector<std::string_view> out;
  while (!words.empty()) {
    const auto end = words.find(' ');
    out.push_back(words.substr(0, end));
    words = end == words.npos ? std::string_view{} : words.substr(end + 1);
  }
  return out;
}

// For single quotes in every shell here.
std::string shell_quoted(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  return out;
}

struct Rows {
  OptionTargets targets;
  std::vector<OptionRow> of(std::string_view command) { return options_of(command, targets); }
};

std::string bash() {
  Rows rows;
  std::vector<std::string_view> names;
  for (const CommandRow& c : commands()) names.push_back(c.name);
  std::string out =
      "# Completion of heddle for bash.\n_heddle() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" command=\"${COMP_WORDS[1]}\" option=\"\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '" +
      joined(names) +
      " --help --version' -- \"$current\"))\n"
      "    return\n  fi\n"
      "  # bash splits at \"=\": --option = value\n"
      "  if [ \"$current\" = \"=\" ]; then option=\"${COMP_WORDS[COMP_CWORD-1]}\"; current=\"\"\n"
      "  elif [ \"${COMP_WORDS[COMP_CWORD-1]}\" = \"=\" ]; then option=\"${COMP_WORDS[COMP_CWORD-2]}\"; fi\n"
      "  case \"$command $option\" in\n";
  for (const CommandRow& c : commands())
    for (const OptionRow& o : rows.of(c.name))
      if (const auto values = values_of(o.name); !values.empty())
        out += "    '" + std::string(c.name) + " " + o.name + "') COMPREPLY=($(compgen -W '" + joined(values) +
               "' -- \"$current\")); return ;;\n";
  out +=
      "  esac\n  if [ -n \"$option\" ]; then COMPREPLY=($(compgen -f -- \"$current\")); return; fi\n"
      "  case \"$command\" in\n";
  for (const CommandRow& c : commands()) {
    std::vector<std::string> words;
    for (const OptionRow& o : rows.of(c.name))
      words.push_back(std::string(o.name) + (o.value && o.name[1] == '-' ? "=" : ""));
    std::string all;
    for (const std::string& w : words) all += w + " ";
    out += "    " + std::string(c.name) + ")\n      COMPREPLY=($(compgen -W '" + all + "--help " +
           std::string(c.words) + "' -- \"$current\"))\n";
    if (!c.files.empty()) {
      std::string endings = joined(split(c.files), "|");
      out +=
          "      if [[ \"$current\" != -* ]]; then\n        compopt -o filenames 2>/dev/null\n"
          "        while IFS= read -r file; do\n"
          "          if [ -d \"$file\" ] || [[ \"$file\" =~ \\.(" +
          endings +
          ")$ ]] || [ -x \"$file\" ]; then\n"
          "            COMPREPLY+=(\"$file\")\n          fi\n        done < <(compgen -f -- \"$current\")\n      fi\n";
    }
    out += "      ;;\n";
  }
  return out +
         "  esac\n  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n  return 0\n}\n"
         "complete -F _heddle heddle\n";
}

// A description inside [...] of _arguments.
std::string zsh_words(std::string_view text) {
  std::string out;
  for (const char c : shell_quoted(text)) {
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh() {
  Rows rows;
  std::string out =
      "#compdef heddle\n# Completion of heddle for zsh.\n_heddle() {\n  if (( CURRENT == 2 )); then\n"
      "    local -a commands=(\n";
  for (const CommandRow& c : commands()) out += "      '" + std::string(c.name) + ":" + zsh_words(c.summary) + "'\n";
  out +=
      "    )\n    _describe command commands\n    return\n  fi\n  local command=$words[2]\n  shift words\n"
      "  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandRow& c : commands()) {
    out += "    " + std::string(c.name) + ")\n      _arguments '--help[show help]'";
    for (const OptionRow& o : rows.of(c.name)) {
      const bool is_long = std::string_view(o.name).starts_with("--");
      out += std::string(" \\\n        '") + (o.repeatable ? "*" : "") + o.name + (o.value && is_long ? "=" : "") +
             "[" + zsh_words(o.help) + "]";
      const auto values = values_of(o.name);
      if (!values.empty())
        out += ":" + zsh_words(o.value) + ":(" + joined(values) + ")";
      else if (o.value)
        out += ":" + zsh_words(o.value) + (std::string_view(o.value) == "FILE" ? ":_files" : ":");
      out += "'";
    }
    if (!c.words.empty()) out += " \\\n        '1:word:(" + std::string(c.words) + ")'";
    if (!c.files.empty()) out += " \\\n        '1:file:_files'";
    if (c.operand.find(' ') != c.operand.npos) out += " \\\n        '2:file:_files'";
    out += "\n      ;;\n";
  }
  return out + "  esac\n}\n_heddle \"$@\"\n";
}

std::string fish() {
  Rows rows;
  std::string out = "# Completion of heddle for fish.\ncomplete -c heddle -f\n";
  for (const CommandRow& c : commands()) {
    const std::string name(c.name);
    const std::string here = " -n '__fish_seen_subcommand_from " + name + "'";
    out += "complete -c heddle -n __fish_use_subcommand -a " + name + " -d '" + shell_quoted(c.summary) + "'\n";
    if (!c.files.empty()) out += "complete -c heddle" + here + " -F\n";
    if (!c.words.empty()) out += "complete -c heddle" + here + " -a '" + std::string(c.words) + "'\n";
    for (const OptionRow& o : rows.of(c.name)) {
      const bool is_long = std::string_view(o.name).starts_with("--");
      out +=
          "complete -c heddle" + here + (is_long ? " -l " + std::string(o.name + 2) : " -o " + std::string(o.name + 1));
      if (o.value) out += " -r";
      if (const auto values = values_of(o.name); !values.empty())
        out += " -f -a '" + joined(values) + "'";
      else if (o.value && std::string_view(o.value) == "FILE")
        out += " -F";
      out += " -d '" + shell_quoted(o.help) + "'\n";
    }
  }
  return out;
}

}  // namespace

Result<std::string> completion_script(std::string_view shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  return Error{(shell.empty() ? std::string("`heddle completion` needs a shell")
                              : "there is no completion for \"" + std::string(shell) + "\"") +
               "; it is one of bash, zsh, fish"};
}

}  // namespace heddle::cli
