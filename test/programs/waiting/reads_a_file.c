// A loop that reads a file under a lock, with equal lines: what the C library keeps of the file is no part of memory, but every turn
// goes on in it.
// expect: --all none
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum;
void work(void) {
  FILE* f = tmpfile();
  assert(f);
  fputs("1\n1\n1\n1\n101\n", f);
  rewind(f);
  char line[64];
  while (fgets(line, sizeof line, f)) {
    int v = 0;
    sscanf(line, "%d", &v);
    pthread_mutex_lock(&m);
    if (v > 100) sum += v;
    pthread_mutex_unlock(&m);
  }
  fclose(f);
}
void* t(void* a) { work(); return 0; }
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  work();
  pthread_join(p, 0);
  assert(sum == 202);
  return 0;
}
