// Functions that POSIX does not require to be thread-safe: two calls without order race on what the function keeps. Two
// threads that only look at the environment do not; nor does anybody under a lock, or with a function of one's own state.
// expect: -D CASE=1 data-race
// expect: -D CASE=2 data-race
// expect: -D CASE=3 data-race
// expect: -D CASE=4 none
// expect: -D CASE=5 data-race
// expect: -D CASE=6 data-race
// expect: -D CASE=7 none
// expect: -D CASE=8 none
// expect: -D CASE=9 data-race
// expect: -D CASE=10 data-race
// expect: -D CASE=11 data-race
// expect: -D CASE=1 --all data-race
// expect: -D CASE=2 --races=explore none
// flags: -lm
// counts: optimiser
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static char one[] = "a b", two[] = "c d";
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* act(void* text) {
  const int first = text == one;
#if CASE == 1
  for (char* p = strtok(text, " "); p != NULL; p = strtok(NULL, " "))
    if (*p == 'z') abort();
#elif CASE == 2
  time_t when = first ? 0 : 86400;
  const struct tm* t = first ? localtime(&when) : gmtime(&when);
  if (t->tm_year == 0) abort();
#elif CASE == 3
  if (first) setenv("HEDDLE_SEEN", "1", 1);
  else if (getenv("HEDDLE_SEEN") != NULL) return NULL;
#elif CASE == 4
  if (getenv(first ? "HOME" : "PATH") == text) abort();
#elif CASE == 5
  if (first) setlocale(LC_ALL, "C");
  else if (localeconv() == NULL) abort();
#elif CASE == 6
  if (strerror(first ? 1 : 2) == NULL) abort();
#elif CASE == 7
  pthread_mutex_lock(&m);
  char* p = strtok(text, " ");
  assert(p != NULL && strlen(p) == 1 && strtok(NULL, " ") == p + 2 && strtok(NULL, " ") == NULL);
  time_t when = 0;
  assert(gmtime(&when)->tm_year == 70 && strcmp(asctime(gmtime(&when)), "Thu Jan  1 00:00:00 1970\n") == 0);
  setenv("HEDDLE_SEEN", "1", 1);
  assert(strcmp(getenv("HEDDLE_SEEN"), "1") == 0);
  unsetenv("HEDDLE_SEEN");
  pthread_mutex_unlock(&m);
#elif CASE == 8
  char *rest = NULL, *p = strtok_r(text, " ", &rest);
  struct tm t;
  time_t when = 0;
  assert(p != NULL && gmtime_r(&when, &t)->tm_year == 70);
#elif CASE == 9
  if (lgamma(first ? 1.5 : 2.5) > 1) abort();
#elif CASE == 10
  const struct option none = {0, 0, 0, 0};
  char* words[] = {text, NULL};
  if (getopt_long(1, words, "a", &none, NULL) != -1) abort();
#elif CASE == 11
  int point, sign;
  if (ecvt(first ? 1.5 : 2.5, 3, &point, &sign) == NULL) abort();
#endif
  return first ? text : NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, act, two);
  act(one);
  pthread_join(t, NULL);
}
