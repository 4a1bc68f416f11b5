#include "native/supervisor/team.h"

#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle::supervisor {
namespace {

// A question is one for a number, or whether explorers in these surroundings fit.
constexpr std::uint8_t kDoesItFit = 0xff;
constexpr std::uint8_t kIsolate = 1, kRunAll = 2;
constexpr std::size_t kFrameHead = 5;

dist::Bytes without_head(const protocol::Bytes& frame) { return {frame.begin() + kFrameHead, frame.end()}; }

// What whoever keeps the search knows, as seen from another machine.
class KnownElsewhere final : public SharedKnowledge {
 public:
  explicit KnownElsewhere(dist::AskSearch ask) : ask_(std::move(ask)) {}

  std::optional<std::uint32_t> number_of(const protocol::Numbered& thing, bool certain) override {
    if (const auto known = numbers_.find(thing)) return by_number_here_[index_of(thing)].at(*known);
    // Who is certain has an item that the search knows to be so; before the first one all is.
    const dist::AtWork none{};
    const auto number = ask_(without_head(protocol::encode_ask(thing)), certain ? nullptr : &none);
    if (!number) return std::nullopt;
    by_number_here_[index_of(thing)][numbers_.find_or_add(thing)] = *number;
    return number;
  }
  const std::vector<protocol::PackedLesson>& lessons() const override { return lessons_; }
  std::uint64_t epoch() const override { return epoch_; }
  void add(const protocol::ItemAnswer& answer) override {
    protocol::ItemAnswer rest = answer;
    rest.result.clear();  // it goes by itself
    beside_.push_back(without_head(protocol::encode(rest)));
  }
  void add(const dist::Discovery&) override {}
  bool fits(std::uint64_t surroundings) override {
    dist::Bytes question{kDoesItFit};
    question.resize(1 + sizeof surroundings);
    std::memcpy(question.data() + 1, &surroundings, sizeof surroundings);
    return ask_(question, nullptr) == 1u;
  }

  void learn(std::uint64_t epoch, std::uint64_t first, const std::vector<dist::Bytes>& lessons) {
    epoch_ = epoch;
    lessons_.resize(std::min<std::size_t>(lessons_.size(), first));
    lessons_.insert(lessons_.end(), lessons.begin(), lessons.end());
  }
  std::vector<dist::Bytes> take_beside() { return std::exchange(beside_, {}); }

 private:
  static std::size_t index_of(const protocol::Numbered& thing) { return thing.index(); }

  dist::AskSearch ask_;
  protocol::NumberBook numbers_;                                                         // as they were asked for here
  std::map<std::uint32_t, std::uint32_t> by_number_here_[3] = {{{0, 0}}, {}, {{0, 0}}};  // those of the search
  std::vector<protocol::PackedLesson> lessons_;
  std::uint64_t epoch_ = 0;
  std::vector<dist::Bytes> beside_;
};

class NativeWorkshop final : public dist::Workshop {
 public:
  NativeWorkshop(std::string folder, ExplorerLaunch launch, const dist::AskSearch& ask)
      : folder_(std::move(folder)), known_(ask), pool_(std::move(launch), known_) {}
  ~NativeWorkshop() override {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }

  dist::WorkPool& pool() override { return pool_; }
  void learn(std::uint64_t epoch, std::uint64_t first, const std::vector<dist::Bytes>& lessons,
             std::uint8_t flags) override {
    if (epoch != known_.epoch()) {
      const std::uint8_t more = flags & ~std::exchange(flags_, flags);
      pool_.begin_anew({.discovery = dist::Discovery{{}, (more & kIsolate) != 0, (more & kRunAll) != 0}});
    }
    known_.learn(epoch, first, lessons);
  }
  std::uint64_t lessons() const override { return known_.lessons().size(); }
  std::vector<dist::Bytes> take_beside() override { return known_.take_beside(); }

 private:
  std::string folder_;
  KnownElsewhere known_;
  ExplorerPool pool_;
  std::uint8_t flags_ = 0;
};

}  // namespace

std::uint8_t CrewKnowledge::flags() const {
  return static_cast<std::uint8_t>((known_.isolates() ? kIsolate : 0) | (known_.runs_all() ? kRunAll : 0));
}

std::optional<std::uint32_t> CrewKnowledge::answer_to(std::span<const std::uint8_t> question, bool certain) {
  std::uint64_t surroundings = 0;
  if (!question.empty() && question[0] == kDoesItFit && question.size() == 1 + sizeof surroundings) {
    std::memcpy(&surroundings, question.data() + 1, sizeof surroundings);
    return known_.fits(surroundings) ? 1u : 0u;
  }
  const auto thing = protocol::decode_ask(question);
  if (!thing) return std::nullopt;
  return known_.number_of(thing.value(), certain || !std::holds_alternative<protocol::NumberedThread>(thing.value()));
}

void CrewKnowledge::add_beside(const dist::Bytes& beside) {
  if (const auto answer = protocol::decode_answer(beside)) known_.add(answer.value());
}

dist::Job native_job(const std::string& program, const std::string& executable,
                     const protocol::WorkerOptions& options) {
  std::ostringstream text;
  text << std::ifstream(executable, std::ios::binary).rdbuf();
  const std::string bytes = std::move(text).str();
  return {"native " + std::filesystem::path(program).filename().string(),
          without_head(protocol::encode(options)),
          {bytes.begin(), bytes.end()},
          {}};
}

Result<std::unique_ptr<dist::Workshop>> make_workshop(const dist::ReceivedJob& job, const dist::AskSearch& ask,
                                                      std::size_t explorers, int wake_by) {
  auto options = protocol::decode_options(job.how);
  if (!options) return options.error();
  char name[] = "/tmp/heddle-work-XXXXXX";
  if (mkdtemp(name) == nullptr) return Error{"cannot make a folder in /tmp for the program; make room there"};
  const std::string file = std::string(name) + "/program";
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(job.blob.data()), static_cast<std::streamsize>(job.blob.size()));
  out.close();
  if (!out || chmod(file.c_str(), 0700) != 0) return Error{"cannot write \"" + file + "\"; make room there"};
  ExplorerLaunch launch{file, std::move(*options), explorers};
  launch.plain_environment = true;
  launch.wake_by = wake_by;
  return std::unique_ptr<dist::Workshop>(new NativeWorkshop(name, std::move(launch), ask));
}

}  // namespace heddle::supervisor
