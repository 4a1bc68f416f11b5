#include "dist/hand.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace heddle::dist {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::uint64_t kMostBlob = 1u << 30;

class Hand {
 public:
  Hand(Transport& transport, std::uint64_t hand, const HandOptions& options)
      : transport_(transport), hand_(hand), options_(options), beat_(options.pace), repeat_(2 * options.pace) {}

  Result<std::uint64_t> run() {
    while (options_.goes_on() && !over_) {
      if (auto error = step()) {
        say({.word = Word::kBye});
        return *error;
      }
    }
    say({.word = Word::kBye});
    return explored_;
  }

 private:
  void say(Letter letter) {
    letter.search = search_;
    letter.hand = hand_;
    transport_.publish(kToSearch, encode(letter));
  }

  std::optional<Error> step() {
    // Explorers answer within moments if there are any; else nothing is to be done but to listen.
    const bool idle = at_work_.empty();
    for (auto time = idle ? 50ms : 0ms; auto letter = next_letter(time); time = 0ms)
      if (auto error = take(*letter)) return error;
    if (workshop_ && !idle)
      for (Answer& answer : workshop_->pool().wait(20ms))
        if (auto error = take_answer(std::move(answer))) return error;
    give();
    beat();
    return std::nullopt;
  }

  std::optional<Letter> next_letter(std::chrono::milliseconds time) {
    if (!kept_.empty()) {
      Letter letter = std::move(kept_.front());
      kept_.pop_front();
      return letter;
    }
    while (const auto message = transport_.next(time)) {
      auto letter = decode_letter(*message);
      if (letter) return std::move(*letter);
    }
    return std::nullopt;
  }

  std::optional<Error> take(const Letter& letter) {
    if (letter.search != search_) {
      // Another one, or the same after it was begun again.
      if (letter.word == Word::kEnd && letter.flags == 1 && letter.hand == hand_) return Error{letter.text};
      if (letter.word == Word::kJob && search_ == 0) return begin(letter);
      if (letter.word != Word::kSearch || (search_ != 0 && Clock::now() - heard_ < 3 * beat_)) return std::nullopt;
      forget();
      return std::nullopt;
    }
    if (search_ == 0) return std::nullopt;
    heard_ = Clock::now();
    switch (letter.word) {
      case Word::kBlob:
        return take_blob(letter);
      case Word::kOrder:
        take_order(letter);
        break;
      case Word::kHeard:
        unheard_.erase(letter.number);
        break;
      case Word::kHurry:
        hurry_ = hurry_ || std::ranges::any_of(letter.items, [&](const AtWork& i) { return at_work_.contains(i); });
        if (hurry_ && workshop_) workshop_->pool().hurry(true);
        break;
      case Word::kEnd:
        if (letter.flags == 1) return Error{letter.text};
        over_ = true;
        break;
      case Word::kHello:
      case Word::kWantBlob:
      case Word::kBeat:
      case Word::kAnswer:
      case Word::kAsk:
      case Word::kBye:
      case Word::kSearch:
      case Word::kJob:
      case Word::kNumber:
        break;
    }
    return std::nullopt;
  }

  void forget() {
    workshop_.reset();
    search_ = 0;
    at_work_.clear();
    unheard_.clear();
    waiting_.clear();
    job_ = {};
    wanted_ = 0;
  }

  std::optional<Error> begin(const Letter& letter) {
    if (letter.number > kMostBlob) return Error{"the search sent a program of more than a gigabyte; it is damaged"};
    search_ = letter.search;
    heard_ = Clock::now();
    job_ = {letter.text, {letter.content.begin(), letter.content.end()}, {}};
    wanted_ = letter.number;
    hash_ = letter.hash;
    want_blob();
    return std::nullopt;
  }

  void want_blob() {
    asked_ = Clock::now();
    say({.word = Word::kWantBlob, .number = job_.blob.size()});
  }

  std::optional<Error> take_blob(const Letter& letter) {
    if (workshop_ || letter.number != job_.blob.size() || letter.content.empty()) return std::nullopt;
    job_.blob.insert(job_.blob.end(), letter.content.begin(), letter.content.end());
    if (job_.blob.size() < wanted_) {
      want_blob();
      return std::nullopt;
    }
    if (job_.blob.size() != wanted_ || sha256(job_.blob) != hash_) {
      job_.blob.clear();  // damaged on its way: once more
      want_blob();
      return std::nullopt;
    }
    auto workshop = options_.make(job_, [this](const Bytes& q, const AtWork* item) { return ask(q, item); });
    if (!workshop) return workshop.error();
    workshop_ = std::move(*workshop);
    job_.blob = {};
    options_.say("works for a search of " + job_.what);
    beaten_ = {};
    return std::nullopt;
  }

