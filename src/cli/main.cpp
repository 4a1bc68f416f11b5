#include <cstdio>

#include "cli/commands.h"

namespace heddle::cli {
namespace {

Result<int> dispatch(const Request& request) {
  if (const auto* information = std::get_if<Information>(&request)) {
    std::fputs(information->text.c_str(), stdout);
    return kExitNoBug;
  }
  if (const auto* r = std::get_if<RunRequest>(&request)) return run(*r);
  if (const auto* r = std::get_if<ReplayRequest>(&request)) return replay(*r);
  if (const auto* r = std::get_if<UnfoldRequest>(&request)) return unfold(*r);
  if (const auto* r = std::get_if<CompareRequest>(&request)) return compare(*r);
  if (const auto* r = std::get_if<StatusRequest>(&request)) return status(*r);
  if (const auto* r = std::get_if<WorkRequest>(&request)) return work(*r);
  return list_algorithms();
}

int main_with(int argc, const char* const* argv) {
  auto request = parse_command_line(argc, argv);
  Result<int> code = request ? dispatch(*request) : Result<int>(request.error());
  if (code && std::fflush(stdout) != 0) code = Error{"cannot write to standard output"};
  if (code) return *code;
  std::fprintf(stderr, "heddle: %s\n", code.error().message.c_str());
  return kExitError;
}

}  // namespace
}  // namespace heddle::cli

int main(int argc, char** argv) { return heddle::cli::main_with(argc, argv); }
