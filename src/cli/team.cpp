#include "cli/team.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/front_end.h"
#include "cli/progress.h"
#include "dist/local_pool.h"
#include "native/supervisor/team.h"
#include "trace/archive.h"

namespace heddle::cli {
namespace {

constexpr const char* kModel = "model ";
constexpr std::uint32_t kWorkFormat = 2;  // of letters, items and what goes with them

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

// The command that explores the same model in the same way, beside the model's name.
std::vector<std::string> words_of(const RunRequest& request) {
  std::vector<std::string> words{"--settings=none", fmt::format("--spurious={}", request.spurious),
                                 fmt::format("--seed={}", request.strategy.seed)};
  std::istringstream strategy("--algorithm=" + explore::describe(request.strategy));
  for (std::string word; strategy >> word;) words.push_back(word);
  if (request.strategy.algorithm == explore::Algorithm::kPct)
    words.push_back(fmt::format("--pct-depth={}", request.strategy.pct_depth));
  if (request.max_steps) words.push_back(fmt::format("--max-steps={}", *request.max_steps));
  const InputRequest& in = request.inputs;
  if (!in.explore) words.push_back(fmt::format("--inputs=random:{}", in.seed));
  if (in.branches == "random") words.push_back(fmt::format("--branches=random:{}", in.branch_seed));
  std::string checks;
  for (const auto& [wanted, name] : {std::pair{in.division, "div"}, {in.bounds, "bounds"}, {in.overflow, "overflow"}})
    if (wanted) checks += (checks.empty() ? "" : ",") + std::string(name);
  words.push_back("--check=" + (checks.empty() ? "none" : checks));
  words.push_back(fmt::format("--symbolic-reads={}", in.symbolic_reads));
  words.push_back("--solver=" + in.solver);
  words.push_back(fmt::format("--solver-limit={}", in.solver_milliseconds));
  for (const auto& [name, value] : request.defines) words.push_back(fmt::format("-D{}={}", name, value));
  return words;
}

class ModelWorkshop final : public dist::Workshop {
 public:
  ModelWorkshop(ModelExplorers explorers, std::string folder, std::size_t number)
      : explorers_(std::move(explorers)),
        folder_(std::move(folder)),
        pool_(explorers_.make, {explorers_.strategy, nullptr, explorers_.assumptions}, number, /*apart=*/true) {}
  ~ModelWorkshop() override {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }
  dist::WorkPool& pool() override { return pool_; }

 private:
  ModelExplorers explorers_;
  std::string folder_;
  dist::LocalPool pool_;
};

}  // namespace

std::string build_name() { return fmt::format("heddle {} format {}", HEDDLE_VERSION, kWorkFormat); }

Result<Served> serve(const RunRequest& request) {
  Served served;
  served.access = {*request.serve, request.tls, "coordinator"};
  if (*request.serve == "local") {
    auto server = dist::LocalServer::start();
    if (!server) return server.error();
    served.server = std::move(*server);
    served.access.url = served.server->url();
  }
  const std::string tls = request.tls.empty() ? "" : " --tls=" + request.tls;
  served.note = "others join in with: heddle work " + served.access.url + tls;
  return served;
}

dist::Job model_job(const RunRequest& request) {
  trace::ArchiveWriter how;
  how.list(words_of(request), [&](const std::string& word) { how.text(word); });
  const std::string text = contents(request.program);
  return {kModel + std::filesystem::path(request.program).filename().string(),
          how.take(),
          {text.begin(), text.end()},
          build_name()};
}

Result<std::unique_ptr<dist::Workshop>> model_workshop(const dist::ReceivedJob& job, std::size_t explorers) {
  trace::ArchiveReader reader(job.how);
  std::vector<std::string> words;
  reader.list(words, [&](std::string& word) { reader.text(word); });
  auto read = reader.finish(words, "job");
  if (!read) return read.error();
  char name[] = "/tmp/heddle-work-XXXXXX";
  if (mkdtemp(name) == nullptr) return Error{"cannot make a folder in /tmp for the model; make room there"};
  const std::string file = std::string(name) + "/model.hed";
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(job.blob.data()), static_cast<std::streamsize>(job.blob.size()));
  out.close();
  if (!out) return Error{"cannot write \"" + file + "\"; make room there"};
  std::vector<const char*> argv{"heddle", "run", file.c_str()};
  for (const std::string& word : *read) argv.push_back(word.c_str());
  auto request = parse_command_line(static_cast<int>(argv.size()), argv.data());
  if (!request) return request.error();
  const auto* run = std::get_if<RunRequest>(&*request);
  if (run == nullptr) return Error{"the search sent something else than a search"};
  auto made = model_explorers(*run);
  if (!made) return made.error();
  return std::unique_ptr<dist::Workshop>(new ModelWorkshop(std::move(*made), name, explorers));
}

Result<int> work(const WorkRequest& request) {
  std::random_device random;
  const std::uint64_t hand = (std::uint64_t{random()} << 32) | random();
  auto transport = dist::connect({request.url, request.tls, "worker"}, {dist::kToAll, dist::to_hand(hand)});
  if (!transport) return transport.error();
  Interruption interruption;
  dist::HandOptions options;
  options.build = build_name();
  options.room = request.jobs;
  options.goes_on = [&] { return !interruption.requested(); };
  options.say = [](const std::string& text) { std::fprintf(stderr, "heddle: %s\n", text.c_str()); };
  options.make = [&](const dist::ReceivedJob& job,
                     const dist::AskSearch& ask) -> Result<std::unique_ptr<dist::Workshop>> {
    if (job.what.starts_with(kModel)) return model_workshop(job, request.jobs);
    return supervisor::make_workshop(job, ask, request.jobs, (*transport)->readable());
  };
  auto explored = dist::work(**transport, hand, options);
  if (!explored) return explored.error();
  fmt::print("{}: {} parts were explored here\n", interruption.requested() ? "stopped" : "the search is over",
             *explored);
  return kExitNoBug;
}

}  // namespace heddle::cli
