#include "native/supervisor/solver_service.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace heddle::supervisor {
namespace {

constexpr std::uint32_t kMostBytes = 1u << 30;

bool read_all(int fd, void* data, std::size_t size) {
  auto at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t n = read(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool send_all(int fd, const std::vector<std::uint8_t>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = send(fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

struct SolverMirror::Engine {
  explicit Engine(std::chrono::milliseconds first) : solver(symbolic::make_solver_chain(store, first)) {}
  symbolic::TermStore store{symbolic::Simplify::kNo};
  std::unique_ptr<symbolic::Solver> solver;
};

SolverMirror::SolverMirror() = default;
SolverMirror::~SolverMirror() = default;

// A worker that went back numbers other terms the same way: begin again with what is common.
Result<bool> SolverMirror::follow(const protocol::Question& question) {
  if (question.first_term < 1 || question.first_term > terms_.size() + 1)
    return Error{"a question left out terms; build the program again with this version of heddle"};
  std::size_t at = question.first_term - 1;
  for (const symbolic::Term& t : question.terms) {
    if (at < terms_.size() && terms_[at] != t) {
      terms_.resize(at);
      engine_.reset();
    }
    if (at == terms_.size()) terms_.push_back(t);
    ++at;
  }
  if (!engine_) engine_ = std::make_unique<Engine>(std::chrono::milliseconds(question.first_milliseconds));
  while (engine_->store.size() <= terms_.size())
    if (!engine_->store.adopt(terms_[engine_->store.size() - 1]))
      return Error{"a question had a term that cannot be; build the program again with this version of heddle"};
  for (const symbolic::TermId c : question.conditions)
    if (c == symbolic::kNoTerm || c.index() >= engine_->store.size() || engine_->store.width(c) != 1)
      return Error{"a question had a condition that is none; build the program again with this version of heddle"};
  return true;
}

Result<symbolic::Solution> SolverMirror::answer(const protocol::Question& question) {
  auto followed = follow(question);
  if (!followed) return followed.error();
  return engine_->solver->solve(question.conditions, std::chrono::milliseconds(question.milliseconds));
}

Result<std::unique_ptr<SolverService>> SolverService::start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{std::string("cannot talk to the solvers: ") + std::strerror(errno) + "; free some files or memory"};
  std::unique_ptr<SolverService> service(new SolverService(ends[0], ends[1]));
  service->thread_ = std::thread([s = service.get()] { s->serve(); });
  return service;
}

SolverService::~SolverService() {
  close_worker_end();
  shutdown(own_end_, SHUT_RDWR);  // wakes the thread
  thread_.join();
  close(own_end_);
}

void SolverService::close_worker_end() {
  if (worker_end_ >= 0) close(worker_end_);
  worker_end_ = -1;
}

// A malformed question ends the service: the worker finds the socket closed and ends itself.
void SolverService::serve() {
  SolverMirror mirror;
  std::uint32_t length = 0;
  while (read_all(own_end_, &length, sizeof length) && length < kMostBytes) {
    std::vector<std::uint8_t> payload(length);
    if (!read_all(own_end_, payload.data(), payload.size())) break;
    auto question = protocol::decode_question(payload);
    if (!question) break;
    auto solution = mirror.answer(*question);
    if (!solution || !send_all(own_end_, protocol::encode(*solution))) break;
  }
  shutdown(own_end_, SHUT_RDWR);
}

}  // namespace heddle::supervisor
