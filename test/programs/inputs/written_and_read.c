// A value that depends on an input leaves memory and comes back: through a pipe, a file, a stream, assembly. Terms do not go
// with it, and the result says so. What is only shown does no harm (HOW 8), nor what is read without having been written (9).
// expect: inconclusive
// expect: -D HOW=1 inconclusive
// expect: -D HOW=2 inconclusive
// expect: -D HOW=3 inconclusive
// expect: -D HOW=4 inconclusive
// expect: -D HOW=5 inconclusive
// expect: -D HOW=6 inconclusive
// expect: -D HOW=7 inconclusive
// expect: -D HOW=8 none
// expect: -D HOW=9 none
// configurations: one
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef HOW
#define HOW 0
#endif

struct record {
  int kind, value;
};

static int through_descriptors(int x, int in, int out) {
  struct record sent = {1, x}, got = {0, 0};
  if (write(in, &sent, sizeof sent) < 0 || read(out, &got, sizeof got) < 0) return 0;
  return got.value;
}

static int through_a_file(int x, int how) {
  FILE *file = tmpfile();
  int y = 0;
  if (!file) return 0;
  if (how == 2) fwrite(&x, sizeof x, 1, file);
  else fprintf(file, "%d\n", x);
  rewind(file);
  if (how == 2) {
    if (fread(&y, sizeof y, 1, file) != 1) y = 0;
  } else if (fscanf(file, "%d", &y) != 1) {
    y = 0;
  }
  fclose(file);
  return y;
}

static int through_memory(int x, int how) {
  char *text = 0, fixed[32] = {0};
  size_t size = 0;
  FILE *stream = how == 4 ? open_memstream(&text, &size) : fmemopen(fixed, sizeof fixed, "w");
  fprintf(stream, "%d", x);
  fclose(stream);
  const int y = atoi(how == 4 ? text : fixed);
  free(text);
  return y;
}

int main(void) {
  const int x = heddle_input_int("x");
  int y = 0, ends[2];
  switch (HOW) {
    case 0:
      if (pipe(ends) == 0) y = through_descriptors(x, ends[1], ends[0]);
      break;
    case 1:
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) y = through_descriptors(x, ends[0], ends[1]);
      break;
    case 2:
    case 3: y = through_a_file(x, HOW); break;
    case 4:
    case 5: y = through_memory(x, HOW); break;
    case 6: {
      int from = x;
      __asm__ volatile("movl %1, %%eax; movl %%eax, %0" : "=m"(y) : "m"(from) : "eax");
      break;
    }
    case 7: {
      char text[16];
      sprintf(text, "%d", x);
      y = atoi(text);
      break;
    }
    case 8: {
      int copy = x;
      printf("%d", x);
      fprintf(stderr, "%d", x);
      if (write(1, &copy, sizeof copy) < 0) return 0;
      break;
    }
    default: {
      const int file = open("/dev/zero", O_RDONLY);
      if (read(file, &y, sizeof y) < 0) y = 0;
      if (x == 3) y = 0;
    }
  }
  assert(y != 7);
  return 0;
}
