// Per line how often it was reached (the most of its instructions), per conditional jump how often each way was taken.
#include "model/model_program.h"

namespace heddle::model {

trace::Coverage ModelProgram::coverage() const {
  const Coverage& counted = interpreter_.coverage();
  trace::CoveredFile file{source_.name(), {}, {}};
  for (std::size_t i = 0; i < counted.hits.size(); ++i) {
    const std::uint32_t line = source_.position(code_.places[i]).line;
    std::uint64_t& hits = file.lines[line];
    hits = std::max(hits, counted.hits[i]);
    const Op op = code_.instructions[i].op;
    if (op == Op::kJumpIfZero || op == Op::kJumpIfNot)
      file.branches[line].push_back({counted.passed[i], counted.jumped[i]});
  }
  return {file};
}

}  // namespace heddle::model
