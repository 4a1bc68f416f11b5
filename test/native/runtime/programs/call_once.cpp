// expect: deadlocks=0 verdict=no-bug exhausted=1
#include <assert.h>
#include <mutex>
#include <thread>

std::once_flag flag;
int made = 0;

int main() {
  auto body = [] {
    std::call_once(flag, [] { ++made; });
    assert(made == 1);
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
}
