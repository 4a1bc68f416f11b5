// A hand-driven program: two clerks increment a counter by reading and writing it, first without a lock, then
// with one. The clerks are plain structs here; they could as well be coroutines, fibers or parked threads.
#include <cstdio>
#include <vector>

#include <heddle/heddle.hpp>

namespace {

constexpr heddle::ObjectId kCounter{0};
constexpr heddle::ObjectId kLock{1};

struct Clerk {
  int line = 0;
  int seen = 0;
};

class Office {
 public:
  explicit Office(bool locked) : locked_(locked) {}

  // The clerk's next operation; none: it is done.
  std::optional<heddle::Intent> intent(const Clerk& clerk) const {
    const std::vector<heddle::Intent> with{heddle::lock(kLock), heddle::read(kCounter), heddle::write(kCounter),
                                           heddle::unlock(kLock)};
    const std::vector<heddle::Intent> without{heddle::read(kCounter), heddle::write(kCounter)};
    const auto& lines = locked_ ? with : without;
    if (clerk.line == static_cast<int>(lines.size())) return std::nullopt;
    return lines[static_cast<std::size_t>(clerk.line)];
  }

  heddle::Values act(Clerk& clerk, heddle::OpKind kind) {
    const auto before = static_cast<std::uint64_t>(counter_);
    if (kind == heddle::OpKind::kRead) clerk.seen = counter_;
    if (kind == heddle::OpKind::kWrite) counter_ = clerk.seen + 1;
    ++clerk.line;
    return {before, static_cast<std::uint64_t>(counter_)};
  }

  int counter() const { return counter_; }

 private:
  bool locked_;
  int counter_ = 0;
};

void explore(bool locked) {
  heddle::Options options;
  options.all = true;
  auto session = heddle::Session::create(options);
  while (session->begin()) {
    Office office(locked);
    Clerk clerks[2];
    const auto go_on = [&](heddle::ThreadId t) {
      if (const auto intent = office.intent(clerks[t.index()]))
        session->announce(t, *intent);
      else
        session->ended(t);
    };
    for (std::uint16_t i = 0; i < 2; ++i) go_on(heddle::ThreadId(i));
    heddle::ThreadId last{};
    while (const auto turn = session->next()) {
      last = turn->thread;
      session->performed(office.act(clerks[last.index()], turn->kind));
      go_on(last);
    }
    const bool over = !office.intent(clerks[0]) && !office.intent(clerks[1]);
    if (over && office.counter() != 2)
      session->fail(last, heddle::FailureKind::kAssertion, "an increment was lost");
    session->finish();
  }
  const heddle::Report report = session->conclude();
  std::printf("%s: %s, %llu classes, %llu of them with a bug\n", locked ? "with a lock" : "without a lock",
              heddle::explore::name_of(report.verdict()), static_cast<unsigned long long>(report.classes),
              static_cast<unsigned long long>(report.failed));
}

}  // namespace

int main() {
  explore(false);
  explore(true);
}
