// pthread_exit leaves through C++ frames: destructors and handlers that rethrow run, latest first, then thread_local
// objects, then thread-specific data; what they do are steps like any other.
// expect: none classes=2
// expect: --algorithm=source-dpor none classes=2
#include <cxxabi.h>
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <string>

static std::string way;   // of the thread that leaves
static pthread_key_t key;
static std::atomic<int> left{0};

struct Mark {
  char letter;
  ~Mark() {
    volatile char room[600];   // the frames below are gone: what is needed must not lie there
    for (volatile char& c : room) c = letter;
    way += room[599];
  }
};

struct Leaves {
  ~Leaves() { left.fetch_add(1); }
};

static thread_local Mark own{'?'};

static void cleanup(void *letter) { way += *static_cast<char *>(letter); }

static void deepest() {
  Mark a{'a'};
  char letter = 'c';
  pthread_cleanup_push(cleanup, &letter);
  Mark b{'b'};
  pthread_exit(&left);
  pthread_cleanup_pop(0);
}

static void in_between() {
  try {
    Leaves leaves;
    deepest();
  } catch (abi::__forced_unwind &) {
    way += 'd';
    throw;
  }
}

static void *thread(void *) {
  own.letter = 'f';
  pthread_setspecific(key, &key);
  Mark e{'e'};
  try {
    in_between();
  } catch (...) {
    way += 'x';
    throw;
  }
  return nullptr;
}

static void *other(void *) {
  left.fetch_add(1);
  return nullptr;
}

int main() {
  pthread_key_create(&key, [](void *) { way += 'g'; });
  pthread_t leaving, adding;
  pthread_create(&leaving, nullptr, thread, nullptr);
  pthread_create(&adding, nullptr, other, nullptr);
  void *result = nullptr;
  pthread_join(leaving, &result);
  pthread_join(adding, nullptr);
  assert(result == &left);
  assert(left == 2);
  assert(way == "bcadxefg");
}
