// An environment variable that is inputs. strcmp branches at each byte.
// expect: --all --symbolic-env=MODE:2 classes=5 failed=1 assertion
// configurations: one
#include <heddle/heddle.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *mode = getenv("MODE");
  if (mode && strcmp(mode, "on") == 0) heddle_fail("on");
  return 0;
}
