// Messages between a search and those who explore it on other machines. Whatever carries them may lose, double, delay
// or damage them: everybody above numbers, repeats and checks what it says (crew.h).
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "dist/work_item.h"

namespace heddle::dist {

class Transport {
 public:
  virtual ~Transport() = default;
  virtual void publish(const std::string& subject, const Bytes& message) = 0;
  // The next one that was sent to a subject of ours, waiting for so long at most.
  virtual std::optional<Bytes> next(std::chrono::milliseconds time) = 0;
  // Can be read from while there are messages; -1: there is no such descriptor.
  virtual int readable() const { return -1; }
};

// What everybody speaks to the search about, and hears from it: all of them, or one.
inline const std::string kToSearch = "heddle.up";
inline const std::string kToAll = "heddle.down.all";
inline std::string to_hand(std::uint64_t hand) { return "heddle.down." + std::to_string(hand); }

struct Credentials {
  std::string url;
  // Certificates: FOLDER/ca.pem, FOLDER/ROLE.pem, FOLDER/ROLE-key.pem. Empty: the server is on this machine.
  std::string folder;
  std::string role;
};

// By a nats-server. Without certificates only one on this machine is used.
Result<std::unique_ptr<Transport>> connect(const Credentials& access, const std::vector<std::string>& subjects);

}  // namespace heddle::dist
