// A search of a native program on several machines (dist/crew.h): what they have to know of each other.
#pragma once

#include "dist/crew.h"
#include "dist/hand.h"
#include "native/supervisor/together.h"

namespace heddle::supervisor {

// What the explorers know, for hands.
class CrewKnowledge final : public dist::CommonKnowledge {
 public:
  explicit CrewKnowledge(KnownHere& known) : known_(known) {}
  const std::vector<dist::Bytes>& lessons() const override { return known_.lessons(); }
  std::uint64_t epoch() const override { return known_.epoch(); }
  std::uint8_t flags() const override;
  std::optional<std::uint32_t> answer_to(std::span<const std::uint8_t> question, bool certain) override;
  void add_beside(const dist::Bytes& beside) override;

 private:
  KnownHere& known_;
};

// The executable and all that its explorers are told.
dist::Job native_job(const std::string& program, const std::string& executable, const protocol::WorkerOptions& options);

// On a machine that works for such a search.
Result<std::unique_ptr<dist::Workshop>> make_workshop(const dist::ReceivedJob& job, const dist::AskSearch& ask,
                                                      std::size_t explorers, int wake_by);

}  // namespace heddle::supervisor
