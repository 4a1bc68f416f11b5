#include "native/supervisor/readable_names.h"

#include <algorithm>
#include <regex>
#include <string_view>

namespace heddle::supervisor {
namespace {

constexpr std::size_t kLongest = 72;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
}

// One past the bracket that closes the one at `open`, or npos.
std::size_t after_bracket(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i + 1;
  }
  return text.npos;
}

// ", std::allocator<int>" of std::vector<int, std::allocator<int>>: what nobody writes.
void drop_default(std::string& text, std::string_view name) {
  const std::string begin = ", std::" + std::string(name) + "<";
  for (std::size_t at; (at = text.find(begin)) != text.npos;) {
    const std::size_t end = after_bracket(text, at + begin.size() - 1);
    if (end == text.npos) return;
    text.erase(at, end - at);
  }
}

// "main::$_0::operator()() const" and "main::'lambda'(int)::operator()(int) const" are the lambda in main.
std::string with_lambda_named(const std::string& name) {
  static const std::regex lambda(
      R"(::(\$_\d+|'lambda\d*'\(.*?\)|\{lambda\(.*?\)(?:#\d+)?\})( const)?::(operator\(\)|__invoke))");
  std::smatch found;
  if (!std::regex_search(name, found, lambda)) return name;
  return "lambda in " + with_lambda_named(found.prefix());
}

// The arguments of the templates, the outermost brackets from the right, until it is short enough.
std::string shortened(std::string name) {
  while (name.size() > kLongest) {
    int depth = 0;
    std::size_t open = name.npos, close = name.npos;
    for (std::size_t i = name.size(); i-- > 0 && open == name.npos;) {
      if (name[i] == '>' && i > 0 && name[i - 1] != '-' && depth++ == 0) close = i;
      if (name[i] == '<' && depth > 0 && --depth == 0 && name.substr(i, close - i) != "<..") open = i;
    }
    if (open == name.npos) break;
    name.replace(open, close - open + 1, "<..>");
  }
  return name;
}

}  // namespace

std::string readable_function(std::string name) {
  replace_all(name, "(anonymous namespace)::", "");
  replace_all(name, "[abi:cxx11]", "");
  for (const char* version : {"std::__cxx11::", "std::__1::", "std::__2::"}) replace_all(name, version, "std::");
  replace_all(name, "> >", ">>");
  replace_all(name, "> >", ">>");  // of three, the middle one was part of the first pair
  for (const char* argument : {"char_traits", "allocator", "default_delete", "less", "hash", "equal_to"})
    drop_default(name, argument);
  replace_all(name, "std::basic_string<char>", "std::string");
  replace_all(name, "std::basic_string_view<char>", "std::string_view");
  replace_all(name, "std::basic_ostream<char>", "std::ostream");
  return shortened(with_lambda_named(name));
}

std::string unqualified_name(const std::string& function) {
  int depth = 0;
  std::size_t begin = 0, end = function.size();
  for (std::size_t i = 0; i < function.size() && end == function.size(); ++i) {
    const char c = function[i];
    if (depth == 0 && (c == ':' || c == ' ')) begin = i + 1;
    if (depth == 0 && c == '(' && i > begin) end = i;
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
  }
  const std::string name = function.substr(begin, end - begin);
  return name.substr(0, name.find('<'));
}

bool is_library_source(const std::string& file) {
  static const std::regex library(
      "/usr/(lib/gcc|lib/llvm[^/]*|include/c\\+\\+|include/[^/]*linux[^/]*/(c\\+\\+|bits|sys|gnu|asm)|include/"
      "bits|include/sys|include/g(test|mock))/.*"
      "|/usr/include/[^/]*\\.h|/(usr/)?lib/.*");
  if (file.empty() || std::regex_match(file, library)) return true;
  if (file.find("/heddle/std/") != file.npos) return true;  // our own in place of the library's
  // How libstdc++.so and libc name their own sources.
  return file.find("/libstdc++-v3/") != file.npos || file.starts_with("./") || file.starts_with("../sysdeps/");
}

}  // namespace heddle::supervisor
