// What a search and the hands that work for it on other machines say to each other, as one kind of message: which of
// its fields mean something is said beside the word. Letters are framed (frame.h), so one that was damaged on its way
// is as one that was lost.
#pragma once

#include "dist/work_pool.h"

namespace heddle::dist {

enum class Word : std::uint8_t {
  // A hand to the search.
  kHello,     // build, room
  kWantBlob,  // number: from which byte on
  kBeat,      // room, lessons that it has, items at work or answered and not yet heard of
  kAnswer,    // number, content: an Answer, beside: what came with it; again and again until kHeard
  kAsk,       // number, content; the same
  kBye,       // it leaves
  // The search to a hand, or to all.
  kSearch,  // to all, every second; text: how it stands
  kJob,     // text: what is explored, content: how; number: length of the blob, hash: its SHA-256
  kBlob,    // number: from which byte on, content
  kOrder,   // content: a WorkItem; epoch, lessons before those in `beside`, flags
  kHeard,   // number: of the answer, which is safe now
  kNumber,  // number: of the question; room: the answer; flags 1: there is none
  kHurry,   // items: come to an end with them
  kEnd,     // text: why there is nothing to do any more; flags 1: for this hand only
};
inline constexpr std::uint64_t kWords = static_cast<std::uint64_t>(Word::kEnd) + 1;

struct AtWork {
  std::uint64_t segment = 0;
  std::uint32_t attempt = 0;
  auto operator<=>(const AtWork&) const = default;
};

struct Letter {
  Word word = Word::kHello;
  std::uint64_t search = 0;  // chosen at random when it is begun or gone on with
  std::uint64_t hand = 0;
  std::uint64_t number = 0;
  std::uint64_t epoch = 0;
  std::uint64_t lessons = 0;
  std::uint32_t room = 0;
  std::uint8_t flags = 0;
  std::string text = {};
  std::string hash = {};
  std::string content = {};  // bytes
  std::vector<Bytes> beside = {};
  std::vector<AtWork> items = {};
  bool operator==(const Letter&) const = default;
};

Bytes encode(const Letter& letter);
Result<Letter> decode_letter(std::span<const std::uint8_t> bytes);

// An answer as it travels.
Bytes encode(const Answer& answer);
Result<Answer> decode_answer(std::span<const std::uint8_t> bytes);

inline std::string as_text(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }
inline std::span<const std::uint8_t> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// 64 digits.
std::string sha256(std::span<const std::uint8_t> bytes);

}  // namespace heddle::dist
