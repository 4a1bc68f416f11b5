// The process of a worker: started with its options and a socket to talk over, captured, ended.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "native/protocol/codec.h"
#include "native/supervisor/solver_service.h"

namespace heddle::supervisor {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset();
  int get() const { return fd_; }

 private:
  int fd_;
};

Error system_error(const std::string& what);
bool write_all(int fd, const protocol::Bytes& bytes);

struct StartOptions {
  bool capture_output = false;     // of the program; otherwise it goes nowhere
  bool plain_environment = false;  // the same on every machine, instead of ours
};

class WorkerProcess {
 public:
  static Result<std::unique_ptr<WorkerProcess>> start(const std::string& executable,
                                                      const protocol::WorkerOptions& options, const StartOptions& how);
  // Ends it, and all that it has started.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int socket() const { return socket_.get(); }
  pid_t pid() const { return pid_; }
  void signal(int number) const;
  int wait_for_end();  // its status
  void end();
  std::string output() const;

 private:
  WorkerProcess() = default;
  std::optional<Error> launch(const std::string& executable, const protocol::WorkerOptions& options,
                              const StartOptions& how);

  pid_t pid_ = 0;
  Descriptor socket_;
  Descriptor output_;
  std::unique_ptr<SolverService> solvers_;
};

}  // namespace heddle::supervisor
