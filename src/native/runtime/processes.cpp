#include "native/runtime/processes.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <optional>

#include "explore/frontier.h"
#include "explore/parallel.h"
#include "graph/trust.h"
#include "native/protocol/codec.h"
#include "native/runtime/isolation.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/learnt.h"
#include "native/runtime/raw.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shared_ids.h"
#include "native/runtime/signals.h"
#include "native/runtime/standby.h"
#include "native/runtime/weak_memory.h"

namespace heddle::runtime {
namespace {

// Address space only; pages are used as the frontier grows.
constexpr std::size_t kFrontierBytes = std::size_t{4} << 30;
constexpr int kAttempts = 4;

// What a process answers: this, its result in a frame, and the lessons.
struct Header {
  bool explored;  // else the search is void, and the result's note says why
  bool inputs_drawn;
  bool refuted;  // known steps (known_steps.h)
  std::uint64_t frame_bytes;
  std::uint64_t lessons;
};

struct Member {
  long pid = 0;
  int answers = -1;
  protocol::Bytes answer;
};

// Each process has execution graphs of its own; those that it gives away go through the frontier.
void use_graphs(explore::ExploreOptions& options) {
  if (rt.weak)
    options.make = [frontier = options.frontier] {
      return std::make_unique<graph::Trust>(weak_memory.model(), frontier);
    };
}

[[noreturn]] void explore_and_answer(Watch& watch, explore::ExploreOptions options, int fd) {
  raw::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);  // without the worker nobody would listen
  standby.switch_off();
  watch_local_loops_in_child();
  watch_deadline_in_child();
  keep_lessons(true);
  use_graphs(options);
  auto result = explore::explore(watch.begin(property::Look::kClass), options);
  protocol::WorkerResult part;
  if (!result || result->parted) options.frontier->stop();
  if (result)
    part.result = std::move(*result);
  else
    part.note = result.error().message;
  if (std::string open = watch.left_open(); !open.empty())
    part.result.gaps.push_back({explore::Cause::kStatesOpen, std::move(open)});
  part.followed = known_steps.followed();
  const protocol::Bytes frame = protocol::encode(part);
  const std::vector<Lesson>& lessons = kept_lessons();
  const Header header{result.ok(), rt.inputs_drawn, known_steps.refuted(), frame.size(), lessons.size()};
  raw::write_all(fd, &header, sizeof header);
  raw::write_all(fd, frame.data(), frame.size());
  raw::write_all(fd, lessons.data(), lessons.size() * sizeof(Lesson));
  raw::exit(0);
}

Member start(Watch& watch, const explore::ExploreOptions& options) {
  int ends[2];
  if (raw::syscall(SYS_pipe, reinterpret_cast<long>(ends)) != 0)
    raw::die("no pipe for a process of -j; raise the limit on open files (ulimit -n)");
  const long pid = raw::syscall(SYS_fork);
  if (pid < 0) raw::die("cannot start a process for -j; raise the limit on processes (ulimit -u)");
  if (pid == 0) explore_and_answer(watch, options, ends[1]);
  raw::syscall(SYS_close, ends[1]);
  return {pid, ends[0], {}};
}

// Has it said everything?
bool complete(const protocol::Bytes& answer) {
  Header header;
  if (answer.size() < sizeof header) return false;
  memcpy(&header, answer.data(), sizeof header);
  return answer.size() == sizeof header + header.frame_bytes + header.lessons * sizeof(Lesson);
}

// Until every process has answered, or one has died without an answer: false.
bool listen(std::vector<Member>& members) {
  for (std::size_t left = members.size(); left > 0;) {
    std::vector<pollfd> waiting;
    for (const Member& member : members) waiting.push_back({member.answers, POLLIN, 0});
    if (raw::syscall(SYS_poll, reinterpret_cast<long>(waiting.data()), static_cast<long>(waiting.size()), -1) < 0)
      continue;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (waiting[i].revents == 0) continue;
      std::uint8_t part[16384];
      const long n = raw::syscall(SYS_read, members[i].answers, reinterpret_cast<long>(part), sizeof part);
      if (n > 0) members[i].answer.insert(members[i].answer.end(), part, part + n);
      if (n > 0 || n == -EINTR) continue;
      raw::syscall(SYS_close, members[i].answers);
      members[i].answers = -1;  // poll looks past it
      --left;
      if (!complete(members[i].answer)) return false;
    }
  }
  return true;
}

void end(std::vector<Member>& members) {
  for (Member& member : members) {
    raw::syscall(SYS_kill, member.pid, SIGKILL);
    while (raw::syscall(SYS_wait4, member.pid) == -EINTR) {
    }
    if (member.answers >= 0) raw::syscall(SYS_close, member.answers);
  }
}

// The parts together; what was learnt becomes known here.
Result<explore::ExploreResult> put_together(const std::vector<Member>& members) {
  std::optional<explore::ExploreResult> whole;
  std::optional<Error> error;
  for (const Member& member : members) {
    Header header;
    memcpy(&header, member.answer.data(), sizeof header);
    const std::uint8_t* const frame = member.answer.data() + sizeof header;
    protocol::FrameReader reader;
    reader.append({frame, static_cast<std::size_t>(header.frame_bytes)});
    auto next = reader.next();
    INVARIANT(next && next->complete);
    auto part = protocol::decode_result(next->frame.payload);
    INVARIANT(part.ok());
    std::vector<Lesson> lessons(header.lessons);
    memcpy(static_cast<void*>(lessons.data()), frame + header.frame_bytes, lessons.size() * sizeof(Lesson));
    learn(lessons);
    rt.inputs_drawn |= header.inputs_drawn;
    if (header.refuted) known_steps.refute();
    known_steps.add_followed(part->followed);
    if (!header.explored)
      error = Error{part->note};
    else if (!whole)
      whole = std::move(part->result);
    else
      merge(*whole, std::move(part->result));
  }
  if (error) return *error;
  return std::move(*whole);
}

}  // namespace

Result<explore::ExploreResult> explore_by_processes(Watch& watch, const explore::ExploreOptions& options,
                                                    std::uint32_t jobs) {
  for (int attempt = 1; attempt <= kAttempts; ++attempt) {
    void* memory =
        mmap(nullptr, kFrontierBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) raw::die("no memory to share between the processes of -j; run with -j 1");
    explore::ExploreOptions shared = options;
    shared.frontier = explore::Frontier::create(memory, kFrontierBytes, static_cast<int>(jobs));
    shared.keep_executions = 0;  // they have no common order
    share_ids();
    std::vector<Member> members;
    for (std::uint32_t j = 0; j < jobs; ++j) {
      members.push_back(start(watch, shared));
      shared.observer = nullptr;  // the first one reports
    }
    const bool all = listen(members);
    end(members);
    adopt_shared_ids();
    munmap(memory, kFrontierBytes);
    if (all) return put_together(members);
  }
  return Error{"processes of the search were killed again and again; run with -j 1"};
}

}  // namespace heddle::runtime
