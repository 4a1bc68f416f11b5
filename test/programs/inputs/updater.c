// bench/programs/updater.hed in C: four threads update a and b, each under its lock, by inputs; two of them look at both.
// The published program has 2 rounds and 33269 classes (33830 with the locks swapped).
// expect: --all classes=724 none
// expect: --all -D ROUNDS=2 classes=33269 none
// slow: --all -D ROUNDS=2 -D SWAPPED=1 classes=33830 deadlocked=561 deadlock
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef SWAPPED
#define SWAPPED 0
#endif

static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER, lock2 = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void both(int swapped) {
  pthread_mutex_lock(swapped ? &lock2 : &lock1);
  pthread_mutex_lock(swapped ? &lock1 : &lock2);
}

static void neither(int swapped) {
  pthread_mutex_unlock(swapped ? &lock1 : &lock2);
  pthread_mutex_unlock(swapped ? &lock2 : &lock1);
}

static void *thread1(void *argument) {
  for (int i = 0; i < ROUNDS; i++) {
    if (heddle_input_int("which") == 1) {
      pthread_mutex_lock(&lock1);
      a = heddle_input_int("a");
      pthread_mutex_unlock(&lock1);
    } else {
      pthread_mutex_lock(&lock2);
      b = heddle_input_int("b");
      pthread_mutex_unlock(&lock2);
    }
  }
  return argument;
}

static void *thread2(void *argument) {
  if (heddle_input_int("which") == 1) {
    pthread_mutex_lock(&lock1);
    a = (int)((unsigned)a + (unsigned)heddle_input_int("a"));
    pthread_mutex_unlock(&lock1);
  } else {
    pthread_mutex_lock(&lock2);
    b = (int)((unsigned)b + (unsigned)heddle_input_int("b"));
    pthread_mutex_unlock(&lock2);
  }
  return argument;
}

static void *thread3(void *argument) {
  const int v = heddle_input_int("v");
  both(0);
  if (a == v) {
    b = (int)((unsigned)b * (unsigned)a);
    a = 0;
  }
  if (b == v) b = 0;
  neither(0);
  return argument;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, thread1, 0);
  pthread_create(&t[1], 0, thread2, 0);
  pthread_create(&t[2], 0, thread3, 0);
  for (int i = 0; i < ROUNDS; i++) {
    const int v = heddle_input_int("v");
    both(SWAPPED);
    if (a == v) {
      b = (int)((unsigned)b + (unsigned)a);
      a = 0;
    }
    if (b == v) b = 0;
    neither(SWAPPED);
  }
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
