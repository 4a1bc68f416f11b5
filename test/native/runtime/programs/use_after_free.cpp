// expect: verdict=bug finding:use-after-free=1
// options: --all
#include <atomic>
#include <thread>

std::atomic<bool> done{false};

int main() {
  int* p = new int(1);
  std::thread t([p] {
    done.store(true, std::memory_order_seq_cst);
    *p = 2;
  });
  if (done.load()) delete p;
  t.join();
}
