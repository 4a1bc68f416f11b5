// Which of two places is read is decided before the read; the other one is somebody else's. Nobody may read both.
// expect: --all none
// expect: --all --races=explore none
#include <algorithm>
#include <atomic>
#include <thread>

struct Version { int number = 0, copy = 0; };
Version version[2];
std::atomic<int> current{0};
int low = 1, high = 7;

int read(const Version& v) { return v.number; }
// A reference to one of two, chosen by something private.
int pick(bool first) { return first ? low : high; }
int clamp(int v) { return v < 3 ? std::max(v, low) : 3; }

int main() {
  std::thread writer([] {
    Version& spare = version[1];
    spare.number = spare.copy = 1;
    high = 8;
    current.store(1);
  });
  const bool first = current.load() == 0;
  const Version& now = first ? version[0] : version[1];
  int seen = read(now);
  if (first) seen += pick(true) + clamp(2);
  else seen += pick(false);
  writer.join();
  return seen != 3 && seen != 9;
}
