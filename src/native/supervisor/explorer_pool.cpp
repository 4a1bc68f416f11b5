#include "native/supervisor/explorer_pool.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "native/supervisor/worker.h"

namespace heddle::supervisor {

using protocol::MessageType;
namespace {

// Whoever is killed so often with the same part of the search, and never comes to an answer, will not.
constexpr int kMostKills = 50;
constexpr int kMostFaults = 2;

// What the runtime says on standard error before it ends a process.
std::string own_words(const std::string& output) {
  constexpr std::string_view kMark = "heddle: ";
  std::istringstream lines(output);
  std::string said;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(kMark)) said = line.substr(kMark.size());
  return said;
}

}  // namespace

ExplorerPool::ExplorerPool(ExplorerLaunch launch, SharedKnowledge& knowledge)
    : launch_(std::move(launch)), knowledge_(knowledge), explorers_(launch_.explorers) {
  launch_.options.items = true;
  launch_.options.jobs = 1;
  launch_.options.conclude.reset();
  for (Explorer& explorer : explorers_) start(explorer);
}

ExplorerPool::~ExplorerPool() = default;

void ExplorerPool::start(Explorer& explorer) {
  explorer = {};
  auto process = WorkerProcess::start(launch_.executable, launch_.options,
                                      {.capture_output = true, .plain_environment = launch_.plain_environment});
  if (!process) return complain(explorer, process.error().message);
  explorer.process = std::move(*process);
  explorer.heard = Clock::now();
}

std::size_t ExplorerPool::room() const {
  const auto busy = std::ranges::count_if(explorers_, [](const Explorer& e) { return e.item.has_value(); });
  const std::size_t taken = static_cast<std::size_t>(busy) + waiting_.size();
  return explorers_.size() - std::min(explorers_.size(), taken);
}

void ExplorerPool::give(dist::WorkItem item) {
  waiting_.push_back(std::move(item));
  hand_out();
}

void ExplorerPool::hand_out() {
  for (Explorer& explorer : explorers_) {
    if (waiting_.empty()) return;
    if (explorer.item || !explorer.process) continue;
    if (explorer.knows_more) start(explorer);
    if (!explorer.ready) continue;
    explorer.item = std::move(waiting_.front());
    waiting_.pop_front();
    const auto& lessons = knowledge_.lessons();
    protocol::WorkOrder order;
    order.epoch = knowledge_.epoch();
    order.lessons.assign(lessons.begin() + static_cast<std::ptrdiff_t>(explorer.lessons), lessons.end());
    explorer.lessons = lessons.size();
    const protocol::Bytes item = dist::encode(*explorer.item);
    order.item.assign(item.begin(), item.end());
    explorer.hurried = false;
    explorer.heard = Clock::now();
    send(explorer, protocol::encode(order));
  }
}

void ExplorerPool::hurry(bool hurry) {
  hurry_ = hurry;
  if (!hurry) return;
  for (Explorer& explorer : explorers_) {
    if (!explorer.item || explorer.hurried) continue;
    explorer.hurried = true;
    send(explorer, protocol::encode(protocol::Hurry{explorer.item->segment, explorer.item->attempt}));
  }
}

void ExplorerPool::begin_anew(const dist::Answer& answer) {
  REQUIRE(answer.discovery.has_value());
  waiting_.clear();
  knowledge_.add(*answer.discovery);
  launch_.options.known_steps = launch_.options.known_steps && !answer.discovery->run_all;
  if (answer.discovery->isolate) launch_.options.isolation = protocol::Isolation::kProcess;
  const bool other_options = answer.discovery->run_all || answer.discovery->isolate;
  const protocol::Hurry source{answer.segment, answer.attempt};
  for (Explorer& explorer : explorers_) explorer.knows_more &= other_options || !(explorer.discovered == source);
  if (other_options)
    for (Explorer& explorer : explorers_) explorer.knows_more = true;
  hurry(true);  // what they are at is void
}

void ExplorerPool::send(Explorer& explorer, const protocol::Bytes& frame) {
  std::size_t done = 0;
  while (explorer.process && done < frame.size()) {
    const ssize_t n = ::send(explorer.process->socket(), frame.data() + done, frame.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // it has gone: listen() will see
    done += static_cast<std::size_t>(n);
  }
}

std::vector<dist::Answer> ExplorerPool::wait(std::chrono::milliseconds time) {
  hand_out();
  std::vector<pollfd> sockets;
  for (const Explorer& explorer : explorers_)
    sockets.push_back({explorer.process ? explorer.process->socket() : -1, POLLIN, 0});
  sockets.push_back({launch_.wake_by, POLLIN, 0});
  const int patience = answers_.empty() ? static_cast<int>(time.count()) : 0;
  if (poll(sockets.data(), sockets.size(), patience) > 0)
    for (std::size_t i = 0; i < explorers_.size(); ++i)
      if (sockets[i].revents != 0) listen(explorers_[i]);
  watch_silence();
  return std::exchange(answers_, {});
}

void ExplorerPool::listen(Explorer& explorer) {
  std::uint8_t buffer[1 << 16];
  const ssize_t n = read(explorer.process->socket(), buffer, sizeof buffer);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) return lose(explorer, explorer.process->wait_for_end());
  explorer.heard = Clock::now();
  explorer.frames.append({buffer, static_cast<std::size_t>(n)});
  while (explorer.process) {
    auto next = explorer.frames.next();
    if (!next) return complain(explorer, next.error().message);
    if (!next->complete) return;
    take(explorer, next->frame);
  }
}

