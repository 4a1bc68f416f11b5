// Explorers of a native program: worker processes that get parts of the search over a socket each (dist/work_pool.h).
//
// They have one book of numbers (protocol/number_book.h), and what one has learnt about the program the others are
// told. An explorer that has learnt something from speculation knows more than one explorer would at the front of the
// search, so it is replaced by a new process before it gets anything else. So is one that was killed, or says nothing
// for too long; what it was at is given out again.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "dist/work_pool.h"
#include "native/protocol/item_messages.h"
#include "native/supervisor/worker_process.h"

namespace heddle::supervisor {

// What the explorers of a search know together, kept by whoever keeps the search, who may be elsewhere.
class SharedKnowledge {
 public:
  virtual ~SharedKnowledge() = default;
  // Nothing: it is new, and `certain` is false, so it is for the front of the search only. Or it cannot be told.
  virtual std::optional<std::uint32_t> number_of(const protocol::Numbered& thing, bool certain) = 0;
  // All lessons, in the order in which they came.
  virtual const std::vector<protocol::PackedLesson>& lessons() const = 0;
  // How often the search has begun anew.
  virtual std::uint64_t epoch() const = 0;
  // What came beside a result; and what makes the search begin anew.
  virtual void add(const protocol::ItemAnswer& answer) = 0;
  virtual void add(const dist::Discovery& discovery) = 0;
  // False: explorers there have other libraries, or at other addresses.
  virtual bool fits(std::uint64_t surroundings) = 0;
};

struct ExplorerLaunch {
  std::string executable;
  protocol::WorkerOptions options;
  std::size_t explorers = 1;
  std::chrono::milliseconds patience{60'000};  // with an explorer that says nothing
  bool plain_environment = false;
  int wake_by = -1;  // wait() returns when there is something to read
};

class ExplorerPool : public dist::WorkPool {
 public:
  ExplorerPool(ExplorerLaunch launch, SharedKnowledge& knowledge);
  ~ExplorerPool() override;

  std::size_t room() const override;
  void give(dist::WorkItem item) override;
  std::vector<dist::Answer> wait(std::chrono::milliseconds time) override;
  void hurry(bool hurry) override;
  void begin_anew(const dist::Answer& answer) override;

  std::uint64_t followed() const { return followed_; }
  std::uint64_t replaced() const { return replaced_; }  // explorers that were killed, or hung

 private:
  using Clock = std::chrono::steady_clock;
  struct Explorer {
    std::unique_ptr<WorkerProcess> process;
    protocol::FrameReader frames;
    bool ready = false;
    bool knows_more = false;     // than it should, so it is replaced ...
    protocol::Hurry discovered;  // ... unless what it met with this item makes the search begin anew
    bool hurried = false;
    std::size_t lessons = 0;  // that it was told
    std::optional<dist::WorkItem> item;
    Clock::time_point heard;
  };

  void start(Explorer& explorer);
  void listen(Explorer& explorer);
  void take(Explorer& explorer, const protocol::Frame& frame);
  void take_answer(Explorer& explorer, protocol::ItemAnswer answer);
  void take_question(Explorer& explorer, const protocol::Numbered& thing);
  void send(Explorer& explorer, const protocol::Bytes& frame);
  void lose(Explorer& explorer, int status);
  void answer(Explorer& explorer, dist::Answer answer);
  void complain(Explorer& explorer, std::string error);
  void hand_out();
  void watch_silence();

  ExplorerLaunch launch_;
  SharedKnowledge& knowledge_;
  std::vector<Explorer> explorers_;
  std::deque<dist::WorkItem> waiting_;
  std::vector<dist::Answer> answers_;
  bool hurry_ = false;
  std::map<std::uint64_t, int> ends_;  // how often an explorer came to an end with this segment
  std::uint64_t followed_ = 0;
  std::uint64_t replaced_ = 0;
};

}  // namespace heddle::supervisor
