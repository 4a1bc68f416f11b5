#include "native/supervisor/grouping.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::supervisor {

using protocol::FailureDetail;
namespace {

using explore::Finding;
using trace::FailureKind;

// "pool.cpp:31" of "pool.cpp:31:9".
std::string line_of(const std::string& position) {
  const std::size_t column = position.rfind(':');
  const bool two = column != position.npos && column > 0 && position.rfind(':', column - 1) != position.npos;
  return two ? position.substr(0, column) : position;
}

// "ring.cell_" of "ring.cell_[1]".
std::string without_indices(std::string name) {
  for (std::size_t open; (open = name.find('[')) != name.npos;) {
    const std::size_t close = name.find(']', open);
    if (close == name.npos) break;
    name.erase(open, close - open + 1);
  }
  return name.substr(0, name.find(" #"));  // blocks of one line
}

using Cause = std::tuple<std::string, std::string, std::string>;

Cause cause_of(const Finding& finding, const FailureDetail& detail, const NativeDescriber& describer) {
  std::string one = line_of(describer.position(finding.failure.where));
  std::string two = line_of(describer.position(detail.other_where));
  if (two < one) std::swap(one, two);
  return {one, two,
          without_indices(describer.place_name(
              {detail.address, detail.block_size != 0, detail.allocated_at, detail.block_size, detail.offset}))};
}

bool ends_it(FailureKind kind) {
  switch (kind) {
    case FailureKind::kDeadlock:
    case FailureKind::kCrash:
    case FailureKind::kAbort:
    case FailureKind::kUncaughtException:
    case FailureKind::kUseAfterFree:
    case FailureKind::kDoubleFree:
    case FailureKind::kInvalidFree:
    case FailureKind::kHeapOverflow:
      return true;
    default:
      return false;
  }
}

}  // namespace

void group_findings(protocol::WorkerResult& worker, const NativeDescriber& describer) {
  std::vector<Finding>& findings = worker.result.findings;
  std::vector<const FailureDetail*> detail_of(findings.size(), nullptr);
  for (const FailureDetail& detail : worker.details)
    if (detail.finding < findings.size()) detail_of[detail.finding] = &detail;
  std::map<Cause, std::size_t> known;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].failure.kind == FailureKind::kDataRace && detail_of[i] != nullptr) {
      const auto [first, added] = known.try_emplace(cause_of(findings[i], *detail_of[i], describer), i);
      if (!added) {
        findings[first->second].count += findings[i].count;
        continue;
      }
    }
    order.push_back(i);
  }
  std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return ends_it(findings[i].failure.kind); });
  std::vector<Finding> grouped;
  std::vector<FailureDetail> details;
  for (const std::size_t i : order) {
    if (detail_of[i] != nullptr) {
      details.push_back(*detail_of[i]);
      details.back().finding = static_cast<std::uint32_t>(grouped.size());
    }
    grouped.push_back(std::move(findings[i]));
  }
  findings = std::move(grouped);
  worker.details = std::move(details);
}

}  // namespace heddle::supervisor
