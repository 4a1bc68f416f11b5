#include "native/runtime/beside.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "native/runtime/raw.h"
#include "native/runtime/runtime.h"
#include "native/runtime/signals.h"
#include "native/runtime/standby.h"

namespace heddle::runtime {
namespace {

constexpr std::uint8_t kWorking = 0, kGaveUp = 1, kAnswered = 2;
constexpr std::uint64_t kLooking = 1 << 14;  // work, as strategies/auto_search.cpp counts it
// What is looked for between two executions may be out of all proportion, and not every search for it asks whether to
// go on. The one decision that the clock makes.
constexpr double kLeastSeconds = 2;
constexpr int kLookEvery = 50;  // milliseconds

struct Grant {
  std::uint64_t work = 0;
  double cpu_seconds = 0;  // that were used elsewhere
};

struct Word {
  std::uint64_t done = 0;
  std::uint8_t state = kWorking;
};

double cpu_seconds() {
  timespec now{};
  raw::syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, reinterpret_cast<long>(&now));
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

bool put(int socket, const void* data, std::size_t size) {
  return raw::syscall(SYS_sendto, socket, reinterpret_cast<long>(data), static_cast<long>(size), MSG_NOSIGNAL) ==
         static_cast<long>(size);
}

}  // namespace

void Allowance::say(std::uint8_t state) {
  const Word word{done_ - told_, state};
  told_ = done_;
  if (!put(socket_, &word, sizeof word)) raw::exit(0);  // nobody is there any more
}

void Allowance::charge(std::uint64_t work) {
  done_ += work;
  while (done_ >= granted_) {
    if (granted_ > 0) say(kWorking);
    Grant grant;
    if (!raw::read_all(socket_, &grant, sizeof grant)) raw::exit(0);
    granted_ = done_ + grant.work;
    cpu_seconds_ = grant.cpu_seconds;
  }
}

void Allowance::charge_for_looking() { charge(kLooking); }

void Allowance::conclude(bool answer) {
  ++done_;  // nothing would mean that it has given up
  say(answer ? kAnswered : kGaveUp);
}

Beside::Beside(Job job) : job_(std::move(job)), cpu_began_(cpu_seconds()) {}

void Beside::begin() {
  int ends[2];
  if (raw::syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, reinterpret_cast<long>(ends)) != 0) {
    over_ = true;
    return;
  }
  pid_ = raw::syscall(SYS_fork);
  if (pid_ == 0) {
    raw::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);  // without the other one nobody would grant anything
    raw::syscall(SYS_close, ends[0]);
    standby.switch_off();
    watch_local_loops_in_child();
    watch_deadline_in_child();
    Allowance allowance(ends[1]);
    allowance.charge(0);
    job_(allowance);
    raw::exit(0);
  }
  raw::syscall(SYS_close, ends[1]);
  socket_ = ends[0];
  owner_ = raw::syscall(SYS_getpid);
  began_ = raw::seconds();
  if (pid_ < 0) end();
}

std::uint64_t Beside::work(std::uint64_t granted) {
  if (pid_ == 0 && !over_) begin();
  if (over_) return 0;
  Word word;
  bool said = false;
  const double since = raw::seconds(), patience = kLeastSeconds + (since - began_) / 2;
  const Grant grant{granted, cpu_seconds() - cpu_began_};
  if (put(socket_, &grant, sizeof grant))
    while (!rt.asked_to_stop && raw::seconds() - since < patience) {
      pollfd waiting{socket_, POLLIN, 0};
      if (raw::syscall(SYS_poll, reinterpret_cast<long>(&waiting), 1, kLookEvery) <= 0) continue;
      said = raw::read_all(socket_, &word, sizeof word);
      break;
    }
  if (said && word.state == kWorking) return word.done;
  if (said && word.state == kAnswered) follow();
  // It has given up, or been killed.
  end();
  return 0;
}

// It tells the supervisor.
void Beside::follow() {
  int status = 0;
  long ended;
  do {
    ended = raw::syscall(SYS_wait4, pid_, reinterpret_cast<long>(&status));
  } while (ended == -EINTR);
  if (ended != pid_ || !WIFEXITED(status)) return;
  standby.dismiss();
  raw::exit(WEXITSTATUS(status));
}

void Beside::end() {
  over_ = true;
  if (pid_ > 0 && raw::syscall(SYS_getpid) == owner_) {  // or it went with whom this process stands in for (standby.h)
    raw::syscall(SYS_kill, pid_, SIGKILL);
    while (raw::syscall(SYS_wait4, pid_) == -EINTR) {
    }
  }
  pid_ = 0;
  if (socket_ >= 0) raw::syscall(SYS_close, socket_);
  socket_ = -1;
}

}  // namespace heddle::runtime
