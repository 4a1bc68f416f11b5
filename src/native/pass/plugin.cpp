// HeddlePass: the plugin that clang loads with -fpass-plugin=. It acts three times.
//
// At the start of the pipeline it holds the accesses that other threads may see as the source has them
// (source_accesses.cpp), marks the heads of loops (loops.cpp), tells what failing assertions compare (comparisons.cpp),
// and marks functions `sanitize_thread`. No sanitizer pass
// runs because of it, but the optimiser knows what the mark means and keeps memcmp and bcmp calls, which the runtime
// sees.
//
// In between, whenever the optimiser has cleaned up after inlining, accesses that turn out to be private are released,
// and loops that turn out to look at nothing else.
//
// At the end of the pipeline, at every level from -O0 on, it instruments (instrument.cpp). What has been promoted to
// registers is never announced. A module that asks for inputs, or every one if told so, gets their tracking compiled in
// first (tracker.h).
//
// Beside ThreadSanitizer's instrumentation (-heddle-beside-tsan) it does all of that but announce loads, stores,
// atomics and the memory intrinsics: clang has its passes act behind those of plugins, and what was held is there for
// them.
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>

#include "native/pass/atomic_functions.h"
#include "native/pass/barriers.h"
#include "native/pass/called_back.h"
#include "native/pass/comparisons.h"
#include "native/pass/coverage.h"
#include "native/pass/instrument.h"
#include "native/pass/loops.h"
#include "native/pass/source_accesses.h"
#include "native/pass/symbolic.h"

namespace {

using namespace llvm;

// Bitcode that was instrumented when it was made is not instrumented again when it is compiled.
constexpr const char* kDoneFlag = "heddle-instrumented";
// Decided at the start, when nothing has been optimised away yet.
constexpr const char* kTrackedFlag = "heddle-tracks-inputs";

enum class Tracking { kAuto, kOn, kOff };
cl::opt<Tracking> tracking("heddle-symbolic", cl::desc("track inputs"), cl::init(Tracking::kAuto),
                           cl::values(clEnumValN(Tracking::kAuto, "auto", "where they are asked for"),
                                      clEnumValN(Tracking::kOn, "on", "everywhere"),
                                      clEnumValN(Tracking::kOff, "off", "nowhere")));

cl::opt<bool> beside_tsan("heddle-beside-tsan", cl::desc("leave what ThreadSanitizer instruments to it"),
                          cl::init(false));
cl::opt<bool> coverage("heddle-coverage", cl::desc("count lines and branches"), cl::init(false));

bool tracks(const Module& module) {
  return tracking == Tracking::kOn || (tracking == Tracking::kAuto && heddle::pass::asks_for_inputs(module));
}

struct MarkFunctions : PassInfoMixin<MarkFunctions> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    if (module.getModuleFlag(kDoneFlag) != nullptr) return PreservedAnalyses::all();
    const bool tracked = !beside_tsan && tracks(module);
    if (tracked) module.addModuleFlag(Module::Warning, kTrackedFlag, 1);
    heddle::pass::keep_pure_calls(module);
    for (Function& function : module) {
      if (!heddle::pass::is_instrumented(function) && !function.hasAvailableExternallyLinkage()) continue;
      if (!beside_tsan) function.addFnAttr(Attribute::SanitizeThread);
      if (tracked) heddle::pass::prepare_for_tracking(function);
      heddle::pass::make_atomic_if_named_so(function);
      heddle::pass::mark_unheard_barriers(function);
      heddle::pass::tell_failed_comparisons(function);
      heddle::pass::hold_accesses(function);
      heddle::pass::mark_loops(function);
    }
    if (coverage) heddle::pass::count_coverage(module);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct Instrument : PassInfoMixin<Instrument> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    if (module.getModuleFlag(kDoneFlag) != nullptr) return PreservedAnalyses::all();
    module.addModuleFlag(Module::Warning, kDoneFlag, 1);
    for (Function& function : module) heddle::pass::release_private_accesses(function);
    for (Function& function : module) heddle::pass::release_transfers(function);
    if (module.getModuleFlag(kTrackedFlag) != nullptr)
      heddle::pass::track_inputs(module);
    else
      heddle::pass::mark_untracked(module);
    heddle::pass::Callbacks callbacks(module);
    using heddle::pass::Announced;
    for (Function& function : module) heddle::pass::hand_over_turns(callbacks, function);
    for (Function& function : module) {
      heddle::pass::instrument(callbacks, function, beside_tsan ? Announced::kOnlyByUs : Announced::kAll);
      heddle::pass::release_all_accesses(function);
      heddle::pass::tell_calls_from_outside(function);
    }
    heddle::pass::keep_pure_calls(module);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

void register_passes(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(MarkFunctions()); });
  builder.registerPeepholeEPCallback([](FunctionPassManager& passes, OptimizationLevel) {
    passes.addPass(heddle::pass::ReleasePrivateAccesses());
    passes.addPass(heddle::pass::ReleaseLoops());
  });
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(Instrument()); });
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "HeddlePass", "1", register_passes};
}
