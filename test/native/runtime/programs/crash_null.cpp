// expect: verdict=bug exhausted=1 finding:crash=1 classes=2 failed=1
// options: --all
#include <atomic>
#include <thread>

std::atomic<int*> p{nullptr};
int value = 3;

int main() {
  std::thread t([] { p.store(&value); });
  int volatile x = *p.load();
  (void)x;
  t.join();
}
