// Explorers on other machines, as seen by whoever keeps the search: hands that come, work, and go at will.
//
// A hand says hello and gets the job: what is explored, with the program as a blob that it checks by its hash. From
// then on it says every second what it is at. What it was given and does not know of was lost on the way; a hand that
// says nothing for a while is gone. Either way the item is given out again under another attempt. An answer is repeated
// until the search has heard of it, which it says only after it has been recorded; what comes twice or late belongs to
// an old attempt. So it does not matter what becomes of hands, messages, or the server between them, and none of them
// keeps anything that is not in the journal (Saarikivi et al. 2012 §IV has clients that keep nothing, too).
//
// A search has a name, chosen at random whenever somebody begins it or goes on with it. Whoever hears another name
// forgets what it was at and says hello again.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "dist/letter.h"
#include "dist/transport.h"

namespace heddle::dist {

// What hands have to be told beside items, and say beside answers. For models there is nothing of the kind.
class CommonKnowledge {
 public:
  virtual ~CommonKnowledge() = default;
  virtual const std::vector<Bytes>& lessons() const = 0;
  virtual std::uint64_t epoch() const = 0;
  virtual std::uint8_t flags() const = 0;
  virtual std::optional<std::uint32_t> answer_to(std::span<const std::uint8_t> question, bool certain) = 0;
  virtual void add_beside(const Bytes& beside) = 0;
};

struct Job {
  std::string what;  // "model" or "native", and what else is to be known
  Bytes how;
  Bytes blob;
  std::string build;  // who is not the same is sent away
};

struct CrewOptions {
  std::chrono::milliseconds silence{10'000};  // after which a hand is gone
  std::chrono::milliseconds lost{3'000};      // after which an item that a hand does not know of is
  std::chrono::milliseconds beat{1'000};      // how often the search says that it is there
};

// Longer than here, as an order and an answer take their time.
inline constexpr std::uint32_t kLongestRemoteItem = 1000;  // milliseconds

// There is nothing more to do for the search of this name. (Until that is said hands wait for somebody to go on.)
void dismiss(Transport& transport, std::uint64_t search);

class Crew : public WorkPool {
 public:
  Crew(Transport& transport, Job job, CommonKnowledge* knowledge, const CrewOptions& options = {});
  std::size_t room() const override;
  void give(WorkItem item) override;
  std::vector<Answer> wait(std::chrono::milliseconds time) override;
  void hurry(bool hurry) override;
  void begin_anew(const Answer&) override;

  // Tells those who ask how the search stands, whenever the observer is told.
  std::function<bool(const explore::Progress&)> observed_by(std::function<bool(const explore::Progress&)> observer);
  std::uint64_t search() const { return search_; }
  std::size_t hands() const { return hands_.size(); }
  std::uint64_t reissued() const { return reissued_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Given {
    Clock::time_point when;
    bool certain = false;
    bool hurried = false;
  };
  struct Hand {
    std::size_t room = 0;
    std::uint64_t lessons = 0;
    std::map<AtWork, Given> items;
    Clock::time_point heard;
  };

  void send(std::uint64_t hand, Letter letter);
  void beat();
  void take(const Letter& letter);
  void welcome(const Letter& hello);
  void compare(Hand& hand, const std::vector<AtWork>& known);
  void take_answer(Hand& hand, const Letter& letter);
  void lose(const AtWork& item);
  void part_with(std::uint64_t hand);

  Transport& transport_;
  Job job_;
  std::string hash_;
  CommonKnowledge* knowledge_;
  CrewOptions options_;
  std::uint64_t search_;
  std::map<std::uint64_t, Hand> hands_;
  std::vector<Answer> answers_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> to_hear_;  // hand and number of answers that are recorded next
  Clock::time_point last_beat_;
  std::string status_;
  std::uint64_t reissued_ = 0;
};

}  // namespace heddle::dist
