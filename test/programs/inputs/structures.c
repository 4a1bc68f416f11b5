// Structures passed by value, too large for registers: inputs in them stay inputs, by name, through a pointer, and handed on.
// expect: --all classes=4 failed=1 assertion
// configurations: one
#include <heddle/heddle.h>

struct packet {
  long kind, length, body[4];
};

__attribute__((noinline)) static int length_is(struct packet p, long wanted) { return p.length == wanted; }

__attribute__((noinline)) static void handle(int before, struct packet p) {
  int (*const check)(struct packet, long) = length_is;
  if (p.kind != 3 + before) return;
  if (!length_is(p, 40)) return;
  if (p.body[2] == 99 && check(p, 40)) heddle_fail("found");
}

int main(void) {
  struct packet p = {0};
  p.kind = heddle_input_long("kind");
  p.length = heddle_input_long("length");
  p.body[2] = heddle_input_long("body");
  handle(0, p);
  return 0;
}
