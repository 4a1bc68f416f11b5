// Where a kind of program meets the engine: one function per kind to explore it and one to replay it. Front ends
// and algorithms do not know each other; they meet here.
#pragma once

#include <functional>
#include <memory>

#include "cli/request.h"
#include "explore/explorer.h"
#include "trace/program.h"

namespace heddle::cli {

enum class ProgramKind : std::uint8_t { kModel, kNativeSource, kNativeExecutable };

// By the file's name, or for an executable its first bytes. An error if there is no such file.
Result<ProgramKind> kind_of(const std::string& path);

// What came out, and how to speak about it.
struct Explored {
  explore::ExploreResult result;
  std::unique_ptr<trace::Describer> describer;
  trace::SavedSchedule origin;   // without steps
  std::string note;              // something about the run that the user should know; may be empty
  std::string output;            // what the program printed in the first failing execution
  std::vector<explore::Progress> history = {};   // what the observer was told
};

using Observer = std::function<bool(const explore::Progress&)>;

Result<Explored> explore_model(const RunRequest& request, const Observer& observer);
Result<Explored> explore_native(const RunRequest& request, const Observer& observer);

// One execution along `saved.steps`; `saved.program` can be opened as it stands.
Result<Explored> replay_model(const trace::SavedSchedule& saved);
Result<Explored> replay_native(const trace::SavedSchedule& saved);

// How many executions a run may have for its tree to be drawn.
inline constexpr std::uint32_t kLargestTree = 300;

// The options of the engine that `request` asks for.
explore::ExploreOptions engine_options(const RunRequest& request, const Observer& observer);

// The result of a replayed execution, as if it had been a whole exploration.
explore::ExploreResult replay_result(trace::Execution execution, const trace::SavedSchedule& saved);

}  // namespace heddle::cli
