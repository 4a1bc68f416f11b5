// Taking over main. The C start-up code calls __libc_start_main with the program's main; the executable's
// definition (this one) is found first and hands libc a main of ours instead. Everything before that, dynamic
// linking and global constructors, happens as usual.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "native/runtime/engine_memory.h"
#include "native/runtime/kernel_state.h"
#include "native/runtime/process_end.h"
#include "native/runtime/raw.h"
#include "native/runtime/signals.h"
#include "native/runtime/worker.h"

using namespace heddle::native;

namespace {

using Main = int (*)(int, char**, char**);
Main program_main;

int heddle_main(int argc, char** argv, char** envp) {
  rt.in_engine = true;
  const EntryPoint entry{program_main, nullptr, argc, argv, envp};
  run_worker(entry);
}

// Lazy binding would be done again in every execution, as its results are rewound; and addresses should be the same
// in every process. Both are decided before a program starts, so start it again.
void start_again_if_needed(char** argv, char** envp) {
  const int persona = personality(0xffffffff);
  const bool randomised = persona != -1 && (persona & ADDR_NO_RANDOMIZE) == 0;
  if (getenv("HEDDLE_RESTARTED") || (getenv("LD_BIND_NOW") && !randomised)) return;
  if (randomised) personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE);
  char bind_now[] = "LD_BIND_NOW=1", restarted[] = "HEDDLE_RESTARTED=1";
  std::size_t count = 0;
  while (envp[count]) ++count;
  auto environment = static_cast<char**>(engine_memory.allocate((count + 3) * sizeof(char*)));
  memcpy(environment, envp, count * sizeof(char*));
  environment[count] = bind_now;
  environment[count + 1] = restarted;
  environment[count + 2] = nullptr;
  execve("/proc/self/exe", argv, environment);
  // Without a second start it still works, only slower.
}

using Initialiser = void (*)(int, char**, char**);

}  // namespace

extern "C" {
// Constructors of the engine's own globals, gathered when the library is built. They run before the program's, and
// allocate from engine memory.
extern Initialiser __start_heddle_init[] __attribute__((weak, visibility("hidden")));
extern Initialiser __stop_heddle_init[] __attribute__((weak, visibility("hidden")));

// What the engine's globals call instead of __cxa_atexit: they outlive every exit() of the program.
int heddle_never_destroyed(void (*)(void*), void*, void*) { return 0; }
}

extern "C" int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                                 void (*rtld_fini)(), void* stack_end) {
  using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  program_main = main;
  rt.in_engine = true;
  for (Initialiser* i = __start_heddle_init; i != __stop_heddle_init; ++i) (*i)(argc, argv, nullptr);
  rt.in_engine = false;
  char** const envp = argv + argc + 1;
  start_again_if_needed(argv, envp);
  raw::keep_standard_error();
  find_fs_base_instructions();
  take_over_exit();
  note_inherited_descriptors();
  const auto start_main = reinterpret_cast<StartMain>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start_main(heddle_main, argc, argv, init, fini, rtld_fini, stack_end);
}
