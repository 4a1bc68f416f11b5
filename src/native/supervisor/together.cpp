#include "native/supervisor/together.h"

#include <algorithm>

#include "dist/joint_pool.h"
#include "dist/search.h"
#include "dist/terms.h"
#include "native/supervisor/team.h"

namespace heddle::supervisor {

using protocol::Knowledge;
namespace {

bool samples(const NativeOptions& options) {
  return explore::family_of(options.worker.strategy.algorithm) == explore::Family::kSampling;
}

// The pool as the search sees it: with what its explorers know.
class LearningPool final : public dist::WorkPool {
 public:
  LearningPool(dist::WorkPool& pool, KnownHere& known) : pool_(pool), known_(known) {}
  std::size_t room() const override { return pool_.room(); }
  void give(dist::WorkItem item) override { pool_.give(std::move(item)); }
  std::vector<dist::Answer> wait(std::chrono::milliseconds time) override { return pool_.wait(time); }
  void hurry(bool hurry) override { pool_.hurry(hurry); }
  void begin_anew(const dist::Answer& answer) override { pool_.begin_anew(answer); }
  std::optional<protocol::Bytes> take_knowledge() override { return known_.take_changed(); }

 private:
  dist::WorkPool& pool_;
  KnownHere& known_;
};

template <class T>
void add_missing(std::vector<T>& to, const std::vector<T>& from) {
  for (const T& value : from)
    if (std::ranges::find(to, value) == to.end()) to.push_back(value);
}

}  // namespace

KnownHere::KnownHere(Knowledge knowledge)
    : book_(std::move(knowledge.numbers)),
      lessons_(std::move(knowledge.lessons)),
      known_(lessons_.begin(), lessons_.end()),
      rest_(std::move(knowledge)) {}

std::optional<std::uint32_t> KnownHere::number_of(const protocol::Numbered& thing, bool certain) {
  if (!certain) return book_.find(thing);
  changed_ = true;
  return book_.find_or_add(thing);
}

bool KnownHere::learn(const std::vector<protocol::PackedLesson>& lessons) {
  bool more = false;
  for (const protocol::PackedLesson& lesson : lessons) {
    if (!known_.insert(lesson).second) continue;
    lessons_.push_back(lesson);
    more = changed_ = true;
  }
  return more;
}

void KnownHere::add(const protocol::ItemAnswer& answer) {
  learn(answer.lessons);
  weaker_orders_ |= answer.weaker_orders;
  if (answer.inputs_drawn && !rest_.inputs_drawn) rest_.inputs_drawn = changed_ = true;
  if (answer.inputs_read && !rest_.inputs_read) rest_.inputs_read = changed_ = true;
  for (const trace::Assumption& assumption : answer.assumptions) {
    changed_ = true;
    const auto same = [&](const trace::Assumption& a) {
      return a.kind == assumption.kind && a.text == assumption.text;
    };
    const auto known = std::ranges::find_if(rest_.assumptions, same);
    if (known == rest_.assumptions.end())
      rest_.assumptions.push_back(assumption);
    else
      add_missing(known->places, assumption.places);
  }
}

void KnownHere::add(const dist::Discovery& discovery) {
  learn(discovery.lessons);
  rest_.isolate |= discovery.isolate;
  rest_.run_all |= discovery.run_all;
  ++epoch_;
  changed_ = true;
}

void KnownHere::suppress(const std::vector<protocol::SuppressedRace>& races) {
  rest_.suppressed.insert(rest_.suppressed.end(), races.begin(), races.end());
  changed_ = true;
}

bool KnownHere::fits(std::uint64_t surroundings) {
  if (rest_.surroundings == 0) {
    rest_.surroundings = surroundings;
    changed_ = true;
  }
  return rest_.surroundings == surroundings;
}

Knowledge KnownHere::knowledge() const {
  Knowledge all = rest_;
  all.numbers = book_.numbers();
  all.lessons = lessons_;
  return all;
}

std::optional<protocol::Bytes> KnownHere::take_changed() {
  if (!std::exchange(changed_, false)) return std::nullopt;
  return protocol::encode_knowledge(knowledge());
}

TogetherSearch::TogetherSearch(const NativeOptions& options, const Prepared& prepared,
                               std::unique_ptr<dist::Journal> journal, dist::Coordinator coordinator,
                               Knowledge knowledge)
    : options_(options),
      prepared_(prepared),
      journal_(std::move(journal)),
      coordinator_(std::move(coordinator)),
      known_(std::move(knowledge)) {}

Result<std::unique_ptr<TogetherSearch>> TogetherSearch::begin(const NativeOptions& options, const Prepared& prepared) {
  const Together& together = *options.together;
  if (!together.journal) {
    dist::Coordinator coordinator;
    if (samples(options))
      coordinator = dist::Coordinator::of_samples(options.worker.max_executions.value_or(dist::kEndless));
    return std::unique_ptr<TogetherSearch>(new TogetherSearch(options, prepared, nullptr, std::move(coordinator), {}));
  }
  auto journal = dist::Journal::open(
      *together.journal,
      {options.program, prepared.identity, explore::describe(options.worker.strategy) + together.settings});
  if (!journal) return journal.error();
  Knowledge knowledge;
  if (!(*journal)->knowledge().empty()) {
    auto known = protocol::decode_knowledge((*journal)->knowledge());
    if (!known) return known.error();
    knowledge = std::move(*known);
  }
  dist::Coordinator coordinator = (*journal)->take_coordinator();
  const std::uint64_t resumed_from = (*journal)->resumed_from();
  std::unique_ptr<TogetherSearch> search(
      new TogetherSearch(options, prepared, std::move(*journal), std::move(coordinator), std::move(knowledge)));
  if (resumed_from > 0)
    search->note_ = "goes on with " + *together.journal + ", after " + std::to_string(resumed_from) + " executions";
  return search;
}

Result<explore::ExploreResult> TogetherSearch::run(const protocol::WorkerOptions& worker, const Observer& observer) {
  ExplorerLaunch launch{prepared_.executable, worker, options_.together->jobs};
  const Knowledge known = known_.knowledge();
  launch.options.suppressed = known.suppressed;
  if (known.isolate) launch.options.isolation = protocol::Isolation::kProcess;
  if (known.run_all) launch.options.known_steps = false;
  dist::SearchOptions how;
  if (!samples(options_)) how.max_executions = worker.max_executions;
  how.max_seconds = worker.max_seconds;
  how.all = worker.all;
  how.observer = observer;
  how.recorder = journal_.get();
  if (worker.give_way_after)
    how.gives_way = [&, after = *worker.give_way_after](std::uint64_t executions) {
      return executions >= after && known_.weaker_orders();
    };
  launch.plain_environment = options_.together->serve.has_value();
  if (!options_.together->serve) {
    ExplorerPool explorers(std::move(launch), known_);
    LearningPool pool(explorers, known_);
    auto result = dist::search(coordinator_, pool, how);
    followed_ = explorers.followed();
    return told(std::move(result));
  }
  if (!transport_) {
    auto transport = dist::connect(*options_.together->serve, {dist::kToSearch});
    if (!transport) return transport.error();
    transport_ = std::move(*transport);
  }
  launch.wake_by = transport_->readable();
  dist::Job job = native_job(options_.program, prepared_.executable, launch.options);
  job.build = options_.together->build;
  CrewKnowledge shown(known_);
  dist::Crew crew(*transport_, std::move(job), &shown);
  ExplorerPool explorers(std::move(launch), known_);
  dist::JointPool joint(explorers, crew);
  LearningPool pool(joint, known_);
  how.observer = crew.observed_by(std::move(how.observer));
  how.longest_item = dist::kLongestRemoteItem;
  auto result = dist::search(coordinator_, pool, how);
  last_search_ = crew.search();
  followed_ = explorers.followed();
  return told(std::move(result));
}

Result<explore::ExploreResult> TogetherSearch::told(Result<explore::ExploreResult> result) const {
  if (result && coordinator_.terms().size() > 1) dist::forget_terms(*result);
  return result;
}

TogetherSearch::~TogetherSearch() {
  if (transport_) dist::dismiss(*transport_, last_search_);
}

void TogetherSearch::begin_anew(const std::vector<protocol::SuppressedRace>& suppressed,
                                const std::vector<protocol::PackedLesson>& lessons) {
  known_.suppress(suppressed);
  known_.add(dist::Discovery{lessons});
  coordinator_.begin_anew();
}

}  // namespace heddle::supervisor
