// Every access to the balance is locked, but not the decision together with the withdrawal.
//
// bug: assertion
// run: -- -DN=2
// run: -- -DN=10
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

class Account {
 public:
  int balance() {
    std::lock_guard lock(mutex_);
    return balance_;
  }
  void withdraw(int amount) {
    if (balance() < amount) return;
    std::lock_guard lock(mutex_);
    balance_ -= amount;
  }

 private:
  std::mutex mutex_;
  int balance_ = 10 * (N - 1);
};

int main() {
  Account account;
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back([&] { account.withdraw(10); });
  for (std::thread& t : threads) t.join();
  assert(account.balance() >= 0);
}
