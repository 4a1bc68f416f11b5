// A ring buffer for one producer and one consumer with seq_cst everywhere. Its own index needs no order, the other's acquire,
// and what hands a cell over release: test/cli/relax_test.py.
// expect: --memory=c++20 none
#include <atomic>
#include <cassert>
#include <thread>

static constexpr unsigned kCells = 1;
static int cell[kCells];
static std::atomic<unsigned> begin{0}, end{0};

static bool push(int value) {
  const unsigned last = end.load();
  if (last - begin.load() == kCells) return false;
  cell[last % kCells] = value;
  end.store(last + 1);
  return true;
}
static bool pop(int& value) {
  const unsigned first = begin.load();
  if (first == end.load()) return false;
  value = cell[first % kCells];
  begin.store(first + 1);
  return true;
}

int main() {
  std::thread producer([] {
    push(1);
    push(2);
  });
  int value = 0;
  if (pop(value)) assert(value == 1);
  if (pop(value)) assert(value == 1 || value == 2);
  producer.join();
}
