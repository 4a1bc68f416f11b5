// A read behind a condition stays behind it, also where reading is cheap: in loops, selections, short circuits.
// expect: --all none
#include <atomic>
#include <thread>

std::atomic<bool> published{false};
int data, table[4];
bool valid;

int main() {
  std::thread t([] {
    data = 42;
    valid = true;
    for (int& x : table) x = 2;
    published.store(true, std::memory_order_release);
  });
  const bool ready = published.load(std::memory_order_acquire);
  int value = ready ? data : 42;
  if (ready && valid && data > 0) ++value;
  else ++value;
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += ready ? table[i] : 2;
  int* p = ready ? &data : nullptr;
  if (p) value += *p - 42;
  t.join();
  return value != 43 || sum != 8;
}
