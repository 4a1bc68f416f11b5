// Memory of the C library that threads share without anybody's instrumentation: strtok goes on where any thread left it.
// It is looked up, so that it is the library's own, which the runtime does not see.
// followed: 228 of 450
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int x, length;
static char text[] = "a bb ccc dddd eeeee ffffff";

static char *(*token)(char *, const char *);
__attribute__((constructor)) static void look_up(void) { *(void **)&token = dlsym(RTLD_DEFAULT, "strtok"); }

static void *work(void *argument) {
  (void)argument;
  for (int i = 0; i < 2; ++i) {
    x = x + 1;
    const char *word = token(NULL, " ");
    length = length + (word ? (int)strlen(word) : 0);
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  length = (int)strlen(token(text, " "));
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  assert(length != 15);
  return 0;
}
