#include "dist/letter.h"

#include <openssl/sha.h>

#include "dist/search_fields.h"

namespace heddle::dist {

template <class A, Described<Letter> V>
void fields(A& a, V& v) {
  a.enumerator(v.word, kWords);
  for (auto* n : {&v.search, &v.hand, &v.number, &v.epoch, &v.lessons}) a.number(*n);
  a.number(v.room);
  a.number(v.flags);
  a.text(v.text);
  a.text(v.hash);
  a.text(v.content);
  a.list(v.beside, [&](auto& bytes) { fields(a, bytes); });
  a.list(v.items, [&](auto& item) {
    a.number(item.segment);
    a.number(item.attempt);
  });
}

template <class A, Described<Discovery> V>
void fields(A& a, V& v) {
  a.list(v.lessons, [&](auto& lesson) { fields(a, lesson); });
  a.flag(v.isolate);
  a.flag(v.run_all);
}

template <class A, Described<Answer> V>
void fields(A& a, V& v) {
  a.number(v.segment);
  a.number(v.attempt);
  a.optional(v.result, [&](auto& result) { fields(a, result); });
  a.text(v.error);
  a.optional(v.discovery, [&](auto& discovery) { fields(a, discovery); });
  a.flag(v.for_front_only);
}

Bytes encode(const Letter& letter) { return written(FrameKind::kLetter, letter); }
Result<Letter> decode_letter(std::span<const std::uint8_t> bytes) {
  return read<Letter>(FrameKind::kLetter, bytes, "letter");
}

Bytes encode(const Answer& answer) { return written(FrameKind::kAnswer, answer); }
Result<Answer> decode_answer(std::span<const std::uint8_t> bytes) {
  auto answer = read<Answer>(FrameKind::kAnswer, bytes, "answer");
  if (answer && answer->result &&
      (!is_sound(answer->result->search) || answer->result->segment != answer->segment ||
       answer->result->attempt != answer->attempt))
    return Error{"an answer contradicts itself"};
  return answer;
}

std::string sha256(std::span<const std::uint8_t> bytes) {
  std::uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA256(bytes.data(), bytes.size(), digest);
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace heddle::dist
