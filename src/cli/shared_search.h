// One search by several explorers (-j), or one that outlives its process (--journal): both are src/dist.
#pragma once

#include "dist/crew.h"
#include "dist/local_pool.h"
#include "explore/explorer.h"

namespace heddle::cli {

struct SharedSearch {
  dist::OwnProgramFactory make_program;
  std::size_t jobs = 1;
  std::optional<std::string> journal;
  // For the journal: what the search is about, and all options that decide what is explored.
  std::string program;
  std::uint64_t fingerprint = 0;
  std::string settings;
  // What verdicts rest on that the programs have learnt so far.
  std::function<std::vector<trace::Assumption>()> assumptions;
  // Hands on other machines join in, with this job.
  std::optional<dist::Credentials> serve = {};
  dist::Job job = {};
  // Of a program that explains what was found: it learns the numbers that this speaks of. Null: there are none.
  dist::OwnNumbers* numbers = nullptr;
};

// Why the algorithm cannot be explored so; nothing: it can.
std::optional<Error> refusal(const explore::StrategyOptions& strategy, const std::optional<std::string>& journal);

struct SharedResult {
  explore::ExploreResult result;
  std::string note;  // what the user should know
};
Result<SharedResult> explore_together(const explore::ExploreOptions& engine, const SharedSearch& shared);

}  // namespace heddle::cli
