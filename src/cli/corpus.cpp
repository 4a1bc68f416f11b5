#include "cli/corpus.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/random.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t h = text.size();
  for (const char c : text) h = combine(h, static_cast<unsigned char>(c));
  return h;
}

std::string hex(std::uint64_t value) {
  char buffer[17];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, 16);
  return std::string(buffer, end);
}

// By name, not by content: it should outlive every edit of the program.
fs::path folder_of(const RunRequest& request) {
  const fs::path program(request.program);
  std::string variant = request.native.test;
  for (const auto& [name, value] : request.defines) variant += "\n" + name + "=" + std::to_string(value);
  for (const std::string& flag : request.native.flags) variant += "\n" + flag;
  for (const std::string& argument : request.native.arguments) variant += "\n" + argument;
  std::string name = program.filename().string();
  if (!variant.empty()) name += "-" + hex(hash_of(variant));
  return fs::path(*request.corpus) / name;
}

Result<std::vector<fs::path>> kept_schedules(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  if (!fs::exists(folder, error)) return files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".schedule") files.push_back(entry.path());
  if (error) return Error{"cannot read the corpus \"" + folder.string() + "\": " + error.message() + "; check its permissions"};
  std::sort(files.begin(), files.end());
  return files;
}

Result<trace::SavedSchedule> read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  auto saved = trace::parse_schedule(std::move(text).str());
  if (!saved) return Error{file.string() + ": " + saved.error().message};
  return saved;
}

std::optional<Error> write(const fs::path& folder, const std::string& kind, const trace::SavedSchedule& schedule) {
  std::string steps;
  for (const trace::Decision& d : schedule.steps) steps += std::to_string(d.thread.value) + ">" + std::to_string(d.choice) + " ";
  const fs::path file = folder / (kind + "-" + hex(hash_of(steps)) + ".schedule");
  std::error_code error;
  fs::create_directories(folder, error);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << to_text(schedule) << std::flush;
  if (out) return std::nullopt;
  return Error{"cannot write \"" + file.string() + "\"; check that the corpus is a folder and writable"};
}

}  // namespace

Result<std::optional<Explored>> run_corpus(const RunRequest& request) {
  auto files = kept_schedules(folder_of(request));
  if (!files) return files.error();
  std::size_t run = 0;
  for (const fs::path& file : *files) {
    auto saved = read(file);
    if (!saved) return saved.error();
    saved->program = request.program;
    auto replayed = replay_by_kind(*saved);
    if (!replayed) return replayed.error();
    ++run;
    if (!could_be_followed(replayed->result)) {
      std::error_code error;
      fs::remove(file, error);
    }
    if (replayed->result.findings.empty() || request.all) continue;
    replayed->result.algorithm = "corpus";
    replayed->result.executions = run;
    replayed->result.reason = "a schedule of the corpus failed: " + file.string();
    return std::optional<Explored>(std::move(*replayed));
  }
  return std::optional<Explored>();
}

std::optional<Error> keep_in_corpus(const RunRequest& request, const Explored& explored) {
  const fs::path folder = folder_of(request);
  for (const explore::Finding& finding : explored.result.findings) {
    trace::SavedSchedule schedule = explored.origin;
    schedule.expect = trace::name_of(finding.failure.kind);
    schedule.steps = finding.schedule;
    if (auto error = write(folder, schedule.expect, schedule)) return error;
    if (finding.explanation.reversed_schedule.empty()) continue;
    schedule.expect.clear();
    schedule.steps = finding.explanation.reversed_schedule;
    if (auto error = write(folder, "near-miss", schedule)) return error;
  }
  return std::nullopt;
}

}  // namespace heddle::cli
