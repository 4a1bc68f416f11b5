// A callback runs exactly once if the stop comes while it is registered, and is over when its destructor returns.
// expect: none
// counts: spinning
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
  std::stop_source source;
  int runs = 0;
  std::thread stopper([&] { source.request_stop(); });
  {
    std::stop_callback callback(source.get_token(), [&] { ++runs; });
  }
  assert(runs <= 1);
  stopper.join();
}
