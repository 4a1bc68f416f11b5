// expect: verdict=bug finding:livelock=1
// options: --all
#include <atomic>
#include <thread>

std::atomic<int> flag{0};

int main() {
  std::thread t([] {
    while (flag.load() == 0) {
    }
  });
  t.join();
}
