// expect: verdict=bug finding:relock=1
// options: --all
#include <mutex>
#include <thread>

std::mutex m;

int main() {
  std::thread t([] {
    m.lock();
    m.lock();
  });
  t.join();
}
