#include "native/protocol/solver_messages.h"

#include <cstring>
#include <type_traits>

namespace heddle::protocol {
namespace {

using symbolic::Answer;
using symbolic::Solution;
using symbolic::SolvedBy;
using symbolic::Term;
using symbolic::TermId;
using symbolic::TermKind;

using Payload = std::vector<std::uint8_t>;

template <class T>
void put(Payload& out, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::size_t at = out.size();
  out.resize(at + sizeof value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

Payload framed(Payload payload) {
  const auto length = static_cast<std::uint32_t>(payload.size() - 4);
  std::memcpy(payload.data(), &length, sizeof length);
  return payload;
}

class Cursor {
 public:
  explicit Cursor(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class T>
  T take() {
    T value{};
    if (failed || bytes_.size() - at_ < sizeof value) {
      failed = true;
      return T{};
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  // A number of things that take `each` bytes apiece, checked against what is left.
  std::uint32_t count(std::size_t each) {
    const auto n = take<std::uint32_t>();
    if (failed || (bytes_.size() - at_) / each < n) failed = true;
    return failed ? 0 : n;
  }
  bool complete() const { return !failed && at_ == bytes_.size(); }

  bool failed = false;

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

constexpr std::size_t kTermBytes = 3 + 3 * 4 + 16;

void put_term(Payload& out, const Term& t) {
  put(out, t.kind);
  put(out, t.width);
  put(out, t.low);
  for (const TermId operand : {t.a, t.b, t.c}) put(out, operand.value);
  put(out, static_cast<std::uint64_t>(t.value));
  put(out, static_cast<std::uint64_t>(t.value >> 64));
}

Term take_term(Cursor& in) {
  Term t;
  const auto kind = in.take<std::uint8_t>();
  if (kind >= symbolic::kTermKinds)
    in.failed = true;
  else
    t.kind = static_cast<TermKind>(kind);
  t.width = in.take<std::uint8_t>();
  t.low = in.take<std::uint8_t>();
  for (TermId* operand : {&t.a, &t.b, &t.c}) *operand = TermId(in.take<std::uint32_t>());
  const auto low = in.take<std::uint64_t>(), high = in.take<std::uint64_t>();
  t.value = (static_cast<symbolic::Bits>(high) << 64) | low;
  return t;
}

Error malformed(const char* what) {
  return Error{std::string("malformed ") + what +
               "; the executable was probably built by another version of heddle: build it again"};
}

}  // namespace

Payload encode(const Question& question) {
  Payload out(4);
  put(out, question.first_term);
  put(out, static_cast<std::uint32_t>(question.terms.size()));
  for (const Term& t : question.terms) put_term(out, t);
  put(out, static_cast<std::uint32_t>(question.conditions.size()));
  for (const TermId c : question.conditions) put(out, c.value);
  put(out, question.first_milliseconds);
  put(out, question.milliseconds);
  return framed(std::move(out));
}

Payload encode(const Solution& solution) {
  Payload out(4);
  put(out, solution.answer);
  put(out, solution.by);
  put(out, solution.microseconds);
  put(out, solution.wrong_models);
  put(out, static_cast<std::uint32_t>(solution.inputs.size()));
  for (const std::uint64_t value : solution.inputs) put(out, value);
  put(out, static_cast<std::uint32_t>(solution.core.size()));
  for (const TermId c : solution.core) put(out, c.value);
  return framed(std::move(out));
}

Result<Question> decode_question(std::span<const std::uint8_t> payload) {
  Cursor in(payload);
  Question question;
  question.first_term = in.take<std::uint32_t>();
  for (std::uint32_t n = in.count(kTermBytes); n > 0; --n) question.terms.push_back(take_term(in));
  for (std::uint32_t n = in.count(4); n > 0; --n) question.conditions.emplace_back(in.take<std::uint32_t>());
  question.first_milliseconds = in.take<std::uint32_t>();
  question.milliseconds = in.take<std::uint32_t>();
  if (!in.complete()) return malformed("question");
  return question;
}

Result<Solution> decode_solution(std::span<const std::uint8_t> payload) {
  Cursor in(payload);
  Solution solution;
  const auto answer = in.take<std::uint8_t>(), by = in.take<std::uint8_t>();
  if (answer > static_cast<std::uint8_t>(Answer::kUnknown) || by > static_cast<std::uint8_t>(SolvedBy::kZ3))
    return malformed("answer");
  solution.answer = static_cast<Answer>(answer);
  solution.by = static_cast<SolvedBy>(by);
  solution.microseconds = in.take<double>();
  solution.wrong_models = in.take<std::uint32_t>();
  for (std::uint32_t n = in.count(8); n > 0; --n) solution.inputs.push_back(in.take<std::uint64_t>());
  for (std::uint32_t n = in.count(4); n > 0; --n) solution.core.emplace_back(in.take<std::uint32_t>());
  if (!in.complete()) return malformed("answer");
  return solution;
}

}  // namespace heddle::protocol
