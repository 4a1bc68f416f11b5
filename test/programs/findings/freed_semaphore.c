// A semaphore is freed before it is posted.
// expect: --all use-after-free
#include <semaphore.h>
#include <pthread.h>
#include <stdlib.h>
sem_t *c;
void*w(void*a){ sem_post(c); return 0;}
int main(){ c=calloc(1,sizeof*c); sem_init(c,0,0); pthread_t t; pthread_create(&t,0,w,0); free(c); pthread_join(t,0); return 0; }
