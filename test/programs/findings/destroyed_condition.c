// A condition variable is signalled after it was destroyed.
// expect: --all mutex-misuse
#include <pthread.h>
#include <stdlib.h>
pthread_cond_t c=PTHREAD_COND_INITIALIZER; pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; int done;
void*w(void*a){ pthread_mutex_lock(&m); done=1; pthread_mutex_unlock(&m); pthread_cond_signal(&c); return 0;}
int main(){ pthread_t t; pthread_create(&t,0,w,0); pthread_mutex_lock(&m); while(!done) pthread_cond_wait(&c,&m); pthread_mutex_unlock(&m); pthread_cond_destroy(&c); pthread_join(t,0); return 0; }
