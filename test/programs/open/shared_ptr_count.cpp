// Copies of one shared_ptr in two threads: the count is atomic, the object dies once.
// expect: none
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
