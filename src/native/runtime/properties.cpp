#include "native/runtime/properties.h"

#include <link.h>
#include <pthread.h>

#include <algorithm>

#include "base/assert.h"
#include "native/runtime/inputs.h"
#include "native/runtime/learnt.h"
#include "native/runtime/object_state.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/remote_solver.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shadow.h"

namespace heddle::runtime {

using protocol::ObjectKind;
namespace {

constexpr std::uint64_t kUnknown = ~0ull;

// The executable is the first.
int take_bias(dl_phdr_info* info, std::size_t, void* argument) {
  *static_cast<std::uint64_t*>(argument) = info->dlpi_addr;
  return 1;
}

bool contains(const std::vector<property::PlaceRange>& ranges, std::uint64_t address) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), address,
                                      [](std::uint64_t a, const property::PlaceRange& r) { return a < r.first; });
  return after != ranges.begin() && address <= std::prev(after)->last;
}

// A variable is given a value that depends on inputs. Terms are told in the breath in which memory is written, so the
// write is the last step; in an atomic section, or if a library function wrote more than the variable, it is not.
void note_symbolic_value(std::uintptr_t variable, std::size_t size, TermId term) {
  auto& steps = rt.execution->steps;
  const ObjectId object = objects.root(objects.at(reinterpret_cast<void*>(variable), size, ObjectKind::kMemory));
  if (term != kNoTerm && !steps.empty() && steps.back().thread == rt.current && steps.back().op.object == object &&
      access_of(steps.back().op.kind) == trace::Access::kWrites) {
    steps.back().set = SmallSet::word(term.value);
    rt.execution->written_terms.push_back({static_cast<EventIndex>(steps.size() - 1), term.value});
    return;
  }
  inputs->leave_open_at(steps.empty() ? 0 : steps.back().where,
                        "a variable of a property is written together with others, or in part, and depends on inputs; "
                        "one value for each path was looked at");
}

// What the supervisor has written down, by name.
class BoundNames final : public property::Names {
 public:
  BoundNames(const protocol::PropertyOptions& options, std::uint64_t bias, const std::vector<std::uint64_t>& initial)
      : options_(options), bias_(bias), initial_(initial) {}

  std::optional<property::NamedVariable> variable(std::string_view name) const override {
    for (std::size_t i = 0; i < options_.variables.size(); ++i) {
      const protocol::NamedMemory& v = options_.variables[i];
      if (v.name == name)
        return property::NamedVariable{object(v.address, v.type.bits / 8u, ObjectKind::kMemory), v.type, initial_[i]};
    }
    return std::nullopt;
  }
  std::optional<ObjectId> lock(std::string_view name) const override {
    for (const protocol::NamedLock& l : options_.locks)
      if (l.name == name)
        return l.size == sizeof(pthread_rwlock_t)
                   ? object(l.address, sizeof(pthread_rwlock_t), ObjectKind::kReadWriteLock)
                   : object(l.address, sizeof(pthread_mutex_t), ObjectKind::kMutex);
    return std::nullopt;
  }
  std::optional<property::NamedThread> thread(std::string_view name) const override {
    if (name == "main") return property::NamedThread{ThreadId(0), true};
    std::uint16_t number = 0;
    for (const char c : name.substr(1)) number = static_cast<std::uint16_t>(10 * number + (c - '0'));
    return property::NamedThread{ThreadId(number), false};
  }
  property::NamedPlace line(std::string_view text) const override {
    for (const protocol::NamedLine& l : options_.lines)
      if (l.name == text) return {l.code, {}};
    return {{}, "not bound"};
  }
  std::optional<std::vector<property::PlaceRange>> label(std::string_view) const override { return std::nullopt; }
  std::vector<std::string> known(property::NameKind, std::string_view) const override { return {}; }

 private:
  ObjectId object(std::uint64_t address, std::uint32_t size, ObjectKind kind) const {
    return objects.root(objects.at(reinterpret_cast<void*>(bias_ + address), size, kind));
  }

  const protocol::PropertyOptions& options_;
  std::uint64_t bias_;
  const std::vector<std::uint64_t>& initial_;
};

}  // namespace

Watch::Watch(NativeProgram& program, const protocol::PropertyOptions& options) : program_(program), options_(options) {
  if (empty()) return;
  dl_iterate_phdr(take_bias, &bias_);
  rt.states_watched = true;
  for (const protocol::NamedMemory& v : options_.variables) {
    const std::uint64_t address = bias_ + v.address, bytes = v.type.bits / 8u;
    initial_.push_back(value_at(address, bytes));
    inputs->memory.watch(address, bytes, note_symbolic_value);
    // A variable may lie across two granules.
    for (std::uint64_t granule = address & ~7ull; granule < address + bytes; granule += 8) {
      std::uint8_t mask = 0;
      for (std::uint64_t b = 0; b < 8; ++b)
        if (granule + b >= address && granule + b < address + bytes) mask |= static_cast<std::uint8_t>(1u << b);
      learn(protocol::Learnt{protocol::LearntKind::kVisibleBytes, granule, mask});
    }
  }
}

std::vector<property::Property> Watch::properties() const {
  const BoundNames names(options_, bias_, initial_);
  std::vector<property::Property> out;
  for (const property::Statement& statement : options_.statements) {
    auto property = property::make_property(statement, names);
    INVARIANT(property.ok());  // the supervisor has read it with the same names
    out.push_back(std::move(*property));
  }
  return out;
}

// Given inputs are what they are.
property::InputQuestions Watch::about_inputs() const {
  if (!inputs->tracking() || inputs->options().mode != protocol::InputMode::kExplore) return {};
  return {&inputs->space(), [](const symbolic::Assignment& found) { inputs->space().prefer(found); }};
}

unfold::GlobalQuestions Watch::questions() {
  if (empty()) return {};
  const property::InputQuestions about = about_inputs();
  unfold::GlobalQuestions questions{properties(), about.space, about.prefer, locator(), {}};
  if (options_.by_formula)
    questions.make_solver = [](symbolic::TermStore& terms) {
      return make_remote_solver(terms, {.cadical_limit = unfold::kFormulaFirst});
    };
  return questions;
}

trace::Program& Watch::begin(property::Look look) {
  if (empty()) return program_;
  watched_ = std::make_unique<property::WatchedProgram>(program_, properties(), look, about_inputs(), locator());
  return *watched_;
}

property::Changes::Locator Watch::locator() {
  if (!needs_stacks()) return {};
  return [this](std::uint32_t where) {
    if (where >= own_addresses_.size()) own_addresses_.resize(where + 1, kUnknown);
    if (own_addresses_[where] == kUnknown) own_addresses_[where] = own_address(where);
    return own_addresses_[where];
  };
}

// The innermost frame in the program's own code. All are return addresses, of calls to the runtime or of the program's
// own: the call is before them.
std::uint64_t Watch::own_address(std::uint32_t where) {
  for (const std::uint64_t pc : position_at(where).pcs)
    if (const std::uint64_t address = pc - bias_ - 1; contains(options_.own_code, address)) return address;
  return 0;
}

std::string Watch::left_open() const {
  if (empty()) return {};
  if (watched_)
    if (std::string open = watched_->left_open(); !open.empty()) return open;
  for (const protocol::NamedMemory& v : options_.variables)
    if (objects.mixed(objects.root(
            objects.at(reinterpret_cast<void*>(bias_ + v.address), v.type.bits / 8u, ObjectKind::kMemory))))
      return "\"" + v.name + "\" is accessed by parts, or together with others: its states are not known";
  return {};
}

}  // namespace heddle::runtime
