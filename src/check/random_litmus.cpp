#include "check/random_litmus.h"

#include "base/random.h"

namespace heddle::check {

using trace::MemoryOrder;

namespace {

class Drawer {
 public:
  Drawer(std::uint64_t seed, const RandomLitmus& options) : random_(mix(seed)), options_(options) {}

  Litmus draw() {
    const int locations = 1 + pick(3), threads = 2 + pick(3);
    for (int x = 0; x < locations; ++x) result_.locations.push_back(std::string(1, static_cast<char>('x' + x)));
    result_.registers = {"a", "b"};
    if (options_.locks) result_.locations.insert(result_.locations.end(), {"m", "n"});
    memory_ = locations;
    strong_ = pick(3) == 0;
    int left = 3 + pick(5);  // statements, for all threads
    if (threads == 2) left += 1;
    for (int t = 0; t < threads; ++t) {
      result_.threads.emplace_back();
      const int here = t == threads - 1 ? left : 1 + pick(left - (threads - 1 - t));
      left -= here;
      for (int i = 0; i < here; ++i) statement(t, here - i - 1);
      if (result_.threads.back().empty()) access();
    }
    return std::move(result_);
  }

 private:
  int pick(int n) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(n))); }
  template <std::size_t N>
  MemoryOrder one_of(const MemoryOrder (&orders)[N]) {
    return strong_ && pick(2) == 0 ? MemoryOrder::kSeqCst : orders[pick(N)];
  }
  std::vector<LitmusStmt>& thread() { return result_.threads.back(); }

  void statement(int t, int behind) {
    const int kind = pick(options_.locks ? 16 : 10);
    if (kind == 0 && !thread().empty()) {
      LitmusStmt fence{.kind = LitmusKind::kFence};
      fence.order = one_of({MemoryOrder::kAcquire, MemoryOrder::kRelease, MemoryOrder::kAcqRel, MemoryOrder::kSeqCst});
      thread().push_back(fence);
    } else if (kind == 1 && behind > 0) {
      thread().push_back({.kind = LitmusKind::kIf, .reg = pick(2), .number = pick(2), .next = 1});
      access();
    } else if (kind >= 10) {
      other(t, kind - 10);
    } else {
      access();
    }
  }

  void access() {
    LitmusStmt s{.location = pick(memory_), .reg = pick(2)};
    const int kind = pick(10);
    if (kind < 4) {
      s.kind = LitmusKind::kLoad;
      s.order = one_of({MemoryOrder::kPlain, MemoryOrder::kRelaxed, MemoryOrder::kAcquire, MemoryOrder::kSeqCst});
    } else if (kind < 7) {
      s.kind = LitmusKind::kStore;
      s.order = one_of({MemoryOrder::kPlain, MemoryOrder::kRelaxed, MemoryOrder::kRelease, MemoryOrder::kSeqCst});
      s.value = pick(3) == 0 ? LitmusValue{pick(2), 1} : LitmusValue{-1, 1 + pick(2)};
      s.reg = -1;
    } else {
      s.kind = kind == 7 ? LitmusKind::kAdd : kind == 8 ? LitmusKind::kExchange : LitmusKind::kCas;
      s.order = one_of({MemoryOrder::kRelaxed, MemoryOrder::kAcquire, MemoryOrder::kRelease, MemoryOrder::kAcqRel,
                        MemoryOrder::kSeqCst});
      s.failure = trace::order_of_failure(s.order);
      if (s.kind == LitmusKind::kCas && pick(2) == 0)
        s.failure = one_of({MemoryOrder::kRelaxed, MemoryOrder::kAcquire, MemoryOrder::kSeqCst});
      s.value = {-1, 1 + pick(2)};
      s.number = pick(2);
    }
    thread().push_back(s);
  }

  void other(int t, int kind) {
    const int lock = memory_ + pick(2);
    if (kind <= 2) {
      thread().push_back({.kind = LitmusKind::kLock, .location = lock});
      access();
      if (pick(4) == 0) other(t, pick(3));
      thread().push_back({.kind = LitmusKind::kUnlock, .location = lock});
    } else if (kind == 3) {
      thread().push_back({.kind = LitmusKind::kTryLock, .location = lock, .reg = 0});
      thread().push_back({.kind = LitmusKind::kIf, .reg = 0, .number = 1, .next = 2});
      access();
      thread().back().reg = thread().back().reg < 0 ? -1 : 1;
      thread().push_back({.kind = LitmusKind::kUnlock, .location = lock});
    } else if (kind == 4 && t > 0) {
      thread().push_back({.kind = LitmusKind::kJoin, .number = pick(t)});
    } else {
      thread().push_back({.kind = LitmusKind::kChoose, .reg = pick(2), .number = 2});
      if (pick(4) == 0) thread().push_back({.kind = LitmusKind::kAssume, .reg = pick(2), .number = 0});
    }
  }

  Random random_;
  const RandomLitmus& options_;
  Litmus result_;
  int memory_ = 1;
  bool strong_ = false;  // mostly sequentially consistent
};

}  // namespace

Litmus random_litmus(std::uint64_t seed, const RandomLitmus& options) { return Drawer(seed, options).draw(); }

}  // namespace heddle::check
