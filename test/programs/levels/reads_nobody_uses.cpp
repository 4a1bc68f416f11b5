// Reads whose values go nowhere race all the same.
// expect: --all data-race findings=4
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<int> list;
static int counter;
struct Base { virtual ~Base() = default; int field = 0; };
Base object;

int main() {
  std::thread t([] {
    std::lock_guard lock(mutex);
    list.push_back(1);
    counter = 1;
    object.field = 2;
  });
  const int unused = counter;
  (void)unused;
  int copy = object.field;
  copy = 3;
  (void)copy;
  list.empty();
  t.join();
}
