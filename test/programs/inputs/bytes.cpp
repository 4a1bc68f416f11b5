// A packet of four bytes; one value of its 2^32 is wrong, and only if the checksum agrees.
// expect: --all classes=4 failed=1 assertion
// configurations: one
#include <heddle/heddle.hpp>

int main() {
  unsigned char packet[4];
  heddle::input_bytes(packet, sizeof packet, "packet");
  if (packet[0] != 0x7f) return 0;
  unsigned size = packet[1] | packet[2] << 8;
  if (size != 0x1234) return 0;
  if (static_cast<unsigned char>(packet[0] + packet[1] + packet[2]) != packet[3]) return 0;
  heddle_assert(false);
}
