// std::thread with arguments by value and by reference.
// expect: classes=2 none
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

int main() {
  std::mutex mutex;
  std::string log;
  const auto append = [&](std::string word, int& length) {
    std::lock_guard lock(mutex);
    log += word;
    length = static_cast<int>(log.size());
  };
  int first = 0, second = 0;
  std::thread a(append, "warp", std::ref(first));
  std::thread b(append, "weft!", std::ref(second));
  a.join();
  b.join();
  assert((log == "warpweft!" && first == 4 && second == 9) || (log == "weft!warp" && second == 5 && first == 9));
}