void ExplorerPool::take(Explorer& explorer, const protocol::Frame& frame) {
  const auto checked = [&](const auto& read) {
    if (!read) complain(explorer, read.error().message);
    return read.ok();
  };
  if (frame.type == MessageType::kReady) {
    const auto ready = protocol::decode_ready(frame.payload);
    if (!checked(ready)) return;
    if (!knowledge_.fits(ready.value().surroundings))
      return complain(explorer,
                      "this machine has other libraries than where the search began, or at other addresses; use the "
                      "same system on all machines, or a container");
    explorer.ready = true;
  } else if (frame.type == MessageType::kAsk) {
    const auto thing = protocol::decode_ask(frame.payload);
    if (checked(thing)) take_question(explorer, thing.value());
  } else if (frame.type == MessageType::kAnswer) {
    auto answer = protocol::decode_answer(frame.payload);
    if (checked(answer)) take_answer(explorer, std::move(*answer));
  } else if (frame.type == MessageType::kError) {
    const auto message = protocol::decode_error(frame.payload);
    if (checked(message)) complain(explorer, message.value());
  } else {
    complain(explorer, "an explorer sent what nobody has asked for; build the program again");
  }
}

// Speculation must not give out numbers of threads: in which order they come decides what is explored first.
void ExplorerPool::take_question(Explorer& explorer, const protocol::Numbered& thing) {
  const bool certain =
      !explorer.item || explorer.item->certain || !std::holds_alternative<protocol::NumberedThread>(thing);
  if (const auto number = knowledge_.number_of(thing, certain)) return send(explorer, protocol::encode_number(*number));
  answer(explorer, {.for_front_only = true});
  start(explorer);
}

void ExplorerPool::take_answer(Explorer& explorer, protocol::ItemAnswer said) {
  if (!explorer.item) return complain(explorer, "an explorer answered what nobody has asked; build the program again");
  if (!said.error.empty()) return complain(explorer, said.error);
  ends_.erase(explorer.item->segment);
  if (said.stale || said.parted) {
    explorer.knows_more = true;
    explorer.discovered = {explorer.item->segment, explorer.item->attempt};
    dist::Discovery discovery{said.lessons, said.parted && !said.stale, said.refuted};
    return answer(explorer, {.discovery = std::move(discovery)});
  }
  const auto bytes = reinterpret_cast<const std::uint8_t*>(said.result.data());
  auto result = dist::decode_result({bytes, said.result.size()});
  if (!result) return complain(explorer, result.error().message);
  if (result->segment != explorer.item->segment || result->attempt != explorer.item->attempt)
    return complain(explorer, "an explorer answered something else than it was asked; build the program again");
  knowledge_.add(said);
  followed_ += said.followed;
  answer(explorer, {.result = std::move(*result)});
}

void ExplorerPool::answer(Explorer& explorer, dist::Answer answer) {
  if (!explorer.item) return;
  answer.segment = explorer.item->segment;
  answer.attempt = explorer.item->attempt;
  explorer.item.reset();
  answers_.push_back(std::move(answer));
}

// It came to its end: killed, or by its own doing, and then it would again.
void ExplorerPool::lose(Explorer& explorer, int status) {
  const std::string output = explorer.process->output();
  const bool killed = WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
  const int most = killed ? kMostKills : kMostFaults;
  const bool early = !explorer.ready;
  int& ends = ends_[explorer.item ? explorer.item->segment : 0];
  if (++ends < most && (killed || !early)) {
    ++replaced_;
    answer(explorer, {});
    start(explorer);
    return;
  }
  std::string why = own_words(output);
  if (why.empty() && WIFEXITED(status) && WEXITSTATUS(status) == 127)
    why = "cannot start \"" + launch_.executable + "\"; check that it is executable and its libraries are found";
  if (why.empty())
    why = "explorers of the program ended again and again, last by " +
          (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")"
                               : "exit code " + std::to_string(WEXITSTATUS(status))) +
          "; try --isolation=process";
  complain(explorer, std::move(why));
}

void ExplorerPool::complain(Explorer& explorer, std::string error) {
  explorer.process.reset();
  if (explorer.item)
    answer(explorer, {.error = std::move(error)});
  else
    answers_.push_back({.error = std::move(error)});
}

void ExplorerPool::watch_silence() {
  const auto now = Clock::now();
  for (Explorer& explorer : explorers_) {
    if (!explorer.item || now - explorer.heard < launch_.patience) continue;
    ++replaced_;
    answer(explorer, {});
    start(explorer);
  }
}

}  // namespace heddle::supervisor
