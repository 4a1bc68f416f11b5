// A position is a call stack of addresses. What a reader wants to see of it is the innermost line of the
// program's own: `m.lock()` in the program, not the line of <mutex> that calls pthread_mutex_lock. So inlined functions
// are unfolded, and frames of the standard library are passed over where there is anything else.
//
// An object is an address. Global and static variables have names, with the member from debug information. A heap
// block is named by the line that allocated it; if that line says `new Node` the member is known too. A local variable
// is found through the call stacks of the report: the frame that reaches around the address says whose it is.
#include "native/supervisor/describer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "native/supervisor/readable_names.h"
#include "native/supervisor/scalar_text.h"

namespace heddle::supervisor {
namespace {

// The runtime calls the thread's function. Its inlined functions come without their namespace.
bool is_runtime(const SourceFrame& frame) {
  return frame.function.starts_with("heddle::runtime::") || frame.file.find("/src/native/runtime/") != frame.file.npos;
}

std::string shown_path(const std::string& file) {
  std::error_code error;
  const auto here = std::filesystem::current_path(error);
  if (error) return file;
  const std::string relative = std::filesystem::path(file).lexically_relative(here).string();
  return relative.empty() || relative.starts_with("..") ? file : relative;
}

std::string shown_position(const SourceFrame& frame) {
  if (frame.file.empty() || frame.line == 0) return {};
  std::string text = shown_path(frame.file) + ":" + std::to_string(frame.line);
  if (frame.column != 0) text += ":" + std::to_string(frame.column);
  return text;
}

std::string line_of(const SourceFrame& frame) {
  std::ifstream file(frame.file);
  std::string line;
  for (std::uint32_t i = 0; i < frame.line; ++i)
    if (!std::getline(file, line)) return {};
  const auto first = line.find_first_not_of(" \t");
  const auto last = line.find_last_not_of(" \t\r");
  return first == line.npos ? std::string() : line.substr(first, last - first + 1);
}

// What a block was allocated for.
struct Allocated {
  std::string type;          // without arguments, if a template; empty: unknown
  std::uint64_t before = 0;  // bytes in front of the object: counts of its owners
};

// In `new Node{1}`, `make_unique<Node>(...)`, `make_shared<Node>(...)`, `(Node*)malloc(...)`, if the line says it.
Allocated allocated_at(const std::string& line) {
  constexpr std::uint64_t kCounts = 16;  // libstdc++'s, in front of what make_shared makes: a vptr and two counts
  static const struct {
    std::regex pattern;
    std::uint64_t before;
  } known[] = {
      {std::regex(R"(\bnew\s+(?:\([^)]*\)\s*)?([A-Za-z_][\w:]*))"), 0},
      {std::regex(R"(\bmake_unique(?:_for_overwrite)?\s*<\s*([A-Za-z_][\w:]*))"), 0},
      {std::regex(R"(\b(?:make|allocate)_shared(?:_for_overwrite)?\s*<\s*([A-Za-z_][\w:]*))"), kCounts},
      {std::regex(R"(sizeof\s*\(?\s*(?:struct\s+)?([A-Za-z_]\w*))"), 0},
  };
  std::smatch match;
  for (const auto& way : known)
    if (std::regex_search(line, match, way.pattern)) return {match[1], way.before};
  return {};
}

// Where threads were around a step, the nearest first.
std::vector<std::uint32_t> places_around(const trace::Execution& execution, std::size_t step) {
  constexpr std::size_t kMost = 256;
  const std::vector<trace::Step>& steps = execution.steps;
  std::vector<std::uint32_t> places;
  for (std::size_t distance = 0; distance < steps.size() && places.size() < kMost; ++distance) {
    if (step + distance < steps.size()) places.push_back(steps[step + distance].where);
    if (distance > 0 && distance <= step) places.push_back(steps[step - distance].where);
  }
  return places;
}

}  // namespace

NativeDescriber::NativeDescriber(const protocol::WorkerResult& worker)
    : threads_(worker.threads), objects_(worker.objects), positions_(worker.positions), symbolizer_(worker.modules) {
  if (!worker.modules.empty()) program_ = worker.modules.front().path;
  for (const protocol::InputLabel& l : worker.inputs.labels) input_labels_[{l.thread.value, l.ordinal}] = l.label;
  for (const protocol::LeftOpen& open : worker.inputs.left_open) want(open.where);
  for (const trace::Assumption& assumption : worker.result.assumptions)
    for (const std::uint32_t where : assumption.places) want(where);
  for (const explore::Gap& gap : worker.result.gaps)
    if (gap.cause == explore::Cause::kWaitsOpen) want(static_cast<std::uint32_t>(std::stoul(gap.detail)));
  for (const protocol::OrderNote& note : worker.orders) want(note.where);
  const std::set<std::uint32_t> objects = want_steps(worker.result);
  want_data(worker);
  for (const protocol::ThreadInfo& thread : threads_) want(thread.spawned_at);
  for (const std::uint32_t id : objects) {
    want(objects_[id].allocated_at);
    if (!objects_[id].on_heap) symbolizer_.want_data(objects_[id].address);
  }
  if (worker.result.findings.empty() && worker.result.kept.empty() && worker.inputs.left_open.empty() &&
      worker.orders.empty() && worker.result.assumptions.empty() && !worker.result.parted &&
      !worker.result.has_gap(explore::Cause::kWaitsOpen))
    return;
  symbolizer_.look_up();
  name_objects(objects);
  name_data(worker);
}

// Where the steps and failures of a result are. The objects that they speak of.
std::set<std::uint32_t> NativeDescriber::want_steps(const explore::ExploreResult& result) {
  std::set<std::uint32_t> objects;
  const auto mention = [&](const trace::Step& step) {
    want(step.where);
    if (step.op.object != kNoObject && step.op.object.index() < objects_.size()) objects.insert(step.op.object.value);
  };
  for (const explore::Finding& finding : result.findings) {
    if (finding.failure.kind == trace::FailureKind::kCrash) exact_.insert(finding.failure.where);
    want(finding.failure.where);
    for (const trace::Step& step : finding.execution.steps) mention(step);
    note_surroundings(finding.execution);
    for (const trace::Pending& pending : finding.execution.pending) mention(pending.step);
    for (const trace::Step& step : finding.explanation.reversed.steps) mention(step);
    for (const trace::Pending& pending : finding.explanation.reversed.pending) mention(pending.step);
    for (const trace::Failure& failure : finding.execution.failures) want(failure.where);
  }
  for (const trace::Execution& execution : result.kept)
    for (const trace::Step& step : execution.steps) mention(step);
  if (const auto& parted = result.parted)
    for (const auto& step : {parted->once, parted->again})
      if (step) mention(*step);
  return objects;
}

void NativeDescriber::want_data(const protocol::WorkerResult& worker) {
  for (const protocol::FailureDetail& detail : worker.details) {
    want(detail.other_where);
    want(detail.allocated_at);
    symbolizer_.want_data(detail.address);
  }
  for (const protocol::DataAccess& access : worker.data) {
    want(access.where);
    want(access.allocated_at);
    if (access.on_heap) continue;
    symbolizer_.want_data(access.address);
    if (access.finding < worker.result.findings.size() && !surroundings_.contains(access.address))
      surroundings_[access.address] = places_around(worker.result.findings[access.finding].execution, access.step);
  }
}

void NativeDescriber::name_data(const protocol::WorkerResult& worker) {
  for (const protocol::FailureDetail& detail : worker.details)
    if (detail.address != 0)
      names_.try_emplace(detail.address, name_place({detail.address, detail.block_size != 0, detail.allocated_at,
                                                     detail.block_size, detail.offset})
                                             .path);
  for (const protocol::DataAccess& access : worker.data) {
    if (data_.contains(access.address)) continue;
    Member named = name_place({access.address, access.on_heap, access.allocated_at, access.block_size, access.offset});
    // A container is told as a whole, not where in it that was.
    if (const auto plus = named.path.rfind('+'); named.container.before != 0 && plus != named.path.npos)
      named.path.erase(plus);
    data_[access.address] = std::move(named);
  }
}

Member NativeDescriber::data_at(std::uint64_t address) const {
  const auto known = data_.find(address);
  return known == data_.end() ? Member{} : known->second;
}

void NativeDescriber::want(std::uint32_t where) {
  if (where == 0 || where >= positions_.size()) return;
  const std::vector<std::uint64_t>& pcs = positions_[where].pcs;
  for (std::size_t i = 0; i < pcs.size(); ++i)
    symbolizer_.want_code(pcs[i] - (i == 0 && exact_.contains(where) ? 0 : 1));
}

void NativeDescriber::name_objects(const std::set<std::uint32_t>& objects) {
  for (const std::uint32_t id : objects) {
    const protocol::ObjectInfo& object = objects_[id];
    Member named = name_place({object.address, object.on_heap, object.allocated_at, object.block_size, object.offset});
    names_[object.address] = std::move(named.path);
    scalars_[object.address] = named.scalar;
  }
  // Two objects of one name (elements of a local array, blocks of one line) get the address' tail to tell them apart.
  std::map<std::string, std::vector<std::uint64_t>> by_name;
  for (const auto& [address, name] : names_) by_name[name].push_back(address);
  for (const auto& [name, addresses] : by_name) {
    if (addresses.size() == 1) continue;
    for (std::size_t i = 0; i < addresses.size(); ++i) names_[addresses[i]] = name + " #" + std::to_string(i + 1);
  }
}

Member NativeDescriber::name_place(const Place& place) {
  if (!place.on_heap) {
    const auto variable = symbolizer_.data(place.address);
    if (!variable) {
      Member local = name_local(place.address);
      if (local.path.empty()) local.path = symbolizer_.raw(place.address);
      return local;
    }
    // What stands for something that a library function keeps (runtime/hidden_state.cpp).
    constexpr std::string_view kHidden = "heddle_hidden_state_of_";
    if (variable->name.starts_with(kHidden))
      return {"the hidden state of " + variable->name.substr(kHidden.size()) + "()"};
    constexpr std::uint64_t kBytesOfDescriptor = 32;  // runtime/io_order.cpp
    if (variable->name == "heddle_descriptors")
      return {"descriptor " + std::to_string(variable->offset / kBytesOfDescriptor)};
    Member member = types_.member_of_variable(variable->module, variable->name, variable->offset);
    const bool known = !member.path.empty() || variable->offset == 0;
    member.path.insert(0, variable->name + (known ? "" : "+" + std::to_string(variable->offset)));
    return member;
  }
  const auto stack = frames(place.allocated_at);
  const SourceFrame* frame = own_frame(stack);
  if (frame == nullptr) return {"heap block of " + std::to_string(place.block_size) + " bytes"};
  const Allocated allocated = allocated_at(line_of(*frame));
  const std::string at = std::filesystem::path(frame->file).filename().string() + ":" + std::to_string(frame->line);
  const std::string block = "(" + (allocated.type.empty() ? std::string("block") : allocated.type) + " of " + at + ")";
  if (place.offset < allocated.before)
    return {block + "'s counts of owners" + (place.offset < 12 ? "" : ", weak ones")};
  const std::uint64_t offset = place.offset - allocated.before;
  Member member = allocated.type.empty()
                      ? Member{}
                      : types_.member_of_type(program_, allocated.type, place.block_size - allocated.before, offset);
  if (member.path.empty() && offset != 0) member.path = "+" + std::to_string(offset);
  member.path.insert(0, block);
  return member;
}

// A stack is used by one function after the other, and whose variable it was depends on when.
void NativeDescriber::note_surroundings(const trace::Execution& execution) {
  std::map<std::uint64_t, std::size_t> last;
  for (std::size_t i = 0; i < execution.steps.size(); ++i) {
    const ObjectId object = execution.steps[i].op.object;
    if (object != kNoObject && object.index() < objects_.size() && !objects_[object.index()].on_heap)
      last[objects_[object.index()].address] = i;
  }
  for (const auto& [address, step] : last)
    if (!surroundings_.contains(address)) surroundings_[address] = places_around(execution, step);
}

Member NativeDescriber::name_local(std::uint64_t address) {
  std::vector<std::uint32_t> order;
  if (const auto known = surroundings_.find(address); known != surroundings_.end()) order = known->second;
  for (std::uint32_t where = 0; where < positions_.size(); ++where) order.push_back(where);
  std::set<std::uint64_t> asked;
  for (const std::uint32_t where : order) {
    if (where >= positions_.size()) continue;
    const protocol::Position& position = positions_[where];
    const std::vector<std::uint64_t>& bounds = position.stack_pointers;
    for (std::size_t i = 0; i + 1 < bounds.size() && i < position.pcs.size(); ++i) {
      if (address < bounds[i] || address >= bounds[i + 1] || !asked.insert(position.pcs[i]).second) continue;
      const auto file = symbolizer_.in_file(position.pcs[i] - 1);
      if (!file || file->module != program_) continue;
      Member local = types_.local_variable({file->module, file->address, bounds[i], bounds[i + 1]}, address);
      if (!local.path.empty()) return local;
    }
  }
  return {};
}

std::string NativeDescriber::place_name(const Place& place) const {
  const auto found = names_.find(place.address);
  return found != names_.end() ? found->second : symbolizer_.raw(place.address);
}

std::vector<SourceFrame> NativeDescriber::frames(std::uint32_t where) const {
  std::vector<SourceFrame> all;
  if (where == 0 || where >= positions_.size()) return all;
  const std::vector<std::uint64_t>& pcs = positions_[where].pcs;
  for (std::size_t i = 0; i < pcs.size(); ++i) {
    const auto& inlined = symbolizer_.code(pcs[i] - (i == 0 && exact_.contains(where) ? 0 : 1));
    all.insert(all.end(), inlined.begin(), inlined.end());
  }
  return all;
}

const SourceFrame* NativeDescriber::own_frame(const std::vector<SourceFrame>& frames) const {
  for (const SourceFrame& frame : frames) {
    if (is_runtime(frame)) break;
    if (!is_library_source(frame.file)) return &frame;
  }
  return frames.empty() || frames.front().file.empty() ? nullptr : &frames.front();
}

std::vector<std::string> NativeDescriber::names_at(std::uint32_t where, Frames which) const {
  const std::vector<SourceFrame> all = frames(where);
  std::vector<std::string> names;
  const SourceFrame* own = own_frame(all);
  for (const SourceFrame& frame : all) {
    if (which == Frames::kInnermost && &frame != &all.front() && &frame != own) continue;
    if (is_runtime(frame)) continue;
    names.insert(names.end(), {frame.function, frame.function.substr(0, frame.function.find('(')), frame.file});
  }
  if (where == 0 || where >= positions_.size()) return names;
  for (const std::uint64_t pc : positions_[where].pcs) {
    if (const auto file = symbolizer_.in_file(pc - 1)) names.push_back(file->module);
    if (which == Frames::kInnermost) break;
  }
  return names;
}

namespace {

bool is_standard_library(const SourceFrame& frame) {
  return frame.file.find("/c++/") != frame.file.npos || frame.file.find("/heddle/std/") != frame.file.npos;
}

}  // namespace

bool NativeDescriber::inside_standard_library(std::uint32_t where) const {
  for (const SourceFrame& frame : frames(where)) {
    const std::string name = std::filesystem::path(frame.file).filename().string();
    if (!is_standard_library(frame)) return false;
    // Those only pass on what they are called with.
    const bool passes_on = name == "atomic" || name == "atomic_base.h" || name == "stdatomic.h" ||
                           frame.file.find("/__atomic/") != frame.file.npos;
    if (!passes_on) return true;
  }
  return false;
}

bool NativeDescriber::library_tells_of(std::uint32_t where) const {
  // Of attempts whether they have failed, of the rest what there was: by the standard neither orders anything.
  static constexpr std::string_view kTell[] = {"expired",
                                               "shared_lock",
                                               "stop_possible",
                                               "stop_requested",
                                               "try_acquire",
                                               "try_acquire_for",
                                               "try_acquire_until",
                                               "try_lock",
                                               "try_lock_for",
                                               "try_lock_shared",
                                               "try_lock_shared_for",
                                               "try_lock_shared_until",
                                               "try_lock_until",
                                               "try_wait",
                                               "unique",
                                               "unique_lock",
                                               "use_count",
                                               "wait_for",
                                               "wait_until"};
  std::optional<SourceFrame> called;  // by the program
  for (const SourceFrame& frame : frames(where)) {
    if (!is_standard_library(frame)) break;
    called = frame;
  }
  if (!called) return false;
  const std::string name = unqualified_name(called->function);
  const bool of_weak_pointer = name == "lock" && called->file.find("/shared_ptr") != called->file.npos;
  return of_weak_pointer || std::ranges::find(kTell, name) != std::end(kTell);
}

// As the runtime names it when it looks for a value that was given (native/runtime/inputs.cpp).
std::string NativeDescriber::input_name(const trace::InputValue& input) const {
  const auto known = input_labels_.find({input.thread.value, input.ordinal});
  const std::string who = input.thread.index() == 0 ? "main" : "t" + std::to_string(input.thread.value);
  return (known == input_labels_.end() ? "input" : known->second) + "[" + who + "," + std::to_string(input.ordinal) +
         "]";
}

std::string NativeDescriber::thread_name(ThreadId thread) const {
  if (thread.index() < threads_.size() && !threads_[thread.index()].name.empty()) return threads_[thread.index()].name;
  return thread.value == 0 ? "main" : "T" + std::to_string(thread.value);
}

std::string NativeDescriber::value_text(ObjectId object, std::uint64_t value) const {
  Scalar scalar;
  if (object.index() < objects_.size())
    if (const auto known = scalars_.find(objects_[object.index()].address); known != scalars_.end())
      scalar = known->second;
  return scalar_text(scalar, value);
}

std::string NativeDescriber::object_name(ObjectId object) const {
  if (object.index() >= objects_.size()) return "object " + std::to_string(object.value);
  const protocol::ObjectInfo& info = objects_[object.index()];
  if (info.kind == protocol::ObjectKind::kRequests)
    return "requests to " + thread_name(ThreadId(static_cast<std::uint16_t>(info.offset)));
  return place_name({info.address, info.on_heap, info.allocated_at, info.block_size, info.offset});
}

std::string NativeDescriber::position(std::uint32_t where) const {
  const auto all = frames(where);
  const SourceFrame* frame = own_frame(all);
  if (frame != nullptr) return shown_position(*frame);
  if (where == 0 || where >= positions_.size() || positions_[where].pcs.empty()) return {};
  return symbolizer_.raw(positions_[where].pcs.front());
}

std::string NativeDescriber::source_line(std::uint32_t where) const {
  const auto all = frames(where);
  const SourceFrame* frame = own_frame(all);
  return frame == nullptr ? std::string() : line_of(*frame);
}

std::vector<std::string> NativeDescriber::stack(std::uint32_t where) const {
  std::vector<std::string> lines;
  for (const SourceFrame& frame : frames(where)) {
    if (is_library_source(frame.file)) continue;
    if (is_runtime(frame)) break;
    const std::string at = shown_position(frame);
    lines.push_back(readable_function(frame.function) + (at.empty() ? "" : "  " + at));
    if (frame.function == "main") break;
  }
  return lines;
}

}  // namespace heddle::supervisor
