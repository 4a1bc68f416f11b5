// Functions of the C library on memory that two threads share. Under a lock nothing races, whatever is called; without,
// each call is a race with the other side's.
// expect: -D CASE=0 none
// expect: -D CASE=1 data-race
// expect: -D CASE=2 data-race
// expect: -D CASE=3 data-race
// expect: -D CASE=4 data-race
// expect: -D CASE=5 data-race
// expect: -D CASE=6 data-race
// expect: -D CASE=7 data-race
// expect: -D CASE=8 data-race
// expect: -D CASE=9 data-race
// expect: -D CASE=10 data-race
// expect: -D CASE=11 data-race
// expect: -D CASE=12 data-race
// flags: -fno-builtin
// counts: optimiser
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char text[64] = "one two";
static int numbers[4] = {3, 1, 4, 1};
static int result;
static int order(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static void call(int which) {
  char own[64];
  switch (which) {
    case 1: strcpy(own, text); break;
    case 2: result += (int)strlen(text); break;
    case 3: snprintf(own, sizeof own, "%5s|", text); break;
    case 4: printf("%.3s\n", text); break;
    case 5: result += memcmp(text, "xyz", 3); break;
    case 6: qsort(numbers, 4, sizeof *numbers, order); break;
    case 7: result += strtol(text, NULL, 10) != 0; break;
    case 8: strcat(text, "!"); break;
    case 9: result += strstr(text, "two") != NULL; break;
    case 10: result += fwrite(text, 1, 7, stdout) == 7; break;
    case 11: sscanf("5 6", "%d %*d", &numbers[0]); break;
    case 12: result += strchr(text, 't') != NULL; break;
  }
}
static void* other(void* unused) {
  if (CASE == 0) pthread_mutex_lock(&m);
  text[0] = 'O';
  numbers[0] = 9;
  if (CASE == 0) pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  if (CASE == 0) {
    pthread_mutex_lock(&m);
    for (int which = 1; which <= 12; ++which) call(which);
    pthread_mutex_unlock(&m);
  } else {
    call(CASE);
  }
  pthread_join(t, NULL);
}
