// The other way to embed: a class that runs a whole execution by itself, along the schedule it is given. Here:
// one writer and n readers of a variable, which have 2^n classes.
#include <cstdio>

#include <heddle/heddle.hpp>

namespace {

class Readers final : public heddle::Program {
 public:
  explicit Readers(std::uint16_t readers) : threads_(static_cast<std::uint16_t>(readers + 1)) {}

  void run(const heddle::trace::Schedule& schedule, heddle::Execution& execution) override {
    conductor_.begin(schedule, execution);
    heddle::ThreadSet enabled = heddle::ThreadSet::below(threads_);
    for (std::uint16_t t = 0; t < threads_; ++t) conductor_.announce(heddle::ThreadId(t), step(t));
    while (const auto decision = conductor_.decide(enabled)) {
      conductor_.performed(step(decision->thread.value));
      conductor_.retire(decision->thread);
      enabled.erase(decision->thread);
    }
    conductor_.end(enabled);
    execution.outcome = conductor_.stopped_asleep() ? heddle::trace::Outcome::kAsleep
                                                    : heddle::trace::Outcome::kComplete;
  }

 private:
  static heddle::trace::Step step(std::uint16_t thread) {
    heddle::trace::Step s;
    s.thread = heddle::ThreadId(thread);
    s.op.kind = thread == 0 ? heddle::OpKind::kWrite : heddle::OpKind::kRead;
    s.op.object = heddle::ObjectId(0);
    return s;
  }

  std::uint16_t threads_;
  heddle::trace::Conductor conductor_;
};

}  // namespace

int main() {
  Readers program(10);
  const auto report = heddle::explore::explore(program, {});
  if (!report) {
    std::fprintf(stderr, "%s\n", report.error().message.c_str());
    return 1;
  }
  std::printf("readers(10): %s, %llu classes\n", heddle::explore::name_of(report.value().verdict()),
              static_cast<unsigned long long>(report.value().classes));
}
