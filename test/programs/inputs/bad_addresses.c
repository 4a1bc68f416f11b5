// Some input makes the program give a function an address where nothing is. That is the program's crash, with its inputs,
// also where the runtime does the function's work; the search goes on.
// flags: -fno-builtin
// expect: --all crash classes=2
// expect: --all -D HOW=1 crash classes=2
// expect: --all -D HOW=2 crash classes=2
// expect: --all -D HOW=3 crash classes=2
// expect: --all -D HOW=4 crash classes=2
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#ifndef HOW
#define HOW 0
#endif

const char *volatile texts[2] = {"12", (const char *)8};
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, *volatile mutexes[2] = {&mutex, 0};

int main(void) {
  const int x = heddle_input_int("x");
  const int bad = x == 5 ? 1 : 0;
  const char *text = bad ? texts[1] : texts[0];
  char copy[8];
  switch (HOW) {
    case 0: return strlen(text) == 7;
    case 1: return strcmp("34", text) == 0;
    case 2: return atoi(text) == 1;
    case 3: return strcpy(copy, text)[0] == 'a';
    default: return pthread_mutex_lock(bad ? mutexes[1] : mutexes[0]) != 0;
  }
}
