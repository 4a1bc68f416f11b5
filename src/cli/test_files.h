// `--tests=DIR`: one file per explored class, inputs and schedule, that `heddle replay` accepts, and a C++ test that
// replays them all.
#pragma once

#include <string>

#include "base/result.h"
#include "trace/program.h"
#include "trace/schedule.h"

namespace heddle::cli {

class TestFiles {
 public:
  static Result<TestFiles> in(const std::string& folder, const trace::SavedSchedule& origin,
                              const trace::Describer& describer);
  void add(const trace::Execution& execution);

 private:
  TestFiles(std::string folder, const trace::SavedSchedule& origin, const trace::Describer& describer)
      : folder_(std::move(folder)), origin_(origin), describer_(&describer) {}

  std::string folder_;
  trace::SavedSchedule origin_;
  const trace::Describer* describer_;
  std::size_t count_ = 0;
};

}  // namespace heddle::cli
