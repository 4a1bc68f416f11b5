#include "native/runtime/written_values.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "native/runtime/inputs.h"
#include "native/runtime/runtime.h"

// What a call to a printing function writes to: a stream, or a descriptor as a number. Set before each such call.
extern "C" const void* heddle_sym_destination;
const void* heddle_sym_destination = nullptr;
extern "C" std::uint32_t heddle_sym_live;  // term_memory.cpp

namespace heddle::runtime {
namespace {

bool any_of(const char* name, std::initializer_list<const char*> names) {
  for (const char* n : names)
    if (strcmp(name, n) == 0) return true;
  return false;
}

bool is_stream_of_cxx(const char* name) {
  return strncmp(name, "_ZNSo", 5) == 0 || strncmp(name, "_ZStls", 6) == 0 || strncmp(name, "_ZSt16__ostream", 15) == 0;
}

bool is_terminal_of_cxx(const void* stream) {
  for (const char* name : {"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"})
    if (stream == dlsym(RTLD_DEFAULT, name)) return true;
  return false;
}

enum class Goes { kToSomebody, kOutside, kToMemory };

Goes where_it_goes(const char* name) {
  const void* const to = heddle_sym_destination;
  if (strcmp(name, "write") == 0) {
    const auto fd = static_cast<int>(reinterpret_cast<std::intptr_t>(to));
    return fd == STDOUT_FILENO || fd == STDERR_FILENO ? Goes::kToSomebody : Goes::kOutside;
  }
  if (is_stream_of_cxx(name)) return is_terminal_of_cxx(to) ? Goes::kToSomebody : Goes::kToMemory;
  if (!any_of(name, {"fprintf", "fputs", "putc", "fputc", "fwrite", "vfprintf", "__fprintf_chk"}))
    return Goes::kToSomebody;
  if (to == stdout || to == stderr || to == nullptr) return Goes::kToSomebody;
  return fileno(static_cast<FILE*>(const_cast<void*>(to))) < 0 ? Goes::kToMemory : Goes::kOutside;
}

}  // namespace

void note_written(const char* function, const void* pc) {
  switch (where_it_goes(function)) {
    case Goes::kToSomebody:
      return;
    case Goes::kOutside:
      inputs->written = true;
      heddle_sym_live = 1;  // reading calls are looked at from now on
      return;
    case Goes::kToMemory: {
      EngineScope scope;
      inputs->leave_open(pc,
                         "what was written to a stream lost how it depends on inputs (" + std::string(function) + ")");
    }
  }
}

void note_read(const void* pc) {
  if (!inputs || !inputs->tracking() || !inputs->written || !rt.active || rt.in_engine) return;
  EngineScope scope;
  inputs->leave_open(pc, "what is read here may depend on inputs, which were written to a file or a pipe before");
}

bool reads_from_outside(const char* name) {
  return any_of(name,
                {"pread",          "pread64",         "readv",   "preadv",   "recv",           "recvfrom",
                 "recvmsg",        "scanf",           "fscanf",  "vfscanf",  "__isoc99_scanf", "__isoc99_fscanf",
                 "__isoc23_scanf", "__isoc23_fscanf", "getline", "getdelim", "getw",           "fgetws",
                 "gets",           "fread_unlocked",  "mmap",    "sendfile", "splice",         "fgets_unlocked"}) ||
         strncmp(name, "_ZNSi", 5) == 0 || strncmp(name, "_ZSt7getline", 12) == 0 || strncmp(name, "_ZStrs", 6) == 0;
}

}  // namespace heddle::runtime
