// Branchy integer code on plain data: a lexer, a sort, a sieve and Collatz chains over a pseudo-random text. With SYMBOLIC=0 (the
// default) one unrelated input is read, so that tracking is compiled in and has nothing to do; bench/solver compares it with the
// same file built by a plain compiler (-DPLAIN).
// expect: -D TEXT=2000 -D ROUNDS=1 classes=2 none
// configurations: one
#include <stdio.h>
#include <stdlib.h>
#ifdef PLAIN
static int heddle_input_int(const char *name) { return name[0] == 'x'; }
#else
#include <heddle/heddle.h>
#endif

#ifndef TEXT
#define TEXT 200000
#endif
#ifndef ROUNDS
#define ROUNDS 40
#endif

static unsigned state = 12345;
static char text[TEXT];
static int numbers[TEXT];
static unsigned char composite[TEXT];

static unsigned next(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static void write_text(void) {
  static const char alphabet[] = "abcxyz0123456789   +-*/()\n";
  for (int i = 0; i < TEXT; i++) text[i] = alphabet[next() % (sizeof alphabet - 1)];
}

// Counts tokens and sums numbers.
static unsigned lex(int *count) {
  unsigned hash = 0;
  int n = 0;
  for (int i = 0; i < TEXT;) {
    const char c = text[i];
    if (c == ' ' || c == '\n') {
      i++;
    } else if (c >= '0' && c <= '9') {
      unsigned v = 0;
      while (i < TEXT && text[i] >= '0' && text[i] <= '9') v = v * 10 + (unsigned)(text[i++] - '0');
      numbers[n++] = (int)(v & 0xffff);
      hash = hash * 31 + v;
    } else if (c >= 'a' && c <= 'z') {
      while (i < TEXT && text[i] >= 'a' && text[i] <= 'z') hash = hash * 33 + (unsigned)text[i++];
    } else {
      switch (c) {
        case '+': hash += 1; break;
        case '-': hash -= 1; break;
        case '*': hash *= 3; break;
        case '/': hash /= 3; break;
        case '(': hash ^= 7; break;
        default: hash ^= 11; break;
      }
      i++;
    }
  }
  *count = n;
  return hash;
}

// Shell's sort.
static void sort(int *a, int n) {
  for (int gap = n / 2; gap > 0; gap /= 2)
    for (int i = gap; i < n; i++) {
      const int v = a[i];
      int j = i;
      while (j >= gap && a[j - gap] > v) {
        a[j] = a[j - gap];
        j -= gap;
      }
      a[j] = v;
    }
}

static int sieve(void) {
  int primes = 0;
  for (int i = 0; i < TEXT; i++) composite[i] = 0;
  for (int i = 2; i < TEXT; i++) {
    if (composite[i]) continue;
    primes++;
    for (long j = (long)i * i; j < TEXT; j += i) composite[j] = 1;
  }
  return primes;
}

static unsigned collatz(unsigned from, unsigned to) {
  unsigned longest = 0;
  for (unsigned n = from; n < to; n++) {
    unsigned steps = 0;
    for (unsigned long v = n; v != 1; steps++) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    if (steps > longest) longest = steps;
  }
  return longest;
}

int main(void) {
  unsigned result = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int n = 0;
    write_text();
    result += lex(&n);
    sort(numbers, n);
    result += (unsigned)numbers[n / 2] + (unsigned)sieve() + collatz(1, TEXT / 8);
  }
  if (heddle_input_int("last") == 1) result++;
  printf("%u\n", result);
  return 0;
}
