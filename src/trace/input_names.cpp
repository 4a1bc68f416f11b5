#include "trace/input_names.h"

namespace heddle::trace {

std::string Describer::input_name(const InputValue& input) const {
  return "input[" + thread_name(input.thread) + "," + std::to_string(input.ordinal) + "]";
}

std::map<std::string, std::int64_t> inputs_by_name(const Execution& execution, const Describer& describer) {
  std::map<std::string, std::int64_t> named;
  for (const InputValue& input : execution.named_inputs) named[describer.input_name(input)] = input.value;
  return named;
}

}  // namespace heddle::trace
