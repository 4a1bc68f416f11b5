#include "native/runtime/process_state.h"

#include <limits.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"

namespace heddle::runtime {
namespace {

// One thing that is kept: as every execution finds it, and whether this one may have changed it.
template <class Value>
struct Kept {
  Value value{};
  bool changed = false;
};

long address_of(void* p) { return reinterpret_cast<long>(p); }

struct Path {
  char text[PATH_MAX];
};
struct Processors {
  unsigned long bits[128];
  long bytes;
};
struct Name {
  char text[16];
};

constinit Kept<Path> folder;
constinit Kept<int> file_mask;
constinit Kept<Processors> processors;
constinit Kept<Name> name;
constinit Kept<rlimit> limits[RLIM_NLIMITS];

}  // namespace

void keep_folder() {
  if (folder.changed) return;
  if (raw::syscall(SYS_getcwd, address_of(folder.value.text), sizeof folder.value.text) < 0)
    return cannot_be_undone("chdir");
  folder.changed = true;
}

void keep_file_mask() {
  if (file_mask.changed) return;
  file_mask.value = static_cast<int>(raw::syscall(SYS_umask, 0));
  raw::syscall(SYS_umask, file_mask.value);
  file_mask.changed = true;
}

void keep_processors() {
  if (processors.changed) return;
  Processors& p = processors.value;
  p.bytes = raw::syscall(SYS_sched_getaffinity, 0, sizeof p.bits, address_of(p.bits));
  processors.changed = p.bytes > 0;
}

void keep_name() {
  if (name.changed) return;
  name.changed = raw::syscall(SYS_prctl, PR_GET_NAME, address_of(name.value.text)) == 0;
}

void keep_limit(int resource) {
  if (resource < 0 || resource >= RLIM_NLIMITS || limits[resource].changed) return;
  limits[resource].changed = raw::syscall(SYS_prlimit64, 0, resource, 0, address_of(&limits[resource].value)) == 0;
}

void put_process_state_back() {
  if (folder.changed) raw::syscall(SYS_chdir, address_of(folder.value.text));
  if (file_mask.changed) raw::syscall(SYS_umask, file_mask.value);
  if (processors.changed)
    raw::syscall(SYS_sched_setaffinity, 0, processors.value.bytes, address_of(processors.value.bits));
  if (name.changed) raw::syscall(SYS_prctl, PR_SET_NAME, address_of(name.value.text));
  folder.changed = file_mask.changed = processors.changed = name.changed = false;
  for (int i = 0; i < RLIM_NLIMITS; ++i) {
    if (limits[i].changed) raw::syscall(SYS_prlimit64, 0, i, address_of(&limits[i].value));
    limits[i].changed = false;
  }
}

void cannot_be_undone(const char* what) {
  if (!rt.active || rt.own_process) return;
  rt.cannot_be_undone = what;
  end_execution(Ending::kNeedsProcess);
}

}  // namespace heddle::runtime
