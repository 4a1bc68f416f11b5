// expect: classes=2 deadlocks=0 verdict=no-bug exhausted=1
#include <assert.h>
#include <threads.h>

static mtx_t m;
static int x;

static int body(void* p) {
  mtx_lock(&m);
  x += (int)(long)p;
  mtx_unlock(&m);
  return (int)(long)p;
}

int main(void) {
  thrd_t a, b;
  int r;
  mtx_init(&m, mtx_plain);
  thrd_create(&a, body, (void*)1);
  thrd_create(&b, body, (void*)2);
  thrd_join(a, &r);
  assert(r == 1);
  thrd_join(b, &r);
  assert(r == 2 && x == 3);
  return 0;
}
