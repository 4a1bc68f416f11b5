// A loop that counts is left alone: up to three looks, each before or after the store.
// expect: verdict=no-bug exhausted=1 cut=0 classes=4 infeasible=0
#include <atomic>
#include <thread>

std::atomic<int> flag{0};

int main() {
  std::thread t([] {
    for (int i = 0; i < 3 && flag.load() == 0; ++i) {
    }
  });
  flag.store(1);
  t.join();
}
