#include "check/canonical_form.h"

#include "trace/dependence.h"

namespace heddle::check {

using namespace trace;

std::string label(const Step& s) {
  std::string text = std::to_string(s.thread.value) + name_of(s.op.kind);
  if (s.op.object != kNoObject) text += std::to_string(s.op.object.value);
  if (has_alternatives(s.op.kind)) text += ">" + std::to_string(s.choice);
  return text;
}

std::string canonical_form(const Execution& execution) {
  return least_form(execution.steps, [](const Step& a, const Step& b) { return dependent(a, b); });
}

}  // namespace heddle::check
