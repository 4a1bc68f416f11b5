// A mutex is freed while somebody else is about to lock it.
// expect: --all use-after-free
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t *c;
void*w(void*a){ pthread_mutex_lock(c); pthread_mutex_unlock(c); return 0;}
int main(){ c=calloc(1,sizeof*c); pthread_t t; pthread_create(&t,0,w,0); free(c); pthread_join(t,0); return 0; }
