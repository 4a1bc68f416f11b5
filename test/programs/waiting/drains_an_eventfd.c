// A loop that drains what the kernel keeps: one day it is empty.
// expect: --all assertion
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <stdint.h>
atomic_int flag; int fd;
void*w(void*a){ uint64_t one=1,n; int k; while(!atomic_load(&flag)){ if(read(fd,&n,8)!=8) break; } assert(atomic_load(&flag)); return 0;}
int main(){ fd=eventfd(5,EFD_SEMAPHORE|EFD_NONBLOCK); pthread_t t; pthread_create(&t,0,w,0); atomic_store(&flag,1); pthread_join(t,0); return 0; }
