#include <cassert>
#include <thread>

#include "office.h"

int main() {
  Office office(2);
  bool served[3];
  {
    std::jthread ann([&] { served[0] = office.buy(); });
    std::jthread bob([&] { served[1] = office.buy(); });
    std::jthread eve([&] { served[2] = office.buy(); });
  }
  assert(served[0] + served[1] + served[2] == 2);
  assert(office.left() == 0);
}
