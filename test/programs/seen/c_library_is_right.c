// Results of library functions are those of the library, also where the bytes are visible: a copy of a string that changes
// meanwhile is what some order of the bytes' steps gives, and what was read is not read again.
// expect: none classes=1 -D ALONE=1
// expect: --races=explore none
// expect: --races=explore --algorithm=source-dpor none
// flags: -fno-builtin
// counts: optimiser
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char word[8] = "ab";
static void* writer(void* unused) {
  word[0] = 'x';
  word[1] = 'y';
  return unused;
}
static int order(const void* a, const void* b) { return *(const char*)a - *(const char*)b; }
static void alone(void) {
  char buffer[32], *end;
  int n = 0, number = 0;
  char letter = 0;
  assert(snprintf(buffer, sizeof buffer, "%s-%d%n-%5.2f", "abc", 42, &n, 1.5) == 12 && n == 6);
  assert(strcmp(buffer, "abc-42- 1.50") == 0 && strncmp(buffer, "abd", 2) == 0 && strcmp("a", "b") < 0);
  assert(sprintf(buffer, "%*d|%.*s|%ld", 4, 7, 2, "xyz", 123456789012l) == 20);
  assert(strcmp(buffer, "   7|xy|123456789012") == 0);
  assert(snprintf(buffer, 4, "%s", "abcdef") == 6 && strcmp(buffer, "abc") == 0);
  assert(strtol("  -17z", &end, 10) == -17 && *end == 'z' && atoi("12") == 12 && strtod("2.5", NULL) == 2.5);
  assert(sscanf("7 q", "%d %c", &number, &letter) == 2 && number == 7 && letter == 'q');
  strcpy(buffer, "abc");
  strcat(buffer, "def");
  strncat(buffer, "ghi", 1);
  assert(strcmp(buffer, "abcdefg") == 0 && strchr(buffer, 'd') == buffer + 3 && strrchr(buffer, 'z') == NULL);
  assert(strstr(buffer, "cde") == buffer + 2 && strspn(buffer, "cba") == 3 && strcspn(buffer, "d") == 3);
  assert(strpbrk(buffer, "xe") == buffer + 4 && memchr(buffer, 'g', 7) == buffer + 6);
  assert(memcmp(buffer, "abd", 3) < 0 && strnlen(buffer, 3) == 3 && strlen(buffer) == 7);
  strncpy(buffer, "xy", 4);
  assert(memcmp(buffer, "xy\0\0efg", 8) == 0);
  memmove(buffer + 1, buffer, 2);
  assert(buffer[1] == 'x' && buffer[2] == 'y');
  char letters[] = "hello";
  qsort(letters, 5, 1, order);
  assert(strcmp(letters, "ehllo") == 0);
  char* copy = strdup("dup");
  assert(strcmp(copy, "dup") == 0);
  free(copy);
}
int main(void) {
  alone();
#ifndef ALONE
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  char copy[8], again[8];
  strcpy(copy, word);
  snprintf(again, sizeof again, "%s", word);
  assert((copy[0] == 'a' || copy[0] == 'x') && (copy[1] == 'b' || copy[1] == 'y') && strlen(copy) == 2);
  assert(!(copy[0] == 'x' && again[0] == 'a') && !(copy[1] == 'y' && again[1] == 'b'));
  pthread_join(t, NULL);
#endif
}
