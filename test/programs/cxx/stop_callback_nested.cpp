// expect: --max-executions=45000 none
// counts: spinning
// configurations: one
// The lock inside a stop state is waited for in a loop. Whether a turn of it repeats the one before is judged by the stack,
// in whose holes there may be anything; a schedule has to be followed all the same.
#include <atomic>
#include <stop_token>
#include <thread>

int main() {
  std::atomic<int> called{0};
  std::jthread thread([&](std::stop_token token) {
    std::stop_callback outer(token, [&] { ++called; });
    { std::stop_callback inner(token, [&] { ++called; }); }
  });
  thread.request_stop();
}
