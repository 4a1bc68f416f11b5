// A mutex is locked after it was freed.
// expect: --all use-after-free
// forced order: lock after free
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
pthread_mutex_t *c; atomic_int f;
void*w(void*a){ while(!atomic_load(&f)); pthread_mutex_lock(c); pthread_mutex_unlock(c); return 0;}
int main(){ c=calloc(1,sizeof*c); pthread_t t; pthread_create(&t,0,w,0); free(c); atomic_store(&f,1); pthread_join(t,0); return 0; }
