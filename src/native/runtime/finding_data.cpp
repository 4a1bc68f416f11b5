#include "native/runtime/finding_data.h"

#include "native/runtime/checkpoint.h"
#include "native/runtime/data_log.h"
#include "native/runtime/inputs.h"
#include "native/runtime/runtime.h"

namespace heddle::runtime {
namespace {

constexpr std::size_t kMostFindings = 32;  // whose data is told
constexpr std::size_t kMostAccesses = 256;

// False: something else has happened.
bool run_again(trace::Program& program, const explore::Finding& finding) {
  std::vector<trace::Decision> steps;
  for (const trace::Step& s : finding.execution.steps) steps.push_back({s.thread, s.choice});
  checkpoints.forget();  // from the beginning
  inputs->use_least_for(finding.execution);
  trace::Execution again;
  explore::replay(program, steps, again);
  return again.steps.size() == finding.execution.steps.size() && again.outcome == finding.execution.outcome;
}

std::vector<std::uint64_t> numbers_to_tell(const std::vector<explore::SlicedAccess>& slice) {
  std::vector<std::uint64_t> numbers;
  for (const explore::SlicedAccess& access : slice) numbers.push_back(data_log.number_of(access.index));
  return numbers;
}

void tell_data_of(trace::Program& program, std::uint32_t index, protocol::WorkerResult& out) {
  const explore::Finding& finding = out.result.findings[index];
  data_log.write_all();
  if (!run_again(program, finding)) return;
  const auto slice = explore::data_slice(data_log.all(), finding, kMostAccesses);
  if (slice.empty()) return;
  data_log.write_details(numbers_to_tell(slice));
  if (!run_again(program, finding) || data_log.details().size() != slice.size()) return;
  for (std::size_t i = 0; i < slice.size(); ++i) {
    out.data.push_back(data_log.details()[i]);
    out.data.back().finding = index;
    out.data.back().distance = slice[i].distance;
  }
}

}  // namespace

void tell_data(trace::Program& program, protocol::WorkerResult& out) {
  const bool detailed = rt.detailed, shown = rt.output_shown;
  rt.detailed = true;
  rt.output_shown = false;
  for (std::size_t i = 0; i < std::min(out.result.findings.size(), kMostFindings); ++i)
    tell_data_of(program, static_cast<std::uint32_t>(i), out);
  data_log.stop();
  checkpoints.forget();
  rt.detailed = detailed;
  rt.output_shown = shown;
}

}  // namespace heddle::runtime
