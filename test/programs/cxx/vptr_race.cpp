// A virtual call while the object is being destroyed. (The destructors look at the object: where they do nothing,
// compilers leave out the write of the table's address, and then there is no race left to find.)
// expect: data-race
#include <thread>

int result = 0, last = 0;

struct Base {
  virtual ~Base();
  virtual int value() { return 1; }
};
struct Derived : Base {
  ~Derived() override { last += 2; }
  int value() override { return 2; }
};

__attribute__((noinline)) int ask(Base& object) { return object.value(); }
Base::~Base() { last += ask(*this); }

alignas(Derived) unsigned char storage[sizeof(Derived)];

int main() {
  Base* object = new (storage) Derived;
  std::thread user([&] { result = ask(*object); });
  object->~Base();
  user.join();
}
