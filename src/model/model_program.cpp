#include "model/model_program.h"

#include <sys/stat.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/random.h"
#include "model/parser.h"

namespace heddle::model {
namespace {

constexpr std::size_t kMaxSource = 16u << 20;
constexpr const char* kUndecidedTogether = "the solver could not decide a combination of branches";

std::uint64_t hash(std::uint64_t seed, std::string_view text) {
  for (const char c : text) seed = combine(seed, static_cast<unsigned char>(c));
  return combine(seed, text.size());
}

std::uint64_t identity_of(std::string_view text, const Defines& defines) {
  std::uint64_t h = hash(0, text);
  for (const auto& [name, value] : defines) h = combine(hash(h, name), static_cast<std::uint64_t>(value));
  return h;
}

}  // namespace

ModelProgram::ModelProgram(Source source, Code code, std::uint64_t identity, const ModelOptions& options)
    : source_(std::move(source)), code_(std::move(code)), identity_(identity), interpreter_(code_, options) {}

std::vector<std::uint32_t> ModelProgram::weaker_orders() const {
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < code_.instructions.size(); ++i)
    if (code_.instructions[i].order != trace::MemoryOrder::kSeqCst ||
        code_.instructions[i].failure != trace::MemoryOrder::kSeqCst)
      places.push_back(code_.places[i] + 1);
  return places;
}

void ModelProgram::give_orders(std::span<const trace::OrderAt> orders, std::span<const trace::FenceAt> fences) {
  for (const auto& [instruction, own] : own_orders_) {
    code_.instructions[instruction].order = own.order;
    code_.instructions[instruction].failure = own.failure;
  }
  own_orders_.clear();
  for (std::size_t i = 0; i < code_.instructions.size(); ++i) {
    Instruction& instruction = code_.instructions[i];
    if (!has_order(instruction.op)) continue;
    const std::uint32_t where = code_.places[i] + 1;
    instruction.fence = trace::MemoryOrder::kRelaxed;
    for (const trace::FenceAt& at : fences)
      if (at.where == where && instruction.op != Op::kFence) instruction.fence = at.order;
    for (const trace::OrderAt& at : orders) {
      if (at.where != where) continue;
      own_orders_.emplace_back(i, OwnOrders{instruction.order, instruction.failure});
      const trace::MemoryOrder order = order_there(at, instruction.order);
      instruction.order = order;
      instruction.failure = order_there(at, instruction.failure, true);
      if (order == trace::MemoryOrder::kSeqCst) continue;
      // Where a load and a store share a place each gets its part.
      if (instruction.op == Op::kLoad) instruction.order = weaker_of(order, trace::MemoryOrder::kAcquire);
      if (instruction.op == Op::kStore) instruction.order = weaker_of(order, trace::MemoryOrder::kRelease);
    }
  }
}

std::string ModelProgram::position(std::uint32_t where) const {
  return where == 0 ? std::string() : source_.place(where - 1);
}

std::string ModelProgram::source_line(std::uint32_t where) const {
  if (where == 0) return {};
  std::string_view line = source_.line_at(where - 1);
  const auto first = line.find_first_not_of(" \t");
  if (first == line.npos) return {};
  line.remove_prefix(first);
  return std::string(line.substr(0, line.find_last_not_of(" \t") + 1));
}

bool ModelProgram::feasible(std::span<const trace::Step* const> steps) {
  symbolic::InputSpace* space = interpreter_.inputs();
  if (space == nullptr) return true;
  std::vector<symbolic::TermId> conditions;
  for (const trace::Step* s : steps)
    if (s->op.kind == trace::OpKind::kBranch || s->op.kind == trace::OpKind::kAssume)
      conditions.push_back(space->condition(symbolic::TermId(static_cast<std::uint32_t>(s->op.before)), s->choice));
  symbolic::Assignment inputs;
  const symbolic::Answer answer = space->queries().ask(std::move(conditions), space->last_inputs(), inputs);
  undecided_ = undecided_ || answer == symbolic::Answer::kUnknown;
  return answer == symbolic::Answer::kSat;
}

std::string ModelProgram::left_open() const {
  std::map<Offset, std::string> all = left_open_elsewhere_;
  all.insert(interpreter_.left_open().begin(), interpreter_.left_open().end());
  std::string text;
  for (const auto& [at, what] : all) text += (text.empty() ? "" : "; ") + source_.place(at) + ": " + what;
  if (undecided_) text += std::string(text.empty() ? "" : "; ") + kUndecidedTogether;
  return text;
}

std::map<std::uint32_t, std::string> ModelProgram::take_left_open() {
  std::map<std::uint32_t, std::string> open;
  for (auto& [at, what] : interpreter_.take_left_open()) open[at + 1] = what;
  if (std::exchange(undecided_, false)) open[0] = kUndecidedTogether;
  return open;
}

void ModelProgram::leave_open(const std::map<std::uint32_t, std::string>& open) {
  for (const auto& [where, what] : open) {
    undecided_ = undecided_ || where == 0;
    if (where > 0) left_open_elsewhere_.try_emplace(where - 1, what);
  }
}

Result<std::unique_ptr<ModelProgram>> load_model_text(std::string text, const std::string& name, const Defines& defines,
                                                      const ModelOptions& options) {
  if (text.size() > kMaxSource) return Error{name + ": the file has more than 16 MiB; this cannot be a model"};
  Source source(name, std::move(text));
  try {
    const Tree tree = parse(source.text());
    Code code = compile(tree, source.text(), defines);
    const std::uint64_t identity = identity_of(source.text(), defines);
    return std::make_unique<ModelProgram>(std::move(source), std::move(code), identity, options);
  } catch (const Complaint& complaint) {
    return source.error(complaint);
  }
}

Result<std::unique_ptr<ModelProgram>> load_model(const std::string& path, const Defines& defines,
                                                 const ModelOptions& options) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0)
    return Error{path + ": cannot be opened: " + std::strerror(errno) + "; check the path"};
  if (S_ISDIR(info.st_mode)) return Error{path + ": is a directory; name a model file (.hed)"};
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return Error{path + ": cannot be read: " + std::strerror(errno) + "; check its permissions"};
  return load_model_text(std::move(text).str(), path, defines, options);
}

}  // namespace heddle::model
