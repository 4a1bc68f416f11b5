// Plain memory that threads share: races can only be found by running, so nothing is followed.
// followed: 0 of 6
#include <cassert>
#include <mutex>
#include <thread>

std::mutex m;
int balance;

void pay() {
  for (int i = 0; i < 2; ++i) {
    std::lock_guard lock(m);
    ++balance;
  }
}

int main() {
  std::thread a(pay), b(pay);
  a.join();
  b.join();
  assert(balance == 4);
}
