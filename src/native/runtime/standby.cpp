#include "native/runtime/standby.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>

#include "native/runtime/raw.h"
#include "native/runtime/signals.h"

namespace heddle::runtime {

constinit Standby standby;

namespace {
constexpr double kLeastPause = 1;  // seconds
constexpr double kShare = 100;     // of the time that goes into making copies
}  // namespace

void Standby::renew() {
  const double now = raw::seconds();
  if (renewed_ == 0) renewed_ = now;
  if (off_ || now - renewed_ < pause_) return;
  dismiss();
  int ends[2];
  if (raw::syscall(SYS_pipe, reinterpret_cast<long>(ends)) != 0) return;  // without a copy, as before
  const long child = raw::syscall(SYS_fork);
  if (child == 0) {
    raw::syscall(SYS_close, ends[1]);
    char byte;
    long n;
    do n = raw::syscall(SYS_read, ends[0], reinterpret_cast<long>(&byte), 1);
    while (n == -EINTR);
    raw::syscall(SYS_close, ends[0]);
    took_over_ = true;
    renewed_ = raw::seconds();
    watch_local_loops_in_child();
    watch_deadline_in_child();
    return;
  }
  raw::syscall(SYS_close, ends[0]);
  if (child < 0) {
    raw::syscall(SYS_close, ends[1]);
    return;
  }
  copy_ = child;
  lifeline_ = ends[1];
  renewed_ = raw::seconds();
  pause_ = kShare * (renewed_ - now) > kLeastPause ? kShare * (renewed_ - now) : kLeastPause;
}

void Standby::dismiss() {
  if (copy_ == 0) return;
  raw::syscall(SYS_kill, copy_, SIGKILL);
  while (raw::syscall(SYS_wait4, copy_) == -EINTR) {
  }
  raw::syscall(SYS_close, lifeline_);
  copy_ = 0;
}

}  // namespace heddle::runtime
