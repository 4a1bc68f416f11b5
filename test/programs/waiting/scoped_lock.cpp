// Two accounts, locked together: std::lock takes one, tries the other, gives back and begins with that one. Turns of two threads that
// get in each other's way are in vain together. The bug: one after the other.
// expect: none classes=12
// expect: -D BUG=1 deadlock
// algorithms: every
// counts: spinning
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 10;
};
Account one, other;

static void transfer(Account& from, Account& to) {
#ifdef BUG
  std::lock_guard first(from.mutex), second(to.mutex);
#else
  std::scoped_lock both(from.mutex, to.mutex);
#endif
  --from.balance;
  ++to.balance;
}

int main() {
  std::thread thread(transfer, std::ref(one), std::ref(other));
  transfer(other, one);
  thread.join();
  assert(one.balance == 10 && other.balance == 10);
}
