#include "cli/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/random.h"
#include "trace/input_names.h"

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

// The program's path as it was given, in one word: "examples%2Fbank.hed". However it was written, what lies below the
// current folder is named from there, so that a corpus under version control fits every checkout.
std::string word_for(const std::string& program) {
  fs::path path = fs::path(program).lexically_normal();
  std::error_code error;
  if (path.is_absolute())
    if (const fs::path below = path.lexically_relative(fs::current_path(error));
        !below.empty() && *below.begin() != "..")
      path = below;
  std::string word;
  for (const char c : path.string()) {
    if (c == '/')
      word += "%2F";
    else if (c == '%')
      word += "%25";
    else
      word += c;
  }
  return word;
}

// By name, not by content: it should outlive every edit of the program.
fs::path folder_of(const RunRequest& request) {
  std::string variant = request.native.test;
  for (const auto& [name, value] : request.defines) variant += "\n" + name + "=" + std::to_string(value);
  for (const std::string& flag : request.native.flags) variant += "\n" + flag;
  for (const std::string& argument : request.native.arguments) variant += "\n" + argument;
  std::string name = word_for(request.program);
  if (!variant.empty()) name += "-" + hex(hash_of(variant));
  return fs::path(*request.corpus) / name;
}

// An hour of exploring is not for nothing: whether its findings can be kept is known before.
std::optional<Error> unwritable(const fs::path& corpus, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(corpus, error);
  const fs::path probe = (fs::exists(folder, error) ? folder : corpus) / ".heddle-probe";
  if (std::ofstream(probe)) {
    fs::remove(probe, error);
    return std::nullopt;
  }
  return Error{"cannot write into the corpus \"" + probe.parent_path().string() +
               "\"; check that it is a folder and writable"};
}

Result<std::vector<fs::path>> kept_schedules(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  if (!fs::exists(folder, error)) return files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".schedule") files.push_back(entry.path());
  if (error)
    return Error{"cannot read the corpus \"" + folder.string() + "\": " + error.message() + "; check its permissions"};
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
  for (const trace::Decision& d : schedule.steps)
    steps += std::to_string(d.thread.value) + ">" + std::to_string(d.choice) + " ";
  const fs::path file = folder / (kind + "-" + hex(hash_of(steps)) + ".schedule");
  std::error_code error;
  fs::create_directories(folder, error);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << to_text(schedule) << std::flush;
  if (out) return std::nullopt;
  return Error{"cannot write \"" + file.string() + "\"; check that the corpus is a folder and writable"};
}

}  // namespace

Result<CorpusRun> run_corpus(const RunRequest& request) {
  const fs::path folder = folder_of(request);
  if (auto error = unwritable(*request.corpus, folder)) return *error;
  auto files = kept_schedules(folder);
  if (!files) return files.error();
  CorpusRun out;
  std::size_t failed = 0, lost = 0;
  for (const fs::path& file : *files) {
    auto saved = read(file);
    if (!saved) return saved.error();
    saved->program = request.program;
    auto replayed = replay_by_kind(*saved);
    if (!replayed) return replayed.error();
    if (!replayed->followed) ++lost;
    if (replayed->result.findings.empty()) continue;
    ++failed;
    if (out.failed || request.all) continue;
    replayed->result.algorithm = "corpus";
    replayed->result.executions = files->size();
    replayed->result.gaps = {{explore::Cause::kCorpus, file.string()}};
    out.failed = std::move(*replayed);
  }
  if (!files->empty())
    out.note = fmt::format("corpus: {} schedule{} run, {} failed, {} can no longer be followed", files->size(),
                           files->size() == 1 ? "" : "s", failed, lost);
  return out;
}

std::optional<Error> keep_in_corpus(const RunRequest& request, const ExploredProgram& explored) {
  const fs::path folder = folder_of(request);
  for (const explore::Finding& finding : explored.result.findings) {
    trace::SavedSchedule schedule = explored.origin;
    schedule.expect = trace::name_of(finding.failure.kind);
    schedule.steps = finding.schedule;
    schedule.inputs = trace::inputs_by_name(finding.execution, *explored.describer);
    if (auto error = write(folder, schedule.expect, schedule)) return error;
    if (finding.explanation.reversed_schedule.empty()) continue;
    schedule.expect.clear();
    schedule.inputs = trace::inputs_by_name(finding.explanation.reversed, *explored.describer);
    schedule.steps = finding.explanation.reversed_schedule;
    if (auto error = write(folder, "near-miss", schedule)) return error;
  }
  return std::nullopt;
}

}  // namespace heddle::cli
