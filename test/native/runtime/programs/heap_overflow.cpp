// expect: verdict=bug finding:heap-overflow=1
// options: --all
#include <cstdlib>

int* volatile block;

int main(int argc, char**) {
  block = static_cast<int*>(std::malloc(4 * sizeof(int)));
  block[3 + argc] = 1;
  std::free(block);
}
