// Transfers lock the account that they take from first: a ring of them stands still.
//
// bug: deadlock
// run: -- -DN=3
// run: -- -DN=12
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 3
#endif

struct Account {
  std::mutex mutex;
  int balance = 100;
};
Account accounts[N];

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard one(from.mutex);
  std::lock_guard two(to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back([i] { transfer(accounts[i], accounts[(i + 1) % N], 10); });
  for (std::thread& t : threads) t.join();
}
