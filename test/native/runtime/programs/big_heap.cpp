// expect: verdict=no-bug exhausted=1 classes=2
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

std::atomic<int> x{0};

int main() {
  const std::size_t size = 1ull << 30;
  char* p = static_cast<char*>(std::malloc(size));
  if (!p) std::abort();
  p[0] = 1;
  p[size - 1] = 1;
  std::thread t([] { x.store(1); });
  x.load();
  t.join();
  std::free(p);
}
