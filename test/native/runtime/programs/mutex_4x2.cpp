// expect: classes=2520 deadlocks=0 verdict=no-bug exhausted=1 asleep=0
#include <mutex>
#include <thread>

std::mutex m;

int main() {
  std::thread t[4];
  for (auto& u : t)
    u = std::thread([] {
      for (int i = 0; i < 2; ++i) std::lock_guard lock(m);
    });
  for (auto& u : t) u.join();
}
