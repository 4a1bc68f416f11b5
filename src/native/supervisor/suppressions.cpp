#include "native/supervisor/suppressions.h"

#include <algorithm>
#include <fstream>

namespace heddle::supervisor {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool is_type(std::string_view type) {
  for (const char* other : {"thread", "mutex", "signal", "deadlock", "called_from_lib", "race_top", "race"})
    if (type == other) return true;
  return false;
}

bool any_fits(const std::vector<Suppression>& suppressions, const std::vector<std::string>& names, bool top) {
  return std::any_of(suppressions.begin(), suppressions.end(), [&](const Suppression& suppression) {
    return suppression.top == top && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
             return fits(suppression.pattern, name);
           });
  });
}

}  // namespace

Result<std::vector<Suppression>> read_suppressions(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Error{"cannot read the suppressions in \"" + path + "\"; check the path"};
  std::vector<Suppression> all;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    const auto colon = text.find(':');
    const std::string_view type = text.substr(0, colon);
    const std::string_view pattern = colon == text.npos ? std::string_view() : trimmed(text.substr(colon + 1));
    const std::string place = path + ":" + std::to_string(number) + ": ";
    if (colon == text.npos || !is_type(type))
      return Error{place + "\"" + std::string(text) + "\" is no suppression; write race:PATTERN or race_top:PATTERN"};
    if (pattern.empty() || pattern == "^" || pattern == "$")
      return Error{place + "the pattern is empty; name a function, a file, a library or an object, or write * for all"};
    if (type == "race" || type == "race_top") all.push_back({type == "race_top", std::string(pattern)});
  }
  return all;
}

std::vector<Suppression> faults_of_the_library() { return {{/*top=*/true, "^std::_Sp_atomic<"}}; }

bool fits(std::string_view pattern, std::string_view name) {
  if (name.empty()) return false;
  std::string glob(pattern);
  if (glob.starts_with('^'))
    glob.erase(0, 1);
  else
    glob.insert(0, "*");
  if (glob.ends_with('$'))
    glob.pop_back();
  else
    glob += '*';
  // The last '*' takes as little as it can; if the rest does not fit, one more.
  std::size_t g = 0, n = 0, star = glob.npos, taken = 0;
  while (n < name.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      taken = n;
    } else if (g < glob.size() && glob[g] == name[n]) {
      ++g;
      ++n;
    } else if (star != glob.npos) {
      g = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return std::all_of(glob.begin() + static_cast<std::ptrdiff_t>(g), glob.end(), [](char c) { return c == '*'; });
}

std::vector<protocol::SuppressedRace> suppressed_races(const std::vector<Suppression>& suppressions,
                                                       const protocol::WorkerResult& worker,
                                                       const NativeDescriber& describer) {
  std::vector<protocol::SuppressedRace> all;
  if (suppressions.empty()) return all;
  const auto first_pc = [&](std::uint32_t where) {
    return where < worker.positions.size() && !worker.positions[where].pcs.empty() ? worker.positions[where].pcs[0] : 0;
  };
  for (const protocol::FailureDetail& detail : worker.details) {
    const trace::Failure& failure = worker.result.findings[detail.finding].failure;
    if (failure.kind != trace::FailureKind::kDataRace) continue;
    std::vector<std::string> tops, names;
    for (const std::uint32_t where : {failure.where, detail.other_where}) {
      for (std::string& name : describer.names_at(where, NativeDescriber::Frames::kInnermost))
        tops.push_back(std::move(name));
      for (std::string& name : describer.names_at(where, NativeDescriber::Frames::kAll))
        names.push_back(std::move(name));
    }
    const bool on_heap = detail.block_size != 0;
    names.push_back(
        describer.place_name({detail.address, on_heap, detail.allocated_at, detail.block_size, detail.offset}));
    if (!any_fits(suppressions, names, false) && !any_fits(suppressions, tops, true)) continue;
    all.push_back({first_pc(failure.where), first_pc(detail.other_where),
                   describer.is_variable(detail.address) ? detail.address : 0});
  }
  return all;
}

}  // namespace heddle::supervisor
