// One insertion accesses the same member several times, which is no loop that waits. An unfolding takes all memory that
// threads share for visible, whatever guards it.
// expect: --all --algorithm=unfolding none
// expect: --all --algorithm=contextual-unfolding none
// expect: --all none
#include <list>
#include <map>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::map<int, int> map;
static std::list<int> list;

static void act(int key) {
  const std::lock_guard<std::mutex> locked(lock);
  map.insert({key, 1});
  list.push_back(key);
}

int main() {
  std::thread t(act, 1);
  act(2);
  t.join();
  return map.size() == 2 && list.size() == 2 ? 0 : 1;
}
