// The waiter deletes the condition variable before it is notified: notify under the lock.
// expect: --all use-after-free
#include <atomic>
#include <thread>
#include <mutex>
#include <shared_mutex>
#include <condition_variable>
#include <semaphore>
#include <latch>
#include <barrier>
#include <future>
#include <functional>
#include <memory>
#include <vector>
#include <deque>
#include <queue>
#include <map>
#include <unordered_map>
#include <list>
#include <string>
#include <sstream>
#include <iostream>
#include <chrono>
#include <optional>
#include <cassert>
#include <cstring>
#include <cstdlib>
using namespace std;
struct J{ mutex m; condition_variable cv; bool done=false; };
int main(){ J* j=new J; thread t([j]{ { lock_guard l(j->m); j->done=true; } j->cv.notify_one(); }); { unique_lock l(j->m); j->cv.wait(l,[&]{return j->done;}); } delete j; t.join(); }
