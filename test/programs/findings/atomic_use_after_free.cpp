// All accesses to the block are atomic, and no other operation of the two threads meets: only freeing it makes their
// order matter.
// expect: --all data-race use-after-free
#include <atomic>
#include <thread>

std::atomic<int> elsewhere{0};

int main() {
  auto* shared = new std::atomic<int>(0);
  std::thread writer([&] { shared->store(1); });
  std::thread owner([&] {
    elsewhere = 1;
    delete shared;
  });
  writer.join();
  owner.join();
}
