// The same, and where it ends is a bug.
// expect: --all assertion
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdint.h>
atomic_int flag; pthread_key_t k;
void*w(void*a){ while(!atomic_load(&flag)){ intptr_t n=(intptr_t)pthread_getspecific(k); pthread_setspecific(k,(void*)(n+1)); if(n==2) break; } assert((intptr_t)pthread_getspecific(k)!=3); return 0;}
int main(){ pthread_key_create(&k,0); pthread_t t; pthread_create(&t,0,w,0); atomic_store(&flag,1); pthread_join(t,0); return 0; }
