#include "native/runtime/coverage.h"

#include <sys/mman.h>

#include "native/protocol/coverage_abi.h"
#include "native/runtime/raw.h"
#include "native/runtime/runtime.h"

using namespace heddle::runtime;
using heddle::protocol::CoverageModule;

namespace {
constinit CoverageModule* modules = nullptr;
}

extern "C" {

// Objects of a library that an execution loads keep their own counters, which are rewound with it: they are not
// reported.
void heddle_coverage_register(CoverageModule* module) {
  if (rt.active) return;
  const long memory = raw::syscall(SYS_mmap, 0, static_cast<long>(module->count * sizeof *module->counters),
                                   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory < 0 && memory > -4096) raw::die("no memory for the counters of --coverage; free some, or drop it");
  module->counters = reinterpret_cast<std::uint64_t*>(memory);
  module->next = modules;
  modules = module;
}

void heddle_coverage_count(CoverageModule* module, std::uint32_t point) { ++module->counters[point]; }
}

namespace heddle::runtime {

bool counts_coverage() { return modules != nullptr; }

protocol::CoverageReport coverage_so_far() {
  protocol::CoverageReport out;
  for (const CoverageModule* m = modules; m != nullptr; m = m->next) {
    std::uint32_t files = 0, functions = 0;
    const auto first_file = static_cast<std::uint32_t>(out.files.size());
    const auto first_function = static_cast<std::uint32_t>(out.functions.size());
    for (std::uint64_t i = 0; i < m->count; ++i) {
      const protocol::CoveragePoint& p = m->points[i];
      for (; files <= p.file; ++files) out.files.push_back(m->files[files]);
      for (; functions <= p.function; ++functions) out.functions.push_back(m->functions[functions]);
      out.points.push_back({first_file + p.file, first_function + p.function, p.line, p.branch, p.way, m->counters[i]});
    }
  }
  return out;
}

}  // namespace heddle::runtime
