// What the standard library tells of other threads without being ordered behind them: how many owners are left, and
// that there is none. Orders inside the library are its own affair otherwise (KEPT: counts go up and down).
// expect: assertion
// expect: --memory=sc none assumes=sequential-consistency
// expect: -D EXPIRED=1 assertion
// expect: -D LOCKED=1 assertion
// expect: -D STOPPED=1 assertion
// expect: -D KEPT=1 none assumes=nothing
#include <atomic>
#include <cassert>
#include <memory>
#include <stop_token>
#include <thread>

std::atomic<int> x{0}, y{0};

int main() {
#if defined(STOPPED)
  // Each says something and then asks whether the other one has.
  std::stop_source source;
  bool seen = false;
  std::thread other([&] {
    source.request_stop();
    seen = x.load() == 1;
  });
  x.store(1);
  const bool stopped = source.stop_requested();
  other.join();
  assert(stopped || seen);
#else
  auto owner = std::make_shared<int>(1);
  std::weak_ptr<int> weak = owner;
#if defined(KEPT)
  std::thread other([copy = owner] { x.store(*copy); });
  const auto mine = owner;
#elif defined(EXPIRED) || defined(LOCKED)
  std::thread other([last = std::move(owner)]() mutable {
    x.store(1);
    last.reset();
  });
#ifdef EXPIRED
  if (weak.expired()) assert(x.load() == 1);
#else
  if (!weak.lock()) assert(x.load() == 1);
#endif
#else
  std::thread other([last = owner]() mutable {
    x.store(1);
    last.reset();
  });
  if (owner.use_count() == 1) assert(x.load() == 1);
#endif
  other.join();
#endif
}
