// A loop that changes the mask of new files.
// expect: --all assertion
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <sys/stat.h>
atomic_int flag; 
static int get(void){ int u=umask(0); umask(u); return u; }
void*w(void*a){ umask(1); while(!atomic_load(&flag)){ umask(get()+1); if(get()==3) break; } assert(get()!=3); return 0;}
int main(){ pthread_t t; pthread_create(&t,0,w,0); atomic_store(&flag,1); pthread_join(t,0); return 0; }
