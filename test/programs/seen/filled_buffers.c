// Functions that fill a buffer of the program: what does not fit is found, and the buffer is written by the thread that
// calls, so that another one must not read it meanwhile.
// expect: --all none
// expect: --all -D TOO_LONG=1 heap-overflow
// expect: --all -D CALL=1 none
// expect: --all -D CALL=1 -D TOO_LONG=1 heap-overflow
// expect: --all -D CALL=2 none
// expect: --all -D CALL=2 -D TOO_LONG=1 heap-overflow
// expect: --all -D CALL=3 none
// expect: --all -D CALL=3 -D TOO_LONG=1 heap-overflow
// expect: --all -D CALL=4 none
// expect: --all -D CALL=4 -D TOO_LONG=1 heap-overflow
// expect: --all -D CALL=5 none
// expect: --all -D CALL=5 -D TOO_LONG=1 heap-overflow
// expect: --all -D RACE=1 data-race
// expect: --all -D CALL=2 -D RACE=1 data-race
// expect: --all -D CALL=3 -D RACE=1 data-race
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef CALL
#define CALL 0
#endif
#ifdef TOO_LONG
#define TEXT "twelve bytes"
#else
#define TEXT "seven\n"
#endif

static char* buffer;   // of eight bytes
static int ends[2];

static void* fills(void* argument) {
#if CALL == 0
  read(ends[0], buffer, 16);
#elif CALL == 1
  recv(ends[0], buffer, 16, 0);
#elif CALL == 2
  sscanf(TEXT + 1, "%[^!]", buffer);
#elif CALL == 3
  FILE* stream = fdopen(ends[0], "r");
  fgets(buffer, 16, stream);
#elif CALL == 4
  FILE* stream = fdopen(ends[0], "r");
  fread(buffer, 1, 16, stream);
#else
  FILE* stream = fdopen(ends[0], "r");
  fscanf(stream, "%11[^!]", buffer);
#endif
  return argument;
}

int main(void) {
  pthread_t t;
  buffer = calloc(8, 1);
#if CALL == 1
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
#elif CALL != 2
  pipe(ends);
#endif
#if CALL != 2
  write(ends[1], TEXT, strlen(TEXT));
  close(ends[1]);
#endif
  pthread_create(&t, 0, fills, 0);
#ifdef RACE
  if (buffer[0] == 'x') return 1;
#endif
  pthread_join(t, 0);
  free(buffer);
  return 0;
}
