// One search of a native program by several explorers (-j), or one that outlives its process (--journal).
#pragma once

#include "dist/journal.h"
#include "dist/transport.h"
#include "native/supervisor/explorer_pool.h"
#include "native/supervisor/supervisor.h"

namespace heddle::supervisor {

// What the explorers know together, here.
class KnownHere final : public SharedKnowledge {
 public:
  explicit KnownHere(protocol::Knowledge knowledge);

  std::optional<std::uint32_t> number_of(const protocol::Numbered& thing, bool certain) override;
  const std::vector<protocol::PackedLesson>& lessons() const override { return lessons_; }
  std::uint64_t epoch() const override { return epoch_; }
  void add(const protocol::ItemAnswer& answer) override;
  void add(const dist::Discovery& discovery) override;
  bool fits(std::uint64_t surroundings) override;

  void suppress(const std::vector<protocol::SuppressedRace>& races);
  protocol::Knowledge knowledge() const;
  bool weaker_orders() const { return weaker_orders_; }
  bool isolates() const { return rest_.isolate; }
  bool runs_all() const { return rest_.run_all; }
  // For a journal, if it has changed since the last call.
  std::optional<protocol::Bytes> take_changed();

 private:
  bool learn(const std::vector<protocol::PackedLesson>& lessons);

  protocol::NumberBook book_;
  std::vector<protocol::PackedLesson> lessons_;
  std::set<protocol::PackedLesson> known_;
  protocol::Knowledge rest_;
  std::uint64_t epoch_ = 0;
  bool weaker_orders_ = false;
  bool changed_ = false;
};

class TogetherSearch {
 public:
  // Opens the journal, if there is one.
  static Result<std::unique_ptr<TogetherSearch>> begin(const NativeOptions& options, const Prepared& prepared);

  // Tells the other machines that it is over.
  ~TogetherSearch();

  // To its end, or that of a budget.
  Result<explore::ExploreResult> run(const protocol::WorkerOptions& worker, const Observer& observer);
  // Races to be left out, or what was seen after the search: what was done is void.
  void begin_anew(const std::vector<protocol::SuppressedRace>& suppressed,
                  const std::vector<protocol::PackedLesson>& lessons);

  protocol::Knowledge knowledge() const { return known_.knowledge(); }
  const std::string& note() const { return note_; }
  std::uint64_t followed() const { return followed_; }

 private:
  // For a worker that explains it, which has terms of its own.
  Result<explore::ExploreResult> told(Result<explore::ExploreResult> result) const;
  TogetherSearch(const NativeOptions& options, const Prepared& prepared, std::unique_ptr<dist::Journal> journal,
                 dist::Coordinator coordinator, protocol::Knowledge knowledge);

  const NativeOptions& options_;
  const Prepared& prepared_;
  std::unique_ptr<dist::Journal> journal_;
  dist::Coordinator coordinator_;
  KnownHere known_;
  std::unique_ptr<dist::Transport> transport_;  // to other machines, if there are any
  std::string note_;
  std::uint64_t followed_ = 0;
  std::uint64_t last_search_ = 0;  // by its name among hands
};

}  // namespace heddle::supervisor
