#include "dist/crew.h"

#include <algorithm>
#include <random>

namespace heddle::dist {
namespace {

constexpr std::size_t kBlobPiece = 256u << 10;

}  // namespace

Crew::Crew(Transport& transport, Job job, CommonKnowledge* knowledge, const CrewOptions& options)
    : transport_(transport),
      job_(std::move(job)),
      hash_(sha256(job_.blob)),
      knowledge_(knowledge),
      options_(options),
      search_((std::uint64_t{std::random_device{}()} << 32) | std::random_device{}()) {
  beat();
}

void dismiss(Transport& transport, std::uint64_t search) {
  transport.publish(kToAll, encode(Letter{.word = Word::kEnd, .search = search, .text = "the search is over"}));
}

std::function<bool(const explore::Progress&)> Crew::observed_by(
    std::function<bool(const explore::Progress&)> observer) {
  return [this, observer = std::move(observer)](const explore::Progress& progress) {
    std::size_t explorers = 0;
    for (const auto& [id, hand] : hands_) explorers += hand.room;
    status_ = job_.what + ": " + std::to_string(progress.executions) + " executions, " +
              std::to_string(progress.classes) + " classes, " + std::to_string(progress.findings) + " findings, " +
              std::to_string(static_cast<std::uint64_t>(progress.seconds)) + " s\n" + std::to_string(hands_.size()) +
              (hands_.size() == 1 ? " other machine, " : " other machines, ") + std::to_string(explorers) +
              " explorers there, " + std::to_string(reissued_) + " items given out again";
    return !observer || observer(progress);
  };
}

void Crew::send(std::uint64_t hand, Letter letter) {
  letter.search = search_;
  letter.hand = hand;
  transport_.publish(to_hand(hand), encode(letter));
}

void Crew::beat() {
  last_beat_ = Clock::now();
  transport_.publish(kToAll, encode(Letter{.word = Word::kSearch, .search = search_, .text = status_}));
}

std::size_t Crew::room() const {
  std::size_t room = 0;
  for (const auto& [id, hand] : hands_) room += hand.room - std::min(hand.room, hand.items.size());
  return room;
}

// To whoever has most room.
void Crew::give(WorkItem item) {
  const auto free = [](const Hand& hand) {
    return static_cast<std::ptrdiff_t>(hand.room) - static_cast<std::ptrdiff_t>(hand.items.size());
  };
  const auto best = std::ranges::max_element(hands_, {}, [&](const auto& entry) { return free(entry.second); });
  if (best == hands_.end()) return answers_.push_back({item.segment, item.attempt});
  auto& [id, hand] = *best;
  hand.items[{item.segment, item.attempt}] = {Clock::now(), item.certain, false};
  Letter order{.word = Word::kOrder, .content = as_text(encode(item))};
  if (knowledge_ != nullptr) {
    const auto& lessons = knowledge_->lessons();
    order.epoch = knowledge_->epoch();
    order.flags = knowledge_->flags();
    order.lessons = std::min<std::uint64_t>(hand.lessons, lessons.size());
    order.beside.assign(lessons.begin() + static_cast<std::ptrdiff_t>(order.lessons), lessons.end());
  }
  send(id, std::move(order));
}

std::vector<Answer> Crew::wait(std::chrono::milliseconds time) {
  // Whoever waits has recorded what it was given the last time.
  for (const auto& [hand, number] : std::exchange(to_hear_, {})) send(hand, {.word = Word::kHeard, .number = number});
  if (Clock::now() - last_beat_ >= options_.beat) beat();
  if (!answers_.empty()) time = {};
  while (const auto message = transport_.next(time)) {
    const auto letter = decode_letter(*message);
    if (letter.ok()) take(letter.value());
    time = {};
  }
  std::vector<std::uint64_t> gone;
  for (const auto& [id, hand] : hands_)
    if (Clock::now() - hand.heard > options_.silence) gone.push_back(id);
  for (const std::uint64_t id : gone) part_with(id);
  return std::exchange(answers_, {});
}

void Crew::take(const Letter& letter) {
  if (letter.word == Word::kHello) return welcome(letter);
  if (letter.search != search_) return;
  if (letter.word == Word::kWantBlob) {
    const std::size_t begin = std::min<std::size_t>(letter.number, job_.blob.size());
    const std::size_t end = std::min(job_.blob.size(), begin + kBlobPiece);
    const Bytes piece(job_.blob.begin() + static_cast<std::ptrdiff_t>(begin),
                      job_.blob.begin() + static_cast<std::ptrdiff_t>(end));
    return send(letter.hand, {.word = Word::kBlob, .number = begin, .content = as_text(piece)});
  }
  if (letter.word == Word::kBye) return part_with(letter.hand);
  Hand& hand = hands_[letter.hand];  // one that we had given up may be there all the same
  hand.heard = Clock::now();
  if (letter.word == Word::kBeat) {
    hand.room = std::min<std::size_t>(letter.room, 4096);
    hand.lessons = letter.lessons;
    compare(hand, letter.items);
  } else if (letter.word == Word::kAnswer) {
    take_answer(hand, letter);
  } else if (letter.word == Word::kAsk && knowledge_ != nullptr) {
    // It asks on behalf of an item; one that we do not know of is not certain.
    const auto item = letter.items.empty() ? hand.items.end() : hand.items.find(letter.items.front());
    const bool certain = letter.items.empty() || (item != hand.items.end() && item->second.certain);
    const auto number = knowledge_->answer_to(as_bytes(letter.content), certain);
    send(letter.hand, {.word = Word::kNumber,
                       .number = letter.number,
                       .room = number.value_or(0),
                       .flags = static_cast<std::uint8_t>(number ? 0 : 1)});
  }
}

void Crew::welcome(const Letter& hello) {
  if (hello.text != job_.build)
    return send(hello.hand, {.word = Word::kEnd,
                             .flags = 1,
                             .text = "the search is by another build of heddle (" + job_.build + "; this one is " +
                                     hello.text + "); install the same one everywhere"});
  send(
      hello.hand,
      {.word = Word::kJob, .number = job_.blob.size(), .text = job_.what, .hash = hash_, .content = as_text(job_.how)});
}

void Crew::compare(Hand& hand, const std::vector<AtWork>& known) {
  std::vector<AtWork> lost;
  for (const auto& [item, given] : hand.items)
    if (Clock::now() - given.when > options_.lost && std::ranges::find(known, item) == known.end())
      lost.push_back(item);
  for (const AtWork& item : lost) {
    hand.items.erase(item);
    lose(item);
  }
}

void Crew::take_answer(Hand& hand, const Letter& letter) {
  auto answer = decode_answer(as_bytes(letter.content));
  if (!answer) return;  // it comes again
  to_hear_.emplace_back(letter.hand, letter.number);
  if (hand.items.erase({answer->segment, answer->attempt}) == 0) return;
  if (knowledge_ != nullptr)
    for (const Bytes& beside : letter.beside) knowledge_->add_beside(beside);
  answers_.push_back(std::move(*answer));
}

void Crew::lose(const AtWork& item) {
  ++reissued_;
  answers_.push_back({item.segment, item.attempt});
}

void Crew::part_with(std::uint64_t id) {
  const auto hand = hands_.find(id);
  if (hand == hands_.end()) return;
  for (const auto& [item, given] : hand->second.items) lose(item);
  hands_.erase(hand);
}

void Crew::hurry(bool hurry) {
  if (!hurry) return;
  for (auto& [id, hand] : hands_) {
    Letter letter{.word = Word::kHurry};
    for (auto& [item, given] : hand.items)
      if (!std::exchange(given.hurried, true)) letter.items.push_back(item);
    if (!letter.items.empty()) send(id, std::move(letter));
  }
}

void Crew::begin_anew(const Answer&) {
  hurry(true);
  for (auto& [id, hand] : hands_) hand.items.clear();
}

}  // namespace heddle::dist