  void take_order(const Letter& letter) {
    auto item = decode_item(as_bytes(letter.content));
    if (!item || !workshop_) return;
    const AtWork name{item->segment, item->attempt};
    if (at_work_.contains(name) || letter.lessons > workshop_->lessons()) return;  // twice; or something was lost
    workshop_->learn(letter.epoch, letter.lessons, letter.beside, letter.flags);
    at_work_.insert(name);
    waiting_.push_back(std::move(*item));
  }

  void give() {
    while (workshop_ && !waiting_.empty() && workshop_->pool().room() > 0) {
      workshop_->pool().give(std::move(waiting_.front()));
      waiting_.pop_front();
      hurry_ = false;
      workshop_->pool().hurry(false);
    }
  }

  std::optional<Error> take_answer(Answer answer) {
    if (!answer.error.empty()) return Error{answer.error};
    const AtWork name{answer.segment, answer.attempt};
    if (at_work_.erase(name) == 0) return std::nullopt;
    ++explored_;
    Letter letter{.word = Word::kAnswer, .number = ++numbered_, .content = as_text(encode(answer))};
    letter.beside = workshop_->take_beside();
    say(letter);
    unheard_[numbered_] = {name, std::move(letter), Clock::now()};
    return std::nullopt;
  }

  void beat() {
    const auto now = Clock::now();
    if (search_ == 0) {
      if (now - beaten_ >= beat_) {
        beaten_ = now;
        say({.word = Word::kHello, .text = options_.build});
      }
      return;
    }
    if (!workshop_) {
      if (now - asked_ >= repeat_) want_blob();
    } else if (now - beaten_ >= beat_) {
      beaten_ = now;
      Letter letter{.word = Word::kBeat, .lessons = workshop_->lessons(), .room = options_.room};
      letter.items.assign(at_work_.begin(), at_work_.end());
      for (const auto& [number, unheard] : unheard_) letter.items.push_back(unheard.item);
      say(std::move(letter));
    }
    for (auto& [number, unheard] : unheard_)
      if (now - unheard.said >= repeat_) {
        unheard.said = now;
        say(unheard.letter);
      }
    if (now - heard_ > 10 * beat_ && now - complained_ > 60s) {
      complained_ = now;
      options_.say("nothing is heard of the search; waiting for it");
    }
  }

  // On behalf of an explorer, which waits. Other letters are looked at later.
  std::optional<std::uint32_t> ask(const Bytes& question, const AtWork* item) {
    Letter letter{.word = Word::kAsk, .number = ++numbered_, .content = as_text(question)};
    if (item != nullptr) letter.items = {*item};
    std::deque<Letter> others = std::move(kept_);
    kept_.clear();
    std::optional<std::uint32_t> number;
    const auto begin = Clock::now();
    auto said = begin - repeat_;
    for (bool answered = false; !answered && Clock::now() - begin < 30 * beat_ && options_.goes_on();) {
      if (Clock::now() - said >= repeat_) {
        said = Clock::now();
        say(letter);
      }
      auto next = next_letter(100ms);
      if (!next) continue;
      answered = next->word == Word::kNumber && next->search == search_ && next->number == letter.number;
      if (answered && next->flags == 0)
        number = next->room;
      else if (!answered)
        others.push_back(std::move(*next));
    }
    kept_ = std::move(others);
    return number;
  }

  struct Unheard {
    AtWork item;
    Letter letter;
    Clock::time_point said;
  };

  Transport& transport_;
  const std::uint64_t hand_;
  const HandOptions& options_;
  const std::chrono::milliseconds beat_;
  const std::chrono::milliseconds repeat_;  // of an answer that nobody has heard of, and a question
  std::uint64_t search_ = 0;                // 0: none is known
  ReceivedJob job_;
  std::uint64_t wanted_ = 0;
  std::string hash_;
  std::unique_ptr<Workshop> workshop_;
  std::set<AtWork> at_work_;
  std::deque<WorkItem> waiting_;
  std::map<std::uint64_t, Unheard> unheard_;  // answers
  std::deque<Letter> kept_;                   // came while something else was waited for
  std::uint64_t numbered_ = 0;
  std::uint64_t explored_ = 0;
  bool hurry_ = false;
  bool over_ = false;
  Clock::time_point heard_, beaten_, asked_, complained_;
};

}  // namespace

Result<std::uint64_t> work(Transport& transport, std::uint64_t hand, const HandOptions& options) {
  return Hand(transport, hand, options).run();
}

}  // namespace heddle::dist
