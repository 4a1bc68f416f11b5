#include "native/runtime/remote_solver.h"

#include <algorithm>

#include "native/protocol/solver_messages.h"
#include "native/runtime/raw.h"
#include "native/runtime/signals.h"

namespace heddle::native {

using symbolic::Solution;
using symbolic::TermId;

namespace {

constinit int socket_fd = -1;
constinit std::size_t terms_sent = 1;  // 0 is no term

class RemoteSolver final : public symbolic::Solver {
 public:
  RemoteSolver(symbolic::TermStore& store, std::chrono::milliseconds first) : store_(store), first_(first) {}

  Solution solve(std::span<const TermId> conditions, std::chrono::milliseconds limit) override {
    if (socket_fd < 0) return {};
    Question question;
    question.first_term = static_cast<std::uint32_t>(terms_sent);
    for (; terms_sent < store_.size(); ++terms_sent)
      question.terms.push_back(store_[TermId(static_cast<std::uint32_t>(terms_sent))]);
    question.conditions.assign(conditions.begin(), conditions.end());
    question.first_milliseconds = static_cast<std::uint32_t>(first_.count());
    question.milliseconds = static_cast<std::uint32_t>(std::min<std::int64_t>(limit.count(), milliseconds_left()));
    const std::vector<std::uint8_t> sent = encode(question);
    std::uint32_t length = 0;
    if (!raw::write_all(socket_fd, sent.data(), sent.size()) || !raw::read_all(socket_fd, &length, sizeof length))
      raw::exit(3);  // the supervisor has gone
    std::vector<std::uint8_t> answer(length);
    if (!raw::read_all(socket_fd, answer.data(), answer.size())) raw::exit(3);
    auto solution = decode_solution(answer);
    if (!solution) raw::die(solution.error().message.c_str());
    return std::move(*solution);
  }

 private:
  symbolic::TermStore& store_;
  std::chrono::milliseconds first_;  // for CaDiCaL
};

}  // namespace

void use_solver_socket(int fd) { socket_fd = fd; }

std::unique_ptr<symbolic::Solver> make_remote_solver(symbolic::TermStore& store,
                                                     const symbolic::QueryOptions& options) {
  return std::make_unique<RemoteSolver>(store, options.cadical_limit);
}

}  // namespace heddle::native
