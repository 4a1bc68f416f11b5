// An object of main whose members are read without its lock, beside a thread that changes them: reads that nobody uses,
// of members that are reached from the local itself and from a reference to it.
// expect: --all data-race findings=3
#include <mutex>
#include <thread>

struct Totals {
  std::mutex lock;
  int count = 0;
  long sum = 0;
  double* last = nullptr;
};

static double slot;

static bool is_empty(const Totals& totals) { return totals.count == 0; }

int main() {
  Totals totals;
  std::thread adds([&] {
    std::lock_guard<std::mutex> locked(totals.lock);
    ++totals.count;
    totals.sum += 5;
    totals.last = &slot;
  });
  is_empty(totals);
  (void)(totals.sum > 3);
  if (totals.last != nullptr) (void)(totals.sum == 7);
  adds.join();
}
