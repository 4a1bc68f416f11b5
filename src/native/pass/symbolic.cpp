#include "native/pass/symbolic.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/CommandLine.h>

#include "native/pass/instrument.h"
#include "native/pass/tracker.h"

namespace heddle::pass {
namespace {

constexpr const char* kNoVectors = "heddle-no-vectors";

// In the executable if any file has, or has not, been compiled with tracking: the runtime looks.
void define_mark(llvm::Module& module, const char* name) {
  auto* type = llvm::Type::getInt8Ty(module.getContext());
  auto* mark = new llvm::GlobalVariable(module, type, /*isConstant=*/true, llvm::GlobalValue::WeakODRLinkage,
                                        llvm::ConstantInt::get(type, 1), name);
  mark->setVisibility(llvm::GlobalValue::DefaultVisibility);
}

}  // namespace

bool asks_for_inputs(const llvm::Module& module) {
  for (const llvm::Function& f : module) {
    const llvm::StringRef name = f.getName();
    if (!f.isDeclaration() || f.use_empty()) continue;
    if (name.starts_with("heddle_input") || name == "klee_make_symbolic") return true;
    if (name.starts_with("__VERIFIER_nondet_") && name != "__VERIFIER_nondet_bool") return true;
  }
  return false;
}

void prepare_for_tracking(llvm::Function& function) {
  // Branches stay branches: what the program decides separately is explored separately.
  function.addFnAttr(llvm::Attribute::OptForFuzzing);
  function.addFnAttr("no-jump-tables", "true");
  if (!function.hasFnAttribute(llvm::Attribute::NoImplicitFloat)) {
    function.addFnAttr(llvm::Attribute::NoImplicitFloat);
    function.addFnAttr(kNoVectors);
  }
}

void track_inputs(llvm::Module& module) {
  llvm::SmallVector<llvm::Function*, 64> functions;
  for (llvm::Function& f : module)
    if (is_instrumented(f)) functions.push_back(&f);
  auto* magic = llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), protocol::kTrackedFunction);
  for (llvm::Function* f : functions) {
    Tracker(*f).run();
    if (f->hasFnAttribute(kNoVectors)) {
      f->removeFnAttr(kNoVectors);
      f->removeFnAttr(llvm::Attribute::NoImplicitFloat);
    }
    f->setPrefixData(magic);
    // The calls that were added read and write the runtime's memory.
    f->removeFnAttr(llvm::Attribute::Memory);
    f->removeFnAttr(llvm::Attribute::NoSync);
    f->removeFnAttr(llvm::Attribute::WillReturn);
  }
  define_mark(module, "heddle_sym_tracked_code");
}

void mark_untracked(llvm::Module& module) { define_mark(module, "heddle_sym_untracked_code"); }

}  // namespace heddle::pass
