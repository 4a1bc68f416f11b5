// A ring buffer for one producer and one consumer. Its indices hand the cells over, so they are stored with release and
// loaded with acquire; without, a cell may be read before it is written.
// expect: --memory=c++20 --all data-race assertion stronger=22:release,27:acquire
// expect: --memory=c++20 -D FIXED=1 none assumes=nothing
// expect: --memory=tso -D FIXED=1 none
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kPublish = std::memory_order_release, kSee = std::memory_order_acquire;
#else
constexpr auto kPublish = std::memory_order_relaxed, kSee = std::memory_order_relaxed;
#endif

class Ring {
 public:
  bool push(int value) {
    const unsigned end = end_.load(std::memory_order_relaxed);
    if (end - begin_.load(kSee) == kCells) return false;
    cell_[end % kCells] = value;
    end_.store(end + 1, kPublish);
    return true;
  }
  bool pop(int& value) {
    const unsigned begin = begin_.load(std::memory_order_relaxed);
    if (begin == end_.load(kSee)) return false;
    value = cell_[begin % kCells];
    begin_.store(begin + 1, kPublish);
    return true;
  }

 private:
  static constexpr unsigned kCells = 2;
  int cell_[kCells] = {};
  std::atomic<unsigned> begin_{0}, end_{0};
};

static Ring ring;

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 3; ++i) ring.push(i);
  });
  int last = 0, value = 0;
  for (int i = 0; i < 3; ++i)
    if (ring.pop(value)) {
      assert(value == last + 1);
      last = value;
    }
  producer.join();
}
