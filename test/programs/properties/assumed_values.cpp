// A state counts if some inputs lead through it to an end that is wanted: what is assumed after it is part of that.
// expect: --reachable='level==9' reachable
// expect: --reachable='level==10' none
// expect: --never='level==9&&seen==8' none
// expect: --reachable='level==9&&seen==9' reachable
// expect: --reachable='level==9&&seen==0&&ended(T1)' reachable
// algorithms: source-dpor dpor unfolding contextual-unfolding
// configurations: one
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

std::atomic<int> level, seen;

int main() {
  std::thread writer([] {
    const int value = heddle_input_int("level");
    level = value;
    heddle_assume(value >= 0 && value < 10);
  });
  std::thread reader([] { seen = level.load(); });
  writer.join();
  reader.join();
}
