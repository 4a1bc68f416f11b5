// With -j each explorer looks at the states of the classes that it runs.
// expect: --never='total==6&&!ended(T3)&&busy>1' -j1 property
// expect: --never='total==6&&!ended(T3)&&busy>1' -j2 property
// expect: --never='total==6&&!ended(T3)&&busy>1' -j4 property
// expect: --always='total<=6&&busy<=3' -j1 none classes=614
// expect: --always='total<=6&&busy<=3' -j2 none classes=614
// expect: --reachable='busy==3&&held_by(mutex,T2)&&total==3' -j2 reachable
// expect: --reachable='busy==3&&total==6' -j2 reachable
// expect: --reachable='busy==1&&total==0&&ended(T1)' -j2 none
// configurations: one
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<int> busy;
int total;

void work(int times) {
  busy.fetch_add(1);
  for (int i = 0; i < times; ++i) {
    std::lock_guard<std::mutex> guard(mutex);
    total += times;
  }
  busy.fetch_sub(1);
}

int main() {
  std::thread first(work, 1), second(work, 1), third(work, 2);
  first.join();
  second.join();
  third.join();
}
