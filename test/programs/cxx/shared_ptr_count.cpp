// Copies of one shared_ptr in two threads: the count is atomic, the object dies once.
// The count is copied once while the first thread may be letting go already: main's copy comes before its own reset and
// before the second thread; of the four operations 8 orders are left.
// expect: classes=8 none
#include <cassert>
#include <memory>
#include <thread>

int destroyed = 0;
struct Thing {
  ~Thing() { ++destroyed; }
};

int main() {
  auto thing = std::make_shared<Thing>();
  std::thread a([copy = thing] { assert(copy); });
  std::thread b([copy = thing] { assert(copy); });
  thing.reset();
  a.join();
  b.join();
  assert(destroyed == 1);
}
