// A function that waits is called where there is a buffer of 32 KB on the stack: it waits nevertheless.
// expect: none classes=1
// algorithms: every
#include <atomic>
#include <cstring>
#include <thread>

std::atomic<int> flag{0};

[[gnu::noinline]] void wait() {
  while (!flag.load()) std::this_thread::yield();
}

int main() {
  std::thread t([] { flag = 1; });
  char line[1 << 15];
  std::memset(line, 0, sizeof line);
  wait();
  asm volatile("" ::"r"(line) : "memory");
  t.join();
}
