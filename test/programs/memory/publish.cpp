// A new version is made beside the old one and the pointer to it exchanged; readers look without a lock. Published without
// release, a reader may see a version that is not complete yet.
// expect: --memory=c++20 --all data-race assertion stronger=24:release
// expect: --memory=c++20 -D FIXED=1 none assumes=nothing
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kPublish = std::memory_order_release;
#else
constexpr auto kPublish = std::memory_order_relaxed;
#endif

struct Version {
  int width = 1, height = 1;
};
static std::atomic<Version*> current{new Version};

int main() {
  std::thread writer([] {
    auto next = new Version;
    next->width = next->height = 2;
    current.store(next, kPublish);
  });
  const Version* seen = current.load(std::memory_order_acquire);
  assert(seen->width == seen->height);
  writer.join();
}
