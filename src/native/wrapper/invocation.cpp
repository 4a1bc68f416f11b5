// Reading a gcc or clang command line without being gcc or clang. Only three things must be right: which arguments are
// inputs (so options that swallow the next argument have to be known), how far the compiler goes, and what Heddle has
// to refuse. Everything else is passed through unread.
#include "native/wrapper/invocation.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

namespace heddle::wrapper {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMaxResponseDepth = 16;

bool starts_with(const std::string& text, std::string_view prefix) { return text.rfind(prefix, 0) == 0; }

// Quoting as both compilers have it in response files: quotes group, a backslash takes the next character.
std::vector<std::string> split_response(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && quote != '\'') {
      word += text[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

// An @file that cannot be read is an ordinary argument, for the compiler to complain about.
void expand(const std::vector<std::string>& arguments, std::size_t depth, std::vector<std::string>& out) {
  for (const std::string& argument : arguments) {
    if (argument.size() > 1 && argument[0] == '@' && depth < kMaxResponseDepth) {
      if (std::ifstream file(argument.substr(1)); file) {
        std::stringstream text;
        text << file.rdbuf();
        expand(split_response(text.str()), depth + 1, out);
        continue;
      }
    }
    out.push_back(argument);
  }
}

constexpr std::array kSeparateValue = {"-o"sv,
                                       "-x"sv,
                                       "-I"sv,
                                       "-L"sv,
                                       "-D"sv,
                                       "-U"sv,
                                       "-l"sv,
                                       "-T"sv,
                                       "-u"sv,
                                       "-z"sv,
                                       "-e"sv,
                                       "-h"sv,
                                       "-B"sv,
                                       "-A"sv,
                                       "-F"sv,
                                       "-include"sv,
                                       "-include-pch"sv,
                                       "-imacros"sv,
                                       "-isystem"sv,
                                       "-idirafter"sv,
                                       "-iquote"sv,
                                       "-iprefix"sv,
                                       "-isysroot"sv,
                                       "-iwithprefix"sv,
                                       "-iwithprefixbefore"sv,
                                       "-imultilib"sv,
                                       "-cxx-isystem"sv,
                                       "-MF"sv,
                                       "-MT"sv,
                                       "-MQ"sv,
                                       "-MJ"sv,
                                       "-Xclang"sv,
                                       "-Xlinker"sv,
                                       "-Xassembler"sv,
                                       "-Xpreprocessor"sv,
                                       "-Xanalyzer"sv,
                                       "-target"sv,
                                       "-arch"sv,
                                       "-mllvm"sv,
                                       "--param"sv,
                                       "-wrapper"sv,
                                       "-framework"sv,
                                       "-aux-info"sv,
                                       "-dumpbase"sv,
                                       "-dumpdir"sv,
                                       "-dumpbase-ext"sv,
                                       "--sysroot"sv,
                                       "-working-directory"sv,
                                       "--serialize-diagnostics"sv,
                                       "-Tbss"sv,
                                       "-Tdata"sv,
                                       "-Ttext"sv,
                                       "-rpath"sv,
                                       "-gcc-install-dir"sv,
                                       "--config"sv,
                                       "-resource-dir"sv,
                                       "-ccc-gcc-name"sv,
                                       "-G"sv,
                                       "--output"sv,
                                       "--include"sv,
                                       "--define-macro"sv,
                                       "--library-directory"sv,
                                       "--language"sv};

enum class FileKind : std::uint8_t { kSource, kHeader, kAssembly, kObject };

FileKind kind_of_file(const std::string& path) {
  const auto slash = path.rfind('/');
  const auto dot = path.rfind('.');
  if (dot == path.npos || (slash != path.npos && dot < slash)) return FileKind::kObject;
  const std::string extension = path.substr(dot + 1);
  constexpr std::array sources = {"c"sv,   "C"sv, "cc"sv, "cp"sv, "cpp"sv, "cxx"sv, "c++"sv, "CPP"sv,  "CC"sv,
                                  "CXX"sv, "i"sv, "ii"sv, "ll"sv, "bc"sv,  "m"sv,   "mm"sv,  "cppm"sv, "ixx"sv};
  constexpr std::array headers = {"h"sv, "hh"sv, "hpp"sv, "hxx"sv, "h++"sv, "H"sv, "tcc"sv, "hp"sv};
  constexpr std::array assembly = {"s"sv, "S"sv, "sx"sv};
  if (std::find(sources.begin(), sources.end(), extension) != sources.end()) return FileKind::kSource;
  if (std::find(headers.begin(), headers.end(), extension) != headers.end()) return FileKind::kHeader;
  if (std::find(assembly.begin(), assembly.end(), extension) != assembly.end()) return FileKind::kAssembly;
  return FileKind::kObject;
}

FileKind kind_of_input(const Input& input) {
  if (input.language.empty() || input.language == "none") return kind_of_file(input.path);
  if (input.language.find("header") != std::string::npos) return FileKind::kHeader;
  if (starts_with(input.language, "assembler")) return FileKind::kAssembly;
  return FileKind::kSource;
}

class Parser {
 public:
  Result<Invocation> parse(const std::vector<std::string>& arguments) {
    std::vector<std::string> expanded;
    expand(arguments, 0, expanded);
    for (std::size_t i = 0; i < expanded.size(); ++i) {
      const std::string& argument = expanded[i];
      const std::string* value =
          takes_value(argument) && i + 1 < expanded.size() && !only_inputs_ ? &expanded[i + 1] : nullptr;
      if (const std::string fact = read(argument, value); !fact.empty()) return Error{fact};
      if (value != nullptr) ++i;
    }
    settle_phase();
    if (!refusal_.empty()) return Error{refusal_};
    if (lto_)
      return Error{
          "link-time optimisation (-flto) would optimise the instrumentation away across files; "
          "build without -flto (CMake: -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF)"};
    keep_arguments(arguments, expanded);
    return std::move(found_);
  }

 private:
  // A non-empty answer is an error.
  std::string read(const std::string& a, const std::string* value) {
    if (only_inputs_ || a.empty() || a[0] != '-' || a == "-") {
      add_input(a);
      return {};
    }
    if (a == "--") {
      only_inputs_ = true;
    } else if (starts_with(a, "--heddle-")) {
      return read_own(a);
    } else if (a == "-o" || a == "--output") {
      if (value != nullptr) found_.output = *value;
    } else if (starts_with(a, "-o") && !starts_with(a, "-objc")) {
      found_.output = a.substr(2);
    } else if (a == "-x" || a == "--language") {
      if (value != nullptr) language_ = *value;
    } else if (starts_with(a, "-x")) {
      language_ = a.substr(2);
    } else if (starts_with(a, "-l") || a == "-Xlinker" || starts_with(a, "-Wl,")) {
      has_library_ = has_library_ || starts_with(a, "-l");
    } else {
      read_phase(a);
      read_code_generation(a, value);
    }
    return {};
  }

  std::string read_own(const std::string& a) {
    if (a == "--heddle-instrument=pass")
      found_.instrument = Instrument::kPass;
    else if (a == "--heddle-instrument=tsan")
      found_.instrument = Instrument::kTsan;
    else if (a == "--heddle-symbolic=auto" || a == "--heddle-symbolic=on" || a == "--heddle-symbolic=off")
      found_.symbolic = a.substr(a.find('=') + 1);
    else if (a == "--heddle-coverage")
      found_.coverage = true;
    else if (a == "--heddle-dry-run")
      found_.dry_run = true;
    else if (a == "--heddle-help")
      found_.help = true;
    else
      return "unknown option " + a + "; there are --heddle-instrument=pass, --heddle-instrument=tsan, " +
             "--heddle-symbolic=auto|on|off, --heddle-coverage, --heddle-dry-run and --heddle-help";
    return {};
  }

  void read_phase(const std::string& a) {
    if (a == "-E" || a == "-M" || a == "-MM" || a == "--preprocess")
      preprocess_ = true;
    else if (a == "-c" || a == "-S" || a == "-fsyntax-only" || a == "--compile" || a == "--assemble" ||
             a == "--precompile" || a == "-emit-ast" || a == "--analyze")
      compile_only_ = true;
    else if (a == "-shared" || a == "--shared")
      found_.link_kind = LinkKind::kShared;
    else if (a == "-r" || a == "--relocatable")
      found_.link_kind = LinkKind::kRelocatable;
    else if (a == "-MD" || a == "-MMD")
      found_.dependencies = true;
    else if (starts_with(a, "-MF"))
      found_.dependency_file = true;
    else if (a == "-static" || a == "--static" || a == "-static-pie" || a == "-static-libstdc++")
      static_ = a;
  }

  void read_code_generation(const std::string& a, const std::string* value) {
    if (a == "-flto" || starts_with(a, "-flto="))
      lto_ = true;
    else if (a == "-fno-lto")
      lto_ = false;
    else if (starts_with(a, "-fsanitize=") && a != "-fsanitize=" && refusal_.empty())
      refusal_ = a + ": a sanitizer's runtime and Heddle's cannot share a process; build without it (Heddle " +
                 "reports data races, use after free and heap overflows itself)";
    else if (starts_with(a, "-g") && a != "-gcc-install-dir" && !starts_with(a, "--"))
      found_.debug_info_chosen = true;
    else if (starts_with(a, "-D_GLIBCXX_ASSERTIONS") || starts_with(a, "-U_GLIBCXX_ASSERTIONS") ||
             ((a == "-D" || a == "-U") && value != nullptr && starts_with(*value, "_GLIBCXX_ASSERTIONS")))
      found_.assertions_chosen = true;
  }

  void add_input(const std::string& path) {
    Input input{path, language_, false};
    const FileKind kind = kind_of_input(input);
    input.is_source = kind == FileKind::kSource;
    if (kind == FileKind::kHeader) ++headers_;
    found_.inputs.push_back(std::move(input));
  }

  void settle_phase() {
    if (found_.inputs.empty() && !has_library_)
      found_.last_phase = LastPhase::kNothing;
    else if (preprocess_)
      found_.last_phase = LastPhase::kPreprocess;
    else if (compile_only_ || (headers_ > 0 && headers_ == found_.inputs.size()))
      found_.last_phase = LastPhase::kCompile;
    else
      found_.last_phase = LastPhase::kLink;
    if (found_.last_phase == LastPhase::kLink && found_.link_kind == LinkKind::kExecutable && !static_.empty() &&
        refusal_.empty())
      refusal_ = static_ + ": Heddle's runtime has to stand between the program and its libraries, which a static " +
                 "executable does not allow; link dynamically";
  }

  void keep_arguments(const std::vector<std::string>& given, const std::vector<std::string>& expanded) {
    const auto own = [](const std::string& a) { return starts_with(a, "--heddle-"); };
    const auto count = [&](const std::vector<std::string>& list) {
      return std::count_if(list.begin(), list.end(), own);
    };
    const auto& kept = count(given) == count(expanded) ? given : expanded;
    std::copy_if(kept.begin(), kept.end(), std::back_inserter(found_.arguments),
                 [&](const std::string& a) { return !own(a); });
  }

  Invocation found_;
  std::string language_;
  std::string refusal_;
  std::string static_;
  std::size_t headers_ = 0;
  bool has_library_ = false;
  bool only_inputs_ = false;
  bool preprocess_ = false;
  bool compile_only_ = false;
  bool lto_ = false;
};

}  // namespace

bool takes_value(const std::string& option) {
  return std::find(kSeparateValue.begin(), kSeparateValue.end(), option) != kSeparateValue.end();
}

Result<Invocation> parse_invocation(const std::vector<std::string>& arguments) { return Parser().parse(arguments); }

}  // namespace heddle::wrapper
