// heddle-cc and heddle-c++: a compiler that instruments. One program, told apart by its name.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "native/wrapper/invocation.h"
#include "native/wrapper/options.h"
#include "native/wrapper/plan.h"
#include "native/wrapper/toolchain.h"

extern char** environ;

namespace {

using namespace heddle;
using namespace heddle::wrapper;

// Bad usage of Heddle itself; the compiler's own failures keep its code.
constexpr int kUsageError = 3;

void print_help() {
  std::string text = std::string(kSummary) + "\n" + std::string(kDescription) + " Their own options:\n\n";
  for (const Option& option : kOptions) {
    std::string name(option.name);
    name.resize(std::max<std::size_t>(name.size(), 26), ' ');
    text += "  " + name + " " + std::string(option.help) + "\n";
  }
  std::fputs(text.c_str(), stdout);
}

std::vector<char*> as_argv(const Command& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

int cannot_start(const Command& command) {
  std::fprintf(stderr, "heddle: cannot start %s: %s; install it, or set HEDDLE_CC and HEDDLE_CXX\n", command[0].c_str(),
               std::strerror(errno));
  return kUsageError;
}

int run(const Command& command) {
  const std::vector<char*> argv = as_argv(command);
  pid_t child = 0;
  errno = posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ);
  if (errno != 0) return cannot_start(command);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run(const Plan& plan) {
  // The usual case replaces this process, so that signals and the exit code are the compiler's.
  if (plan.commands.size() == 1 && plan.temporary_files.empty()) {
    const std::vector<char*> argv = as_argv(plan.commands[0]);
    execvp(argv[0], argv.data());
    return cannot_start(plan.commands[0]);
  }
  int code = 0;
  for (std::size_t i = 0; i < plan.commands.size() && code == 0; ++i) code = run(plan.commands[i]);
  for (const std::string& file : plan.temporary_files) unlink(file.c_str());
  return code;
}

void print(const Plan& plan) {
  for (const Command& command : plan.commands) {
    for (std::size_t i = 0; i < command.size(); ++i)
      std::printf("%s%s", i == 0 ? "" : " ",
                  command[i].find(' ') == std::string::npos ? command[i].c_str() : ("'" + command[i] + "'").c_str());
    std::printf("\n");
  }
}

Language language_of(const char* name) {
  const std::size_t length = std::strlen(name);
  const bool cxx = length >= 2 && std::strcmp(name + length - 2, "++") == 0;
  return cxx ? Language::kCxx : Language::kC;
}

int complain(const Error& error) {
  std::fprintf(stderr, "heddle: %s\n", error.message.c_str());
  return kUsageError;
}

std::string scratch_prefix() {
  const char* directory = std::getenv("TMPDIR");
  return std::string(directory != nullptr && *directory != 0 ? directory : "/tmp") + "/heddle-" +
         std::to_string(getpid()) + "-";
}

}  // namespace

int main(int argc, char** argv) {
  const Result<Invocation> invocation = parse_invocation(std::vector<std::string>(argv + 1, argv + argc));
  if (!invocation) return complain(invocation.error());
  if (invocation.value().help) {
    print_help();
    return 0;
  }
  const Result<Toolchain> toolchain = find_toolchain(language_of(argv[0]));
  if (!toolchain) return complain(toolchain.error());
  const Result<Plan> plan = make_plan(invocation.value(), toolchain.value(), find_installation(), scratch_prefix());
  if (!plan) return complain(plan.error());
  if (invocation.value().dry_run) {
    print(plan.value());
    return 0;
  }
  return run(plan.value());
}
