// Where a kind of program meets the engine: one function per kind to explore it and one to replay it. Front ends
// and algorithms do not know each other; they meet here.
#pragma once

#include <functional>
#include <memory>

#include "cli/request.h"
#include "dist/local_pool.h"
#include "explore/explorer.h"
#include "trace/coverage.h"
#include "trace/program.h"

namespace heddle::cli {

enum class ProgramKind : std::uint8_t { kModel, kNativeSource, kNativeExecutable };

// By the file's name, or for an executable its first bytes. An error if there is no such file.
Result<ProgramKind> kind_of(const std::string& path);

// What came out, and how to speak about it.
struct ExploredProgram {
  explore::ExploreResult result;
  std::unique_ptr<trace::Describer> describer;
  trace::SavedSchedule origin;                  // without steps
  std::string note;                             // something about the run that the user should know; may be empty
  std::string output;                           // what the program printed in the first failing execution
  std::string statistics = {};                  // lines for --stats
  std::vector<explore::Progress> history = {};  // what the observer was told
  bool followed = true;                         // a replay: along its schedule to the end
  bool alone = false;                           // one execution of one thread, so nothing that schedules could change
  bool skipped = false;                         // a test that says it is not to be run
};

using Observer = std::function<bool(const explore::Progress&)>;

Result<ExploredProgram> explore_model(const RunRequest& request, const Observer& observer);
// Explorers of a model for a search that somebody else keeps.
struct ModelExplorers {
  dist::OwnProgramFactory make;
  explore::StrategyOptions strategy;
  std::function<std::vector<trace::Assumption>()> assumptions;
};
Result<ModelExplorers> model_explorers(const RunRequest& request);
// Names of the tests in a native program; none if it is a whole program, or a model.
Result<std::vector<std::string>> tests_of(const RunRequest& request);
Result<ExploredProgram> explore_native(const RunRequest& request, const Observer& observer);

// The request that leads to the same program again: its options without the steps.
Result<RunRequest> request_of(const trace::SavedSchedule& saved);

// One execution along `saved.steps`; `saved.program` can be opened as it stands. If the program has changed since, the
// note says so, and how far the schedule could be followed.
Result<ExploredProgram> replay_model(const trace::SavedSchedule& saved);
Result<ExploredProgram> replay_native(const trace::SavedSchedule& saved);
// The same execution in gdb; `replayed` is what replay_native said about it.
Result<int> debug_native(const trace::SavedSchedule& saved, const ExploredProgram& replayed);

// How many executions a run may have for its tree to be drawn.
inline constexpr std::uint32_t kLargestTree = 300;

// The options of the engine that `request` asks for.
explore::ExploreOptions engine_options(const RunRequest& request, const Observer& observer);

// In lcov's format.
std::optional<Error> write_coverage(const std::string& path, const trace::Coverage& coverage);

Result<ExploredProgram> explore_by_kind(const RunRequest& request, const Observer& observer);
Result<ExploredProgram> replay_by_kind(const trace::SavedSchedule& saved);

// What is to be said of a replay, the same for every kind of program: whether it followed, whether it did what the
// schedule was saved for, and if not, whether the program has changed and how far it followed. `replayed.origin` has
// the identity of the program as it is.
void judge_replay(const trace::SavedSchedule& saved, ExploredProgram& replayed);

// How far a replay came, in words; empty if the program is the same and it came to the end.
std::string following_note(const trace::SavedSchedule& saved, const ExploredProgram& replayed);

}  // namespace heddle::cli
