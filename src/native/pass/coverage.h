// Counting of lines and branches, compiled in where it is asked for (heddle-cc --heddle-coverage).
#pragma once

namespace llvm {
class Module;
}

namespace heddle::pass {

void count_coverage(llvm::Module& module);

}  // namespace heddle::pass
