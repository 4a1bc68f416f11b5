// expect: classes=2 deadlocks=0 verdict=no-bug exhausted=1
#include <assert.h>
#include <atomic>
#include <string>
#include <thread>

std::atomic<int> destroyed{0};
struct Note {
  std::string text = "fresh";
  ~Note() { destroyed.fetch_add(1); }
};
thread_local Note note;
thread_local int number = 7;

int main() {
  auto body = [](int n) {
    assert(note.text == "fresh" && number == 7);
    note.text = std::string(40, static_cast<char>('a' + n));
    number = n;
    assert(note.text[39] == 'a' + n && number == n);
  };
  std::thread a(body, 1), b(body, 2);
  a.join();
  b.join();
  assert(destroyed == 2 && number == 7);
}
