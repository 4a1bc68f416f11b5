// Counting happens at the start of the pipeline, on the code as the compiler's front end makes it from the source:
// later, lines have been merged and branches have become something else.
//
// A point in front of the first instruction of each line in each block says that the line was come to; it is counted
// even if something in the line fails, and what follows in the block is not. A branch is counted on its edges, each of
// which gets a block of its own for that, so that nothing that is counted depends on the condition: inputs that it
// depends on are tracked as without. The count itself is a call, which no later pass takes for an access of the
// program.
//
// Code of system headers (below /usr) and of Heddle's own is left out.
#include "native/pass/coverage.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Path.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "native/pass/instrument.h"
#include "native/protocol/coverage_abi.h"

namespace heddle::pass {
namespace {

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using protocol::CoveragePoint;

std::string path_of(const llvm::DIFile& file) {
  llvm::SmallString<256> path(file.getFilename());
  if (!llvm::sys::path::is_absolute(path)) {
    path = file.getDirectory();
    llvm::sys::path::append(path, file.getFilename());
  }
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

bool is_of_the_program(llvm::StringRef path) {
  return !path.starts_with("/usr/") && !path.ends_with("/heddle/heddle.h");
}

class Counting {
 public:
  explicit Counting(llvm::Module& module)
      : module_(module),
        pointer_(llvm::PointerType::getUnqual(module.getContext())),
        i32_(llvm::Type::getInt32Ty(module.getContext())),
        i64_(llvm::Type::getInt64Ty(module.getContext())),
        record_type_(llvm::StructType::get(pointer_, pointer_, pointer_, pointer_, pointer_, i64_)),
        record_(new llvm::GlobalVariable(module, record_type_, false, llvm::GlobalValue::PrivateLinkage,
                                         llvm::Constant::getNullValue(record_type_), "heddle_coverage")) {
    auto nothing_thrown = llvm::AttributeList().addFnAttribute(module.getContext(), llvm::Attribute::NoUnwind);
    auto* nothing = llvm::Type::getVoidTy(module.getContext());
    count_ = module.getOrInsertFunction("heddle_coverage_count", nothing_thrown, nothing, pointer_, i32_);
    register_ = module.getOrInsertFunction("heddle_coverage_register", nothing_thrown, nothing, pointer_);
  }

  void run() {
    for (llvm::Function& function : module_)
      if (is_instrumented(function) && function.getSubprogram() != nullptr) visit(function);
    if (points_.empty()) return record_->eraseFromParent();
    fill_record();
    define_constructor();
  }

 private:
  void visit(llvm::Function& function) {
    if (!is_of_the_program(path_of(*function.getSubprogram()->getFile()))) return;
    functions_.push_back(function.getName().str());
    branches_ = 0;
    llvm::SmallVector<llvm::Instruction*, 64> starts, forks;
    for (llvm::BasicBlock& block : function) {
      unsigned line = 0;
      for (llvm::Instruction& i : block) {
        const llvm::DILocation* where = i.getDebugLoc();
        if (isa<llvm::PHINode>(i) || isa<llvm::DbgInfoIntrinsic>(i) || i.isEHPad() || !where || where->getLine() == 0)
          continue;
        if (where->getLine() != line) starts.push_back(&i);
        line = where->getLine();
      }
      const llvm::Instruction* last = block.getTerminator();
      const auto* branch = dyn_cast<llvm::BranchInst>(last);
      const bool forks_here = (branch && branch->isConditional()) || isa<llvm::SwitchInst>(last);
      if (forks_here && last->getDebugLoc() && last->getDebugLoc().getLine() != 0)
        forks.push_back(block.getTerminator());
    }
    for (llvm::Instruction* i : starts) count_in_front_of(*i, i->getDebugLoc(), 0, 0);
    for (llvm::Instruction* i : forks) count_ways(*i);
  }

  void count_ways(llvm::Instruction& fork) {
    ++branches_;
    llvm::BasicBlock* from = fork.getParent();
    for (unsigned way = 0; way < fork.getNumSuccessors(); ++way) {
      // Two ways to one block are two edges.
      llvm::BasicBlock* edge =
          llvm::BasicBlock::Create(module_.getContext(), "", from->getParent(), fork.getSuccessor(way));
      llvm::BranchInst* on = llvm::BranchInst::Create(fork.getSuccessor(way), edge);
      on->setDebugLoc(fork.getDebugLoc());
      for (llvm::PHINode& phi : fork.getSuccessor(way)->phis())
        phi.setIncomingBlock(static_cast<unsigned>(phi.getBasicBlockIndex(from)), edge);
      fork.setSuccessor(way, edge);
      count_in_front_of(*on, fork.getDebugLoc(), branches_, way);
    }
  }

  void count_in_front_of(llvm::Instruction& i, const llvm::DILocation* where, std::uint32_t branch, std::uint32_t way) {
    const auto number = static_cast<std::uint32_t>(points_.size());
    points_.push_back({file_number(*where->getFile()), static_cast<std::uint32_t>(functions_.size() - 1),
                       where->getLine(), branch, way});
    llvm::IRBuilder<> at(&i);
    at.SetCurrentDebugLocation(i.getDebugLoc());
    at.CreateCall(count_, {record_, at.getInt32(number)});
  }

  std::uint32_t file_number(const llvm::DIFile& file) {
    const auto [place, added] = file_numbers_.try_emplace(&file, files_.size());
    if (added) files_.push_back(path_of(file));
    return static_cast<std::uint32_t>(place->second);
  }

  llvm::Constant* texts(const std::vector<std::string>& all) {
    std::vector<llvm::Constant*> each;
    for (const std::string& text : all)
      each.push_back(table(llvm::ConstantDataArray::getString(module_.getContext(), text)));
    return table(llvm::ConstantArray::get(llvm::ArrayType::get(pointer_, each.size()), each));
  }

  llvm::Constant* table(llvm::Constant* value) {
    return new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value);
  }

  void fill_record() {
    std::vector<std::uint32_t> words;
    for (const CoveragePoint& p : points_) words.insert(words.end(), {p.file, p.function, p.line, p.branch, p.way});
    auto* counters_type = llvm::ArrayType::get(i64_, points_.size());
    auto* counters = new llvm::GlobalVariable(module_, counters_type, false, llvm::GlobalValue::PrivateLinkage,
                                              llvm::Constant::getNullValue(counters_type));
    record_->setInitializer(llvm::ConstantStruct::get(record_type_, llvm::ConstantPointerNull::get(pointer_),
                                                      table(llvm::ConstantDataArray::get(module_.getContext(), words)),
                                                      texts(files_), texts(functions_), counters,
                                                      llvm::ConstantInt::get(i64_, points_.size())));
  }

  // First of all, so that no other constructor's code is lost.
  void define_constructor() {
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), false);
    auto* constructor =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "heddle_coverage_start", module_);
    constructor->addFnAttr(llvm::Attribute::DisableSanitizerInstrumentation);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(module_.getContext(), "", constructor));
    b.CreateCall(register_, {record_});
    b.CreateRetVoid();
    llvm::appendToGlobalCtors(module_, constructor, 0);
  }

  llvm::Module& module_;
  llvm::PointerType* pointer_;
  llvm::IntegerType* i32_;
  llvm::IntegerType* i64_;
  llvm::StructType* record_type_;  // CoverageModule
  llvm::GlobalVariable* record_;
  llvm::FunctionCallee count_, register_;
  std::vector<CoveragePoint> points_;
  std::vector<std::string> files_, functions_;
  llvm::DenseMap<const llvm::DIFile*, std::size_t> file_numbers_;
  std::uint32_t branches_ = 0;  // of the function at hand
};

}  // namespace

void count_coverage(llvm::Module& module) { Counting(module).run(); }

}  // namespace heddle::pass
