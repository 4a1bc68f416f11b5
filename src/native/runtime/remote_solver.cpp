#include "native/runtime/remote_solver.h"

#include <algorithm>

#include "native/protocol/solver_messages.h"
#include "native/runtime/raw.h"
#include "native/runtime/signals.h"

namespace heddle::runtime {

using symbolic::Solution;
using symbolic::TermId;

namespace {

constinit int socket_fd = -1;
constinit const void* asked_last = nullptr;  // of the solvers here; the other side knows the terms of one

class RemoteSolver final : public symbolic::Solver {
 public:
  RemoteSolver(symbolic::TermStore& store, std::chrono::milliseconds first) : store_(store), first_(first) {}

  Solution solve(std::span<const TermId> conditions, std::chrono::milliseconds limit) override {
    if (socket_fd < 0) return {};
    if (asked_last != this) sent_ = 1;
    asked_last = this;
    protocol::Question question;
    question.first_term = static_cast<std::uint32_t>(sent_);
    for (; sent_ < store_.size(); ++sent_) question.terms.push_back(store_[TermId(static_cast<std::uint32_t>(sent_))]);
    question.conditions.assign(conditions.begin(), conditions.end());
    question.first_milliseconds = static_cast<std::uint32_t>(first_.count());
    question.milliseconds = static_cast<std::uint32_t>(std::min<std::int64_t>(limit.count(), milliseconds_left()));
    const std::vector<std::uint8_t> sent = protocol::encode(question);
    std::uint32_t length = 0;
    if (!raw::write_all(socket_fd, sent.data(), sent.size()) || !raw::read_all(socket_fd, &length, sizeof length))
      raw::exit(3);  // the supervisor has gone
    std::vector<std::uint8_t> answer(length);
    if (!raw::read_all(socket_fd, answer.data(), answer.size())) raw::exit(3);
    auto solution = protocol::decode_solution(answer);
    if (!solution) raw::die(solution.error().message.c_str());
    return std::move(*solution);
  }

 private:
  symbolic::TermStore& store_;
  std::chrono::milliseconds first_;  // for CaDiCaL
  std::size_t sent_ = 1;             // terms that the other side has; 0 is no term
};

}  // namespace

void use_solver_socket(int fd) { socket_fd = fd; }

std::unique_ptr<symbolic::Solver> make_remote_solver(symbolic::TermStore& store,
                                                     const symbolic::QueryOptions& options) {
  return std::make_unique<RemoteSolver>(store, options.cadical_limit);
}

}  // namespace heddle::runtime
