// Every access to the balance is locked, and still the account is overdrawn: between looking and taking, the other
// transfer has taken.
// expect: assertion
// pre-emptions: 1
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  int balance() {
    std::lock_guard lock(mutex_);
    return balance_;
  }
  void deposit(int amount) {
    std::lock_guard lock(mutex_);
    balance_ += amount;
  }
  bool withdraw(int amount) {
    if (balance() < amount) return false;
    std::lock_guard lock(mutex_);
    balance_ -= amount;
    return true;
  }

 private:
  std::mutex mutex_;
  int balance_;
};

Account alice(100);
Account bob(0);

void transfer(int amount) {
  if (alice.withdraw(amount)) bob.deposit(amount);
}

int main() {
  std::thread rent(transfer, 80);
  std::thread groceries(transfer, 50);
  rent.join();
  groceries.join();
  assert(alice.balance() >= 0);
  assert(alice.balance() + bob.balance() == 100);
}
