// A machine that works for a search elsewhere (crew.h): asks for the job, explores what it is given by explorers of its
// own, and answers, until the search says that it is over. If the search falls silent it waits for it to come back.
#pragma once

#include <functional>
#include <map>

#include "dist/letter.h"
#include "dist/transport.h"

namespace heddle::dist {

// What explores here, made for a job.
class Workshop {
 public:
  virtual ~Workshop() = default;
  virtual WorkPool& pool() = 0;
  // Lessons from `first` on, and what else came with an order.
  virtual void learn(std::uint64_t, std::uint64_t, const std::vector<Bytes>&, std::uint8_t) {}
  virtual std::uint64_t lessons() const { return 0; }
  // What goes with the next answer.
  virtual std::vector<Bytes> take_beside() { return {}; }
};

// Asks the search for something and waits for the answer. Nothing: it has none, or does not answer.
using AskSearch = std::function<std::optional<std::uint32_t>(const Bytes& question, const AtWork* item)>;

struct ReceivedJob {
  std::string what;
  Bytes how;
  Bytes blob;
};

struct HandOptions {
  std::string build;
  std::uint32_t room = 1;
  std::chrono::milliseconds pace{1000};  // how often it says that it is there; what is not heard is repeated by it
  std::function<Result<std::unique_ptr<Workshop>>(const ReceivedJob&, const AskSearch&)> make;
  std::function<void(const std::string&)> say;  // to the user
  std::function<bool()> goes_on;
};

// Until the search is over, or somebody has had enough. How many items were explored.
Result<std::uint64_t> work(Transport& transport, std::uint64_t hand, const HandOptions& options);

}  // namespace heddle::dist
