// A loop that counts in a value of the thread's own, which the runtime keeps.
// expect: --all none
#include <pthread.h>
#include <assert.h>
#include <stdint.h>
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; pthread_key_t k; int stop;
void*w(void*a){ for(;;){ intptr_t n=(intptr_t)pthread_getspecific(k); if(n==3) break; pthread_setspecific(k,(void*)(n+1)); pthread_mutex_lock(&m); int s=stop; pthread_mutex_unlock(&m); if(s) break; } return 0;}
int main(){ pthread_key_create(&k,0); pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,w,0); pthread_join(t,0); pthread_join(u,0); return 0; }
