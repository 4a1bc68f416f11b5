// Flanagan and Godefroid's file system: thread k gives inode k mod 32 a block if it has none, searching from block 2i mod 26
// on, each block under its own lock. The tables are plain memory; their locks are what orders them.
// expect: -D N=14 classes=2 none
// expect: -D N=16 classes=8 none
// expect: -D N=18 classes=32 none
// expect: -D N=19 classes=64 none
// expect: --races=explore -D N=16 classes=8 none
#include "start.h"

#ifndef N
#define N 14
#endif
enum { INODES = 32, BLOCKS = 26 };

int inode[INODES];
int busy[BLOCKS];
static pthread_mutex_t inode_lock[INODES];
static pthread_mutex_t block_lock[BLOCKS];

static void allocate(int index) {
  const int i = index % INODES;
  pthread_mutex_lock(&inode_lock[i]);
  if (inode[i] == 0) {
    int b = i * 2 % BLOCKS;
    for (;;) {
      pthread_mutex_lock(&block_lock[b]);
      if (!busy[b]) {
        busy[b] = 1;
        inode[i] = b + 1;
        pthread_mutex_unlock(&block_lock[b]);
        break;
      }
      pthread_mutex_unlock(&block_lock[b]);
      b = (b + 1) % BLOCKS;
    }
  }
  pthread_mutex_unlock(&inode_lock[i]);
}

int main(void) {
  for (int i = 0; i < INODES; ++i) pthread_mutex_init(&inode_lock[i], NULL);
  for (int i = 0; i < BLOCKS; ++i) pthread_mutex_init(&block_lock[i], NULL);
  for (int i = 0; i < N; ++i) start_thread(allocate, i);
  join_all();
  return 0;
}
