// Every __VERIFIER_nondet_ type of SV-COMP that is a number, each with a value at the far end of its range; a path per
// comparison that fails, and one through all of them.
// expect: --all classes=21 failed=1 assertion
// configurations: one
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned __VERIFIER_nondet_unsigned(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern size_t __VERIFIER_nondet_size_t(void);
extern long long __VERIFIER_nondet_loff_t(void);
extern unsigned long __VERIFIER_nondet_sector_t(void);
extern unsigned long __VERIFIER_nondet_pthread_t(void);
extern uint8_t __VERIFIER_nondet_u8(void);
extern uint16_t __VERIFIER_nondet_u16(void);
extern uint32_t __VERIFIER_nondet_u32(void);
extern uint64_t __VERIFIER_nondet_u64(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

#define WANT(type, value) \
  if (__VERIFIER_nondet_##type() != (value)) return 0

int main(void) {
  WANT(char, -128);
  WANT(uchar, 255);
  WANT(short, -32768);
  WANT(ushort, 65535);
  WANT(int, -2147483647 - 1);
  WANT(uint, 4294967295u);
  WANT(unsigned, 4294967294u);
  WANT(long, -9223372036854775807 - 1);
  WANT(ulong, 18446744073709551615ul);
  WANT(longlong, -9223372036854775807);
  WANT(ulonglong, 18446744073709551614ull);
  WANT(size_t, 18446744073709551613ul);
  WANT(loff_t, -1);
  WANT(sector_t, 18446744073709551612ul);
  WANT(pthread_t, 7);
  WANT(u8, 254);
  WANT(u16, 65534);
  WANT(u32, 4294967293u);
  WANT(u64, 18446744073709551611ul);
  if (__VERIFIER_nondet_bool()) __VERIFIER_assert(0);
  return 0;
}
