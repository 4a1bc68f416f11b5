// A parser of a small protocol over symbolic bytes: a kind, a length, a number in decimal digits, a checksum. Every path through
// it is explored; bench/solver compares the paths per second with those of a fresh Z3 per question.
// expect: -D LENGTH=4 --all classes=28 none
// configurations: one
#include <heddle/heddle.h>

#ifndef LENGTH
#define LENGTH 6
#endif

static unsigned char packet[LENGTH];

static int digits(int from, int to, unsigned *value) {
  *value = 0;
  for (int i = from; i < to; i++) {
    if (packet[i] < '0' || packet[i] > '9') return 0;
    *value = *value * 10 + packet[i] - '0';
  }
  return 1;
}

static int parse(void) {
  unsigned sum = 0, value = 0;
  int result = 0;
  switch (packet[0]) {
    case 'G': result = 1; break;
    case 'P': result = 2; break;
    case 'D': result = 3; break;
    default: return 0;
  }
  if (packet[1] != LENGTH) return -1;
  if (!digits(2, LENGTH - 1, &value)) return -2;
  if (value > 60) result += 10;
  if (value % 7 == 3) result += 20;
  for (int i = 0; i < LENGTH - 1; i++) {
    sum = sum * 3 + packet[i];
    if (sum & 1) sum ^= 0x5a;
  }
  if ((sum & 0xff) != packet[LENGTH - 1]) return -3;
  return result;
}

int main(void) {
  heddle_input_bytes(packet, LENGTH, "packet");
  return parse() > 100;
}
