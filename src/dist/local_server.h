// A nats-server of our own on this machine's loopback, for a try (`--serve=local`).
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace heddle::dist {

class LocalServer {
 public:
  static Result<std::unique_ptr<LocalServer>> start();
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;
  const std::string& url() const { return url_; }

 private:
  LocalServer() = default;
  pid_t pid_ = 0;
  std::string folder_, url_;
};

}  // namespace heddle::dist
