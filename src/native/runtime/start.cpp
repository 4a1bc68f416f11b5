// Taking over main. The C start-up code calls __libc_start_main with the program's main; the executable's
// definition (this one) is found first and hands libc a main of ours instead. Everything before that, dynamic
// linking and global constructors, happens as usual. If a global constructor starts a thread, the program is started
// once more, and its constructors become the first part of what every execution runs.
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
#include "native/runtime/start.h"
#include "native/runtime/worker.h"

using namespace heddle::runtime;

namespace {

using Main = int (*)(int, char**, char**);
Main program_main;
bool main_has_begun = false;

int heddle_main(int argc, char** argv, char** envp) {
  rt.in_engine = true;
  main_has_begun = true;
  const EntryPoint entry{program_main, nullptr, argc, argv, envp};
  run_worker(entry);
}

// The executable, once more, with more in its environment. Returns only if that is not possible.
template <std::size_t N>
void start_again(char** argv, char** envp, const char* const (&more)[N]) {
  std::size_t count = 0;
  while (envp[count]) ++count;
  auto environment = static_cast<const char**>(engine_memory.allocate((count + N + 1) * sizeof(char*)));
  memcpy(environment, envp, count * sizeof(char*));
  memcpy(environment + count, more, sizeof more);
  environment[count + N] = nullptr;
  execve("/proc/self/exe", argv, const_cast<char**>(environment));
}

constexpr const char* kConstructors = "HEDDLE_CONSTRUCTORS";
char** arguments;
char** environment;

// Lazy binding would be done again in every execution, as its results are rewound; and addresses should be the same
// in every process. Both are decided before a program starts, so start it again.
void start_again_if_needed(char** argv, char** envp) {
  const int persona = personality(0xffffffff);
  const bool randomised = persona != -1 && (persona & ADDR_NO_RANDOMIZE) == 0;
  if (getenv("HEDDLE_RESTARTED") || (getenv("LD_BIND_NOW") && !randomised)) return;
  if (randomised) personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE);
  start_again(argv, envp, {"LD_BIND_NOW=1", "HEDDLE_RESTARTED=1"});
  // Without a second start it still works, only slower.
}

using Initialiser = void (*)(int, char**, char**);

}  // namespace

extern "C" {
// The program's constructors, by the linker.
extern void _init() __attribute__((visibility("hidden")));
extern Initialiser __init_array_start[] __attribute__((visibility("hidden")));
extern Initialiser __init_array_end[] __attribute__((visibility("hidden")));

// Constructors of the engine's own globals, gathered when the library is built. They run before the program's, and
// allocate from engine memory.
extern Initialiser __start_heddle_init[] __attribute__((weak, visibility("hidden")));
extern Initialiser __stop_heddle_init[] __attribute__((weak, visibility("hidden")));

// What the engine's globals call instead of __cxa_atexit: they outlive every exit() of the program.
int heddle_never_destroyed(void (*)(void*), void*, void*) { return 0; }
}

namespace {

Main main_behind_constructors;

int constructors_and_main(int argc, char** argv, char** envp) {
  _init();
  for (Initialiser* i = __init_array_start; i != __init_array_end; ++i) (*i)(argc, argv, envp);
  return main_behind_constructors(argc, argv, envp);
}

}  // namespace

namespace heddle::runtime {

void control_constructors() {
  if (main_has_begun || getenv(kConstructors)) return;
  start_again(arguments, environment, {"HEDDLE_CONSTRUCTORS=1"});
}

}  // namespace heddle::runtime

extern "C" int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                                 void* stack_end) {
  using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  program_main = main;
  rt.in_engine = true;
  for (Initialiser* i = __start_heddle_init; i != __stop_heddle_init; ++i) (*i)(argc, argv, nullptr);
  rt.in_engine = false;
  char** const envp = argv + argc + 1;
  arguments = argv;
  environment = envp;
  start_again_if_needed(argv, envp);
  raw::keep_standard_error();
  find_fs_base_instructions();
  take_over_exit();
  note_inherited_descriptors();
  const auto start_main = reinterpret_cast<StartMain>(dlsym(RTLD_NEXT, "__libc_start_main"));
  if (getenv(kConstructors)) {
    main_behind_constructors = program_main;
    program_main = constructors_and_main;
    init = [] {};  // libc leaves the constructors alone then
  }
  return start_main(heddle_main, argc, argv, init, fini, rtld_fini, stack_end);
}
