// Peterson's lock, tried once: who says that it wants to, lets the other one go first, and does not see the other want to,
// enters. With release and acquire neither need see the other.
// expect: --memory=sc none assumes=sequential-consistency
// expect: --memory=c++20 data-race
#include <atomic>
#include <thread>

constexpr auto kSay = std::memory_order_release, kLook = std::memory_order_acquire;

static std::atomic<bool> wants[2];
static std::atomic<int> turn{0};
static int inside;

static bool may_enter(int me) {
  wants[me].store(true, kSay);
  turn.store(1 - me, kSay);
  return !wants[1 - me].load(kLook) || turn.load(kLook) == me;
}

static void leave(int me) { wants[me].store(false, kSay); }

int main() {
  const auto run = [](int me) {
    if (!may_enter(me)) return;
    ++inside;
    leave(me);
  };
  std::thread other(run, 1);
  run(0);
  other.join();
}
