// A request and its answer over a pair of sockets.
// expect: --all none assumes=nothing
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int main() {
  int ends[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  std::thread server([&] {
    char byte;
    assert(recv(ends[1], &byte, 1, 0) == 1);
    assert(send(ends[1], "y", 1, 0) == 1);
  });
  char byte = 'x';
  assert(send(ends[0], &byte, 1, 0) == 1);
  assert(read(ends[0], &byte, 1) == 1 && byte == 'y');
  server.join();
}
