#include "native/wrapper/toolchain.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace heddle::wrapper {
namespace {

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string shell_quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string version_text(const std::vector<std::string>& compiler) {
  std::string command;
  for (const std::string& word : compiler) command += shell_quoted(word) + " ";
  FILE* pipe = popen((command + "--version 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text;
  char buffer[512];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, n);
  return pclose(pipe) == 0 ? text : std::string();
}

// The first number followed by a dot: "clang version 19.1.7", "g++ (Debian 12.2.0-14) 12.2.0".
int major_version(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) continue;
    std::size_t end = i;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (end < text.size() && text[end] == '.' && end - i < 4) return std::stoi(text.substr(i, end - i));
    i = end;
  }
  return 0;
}

}  // namespace

Result<Toolchain> find_toolchain(Language language) {
  const char* variable = language == Language::kC ? "HEDDLE_CC" : "HEDDLE_CXX";
  Toolchain toolchain;
  toolchain.language = language;
  const char* chosen = std::getenv(variable);
  if (chosen != nullptr) toolchain.compiler = split_words(chosen);
  if (toolchain.compiler.empty()) {
    toolchain.compiler = {language == Language::kC ? "clang-19" : "clang++-19"};
    toolchain.major_version = kPassLlvmVersion;
    return toolchain;
  }
  const std::string version = version_text(toolchain.compiler);
  if (version.empty())
    return Error{std::string(variable) + "=\"" + chosen + "\" does not answer --version; set it to a clang or gcc, " +
                 "or unset it for clang " + std::to_string(kPassLlvmVersion)};
  toolchain.kind = version.find("clang") != version.npos ? CompilerKind::kClang : CompilerKind::kGcc;
  toolchain.major_version = major_version(version);
  return toolchain;
}

Installation find_installation() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path root = self.parent_path().parent_path();
  fs::path library = root / HEDDLE_LIBDIR "/heddle";
  if (!fs::exists(library / "HeddlePass.so", error)) library = root / "lib/heddle";
  return {(library / "HeddlePass.so").string(), (library / "libheddle_runtime.a").string(),
          (library / "wrapped_functions").string(), (root / "include").string()};
}

}  // namespace heddle::wrapper
