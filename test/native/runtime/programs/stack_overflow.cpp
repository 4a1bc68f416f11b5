// expect: verdict=bug exhausted=1 classes=2 failed=1 finding:crash=1
// options: --all
#include <atomic>
#include <thread>

std::atomic<int> x{0};
int deep(int n) {
  volatile int here[100];
  here[0] = n;
  return n == 0 ? here[0] : deep(n + 1) + here[0];
}

int main() {
  std::thread t([] {
    if (x.load() == 1) x.store(deep(1));
  });
  x.store(1);
  t.join();
}
