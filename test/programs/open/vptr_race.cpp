// A virtual call while the object is being destroyed.
// expect: data-race
#include <thread>

struct Base {
  virtual ~Base() = default;
  virtual int value() { return 1; }
};
struct Derived : Base {
  ~Derived() override {}
  int value() override { return 2; }
};

alignas(Derived) unsigned char storage[sizeof(Derived)];
int result = 0;

int main() {
  Base* object = new (storage) Derived;
  std::thread user([&] { result = object->value(); });
  object->~Base();
  user.join();
}
