#include "trace/memory_order.h"

namespace heddle::trace {

const char* name_of(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::kSeqCst:
      return "seq_cst";
    case MemoryOrder::kPlain:
      return "plain";
    case MemoryOrder::kRelaxed:
      return "relaxed";
    case MemoryOrder::kAcquire:
      return "acquire";
    case MemoryOrder::kRelease:
      return "release";
    case MemoryOrder::kAcqRel:
      return "acq_rel";
  }
  return "?";
}

const char* name_of(MemoryModel model) {
  switch (model) {
    case MemoryModel::kSc:
      return "sc";
    case MemoryModel::kTso:
      return "tso";
    case MemoryModel::kCpp20:
      return "c++20";
  }
  return "?";
}

std::optional<MemoryOrder> memory_order_named(std::string_view word) {
  for (int i = 0; i < kMemoryOrders; ++i)
    if (word == name_of(static_cast<MemoryOrder>(i))) return static_cast<MemoryOrder>(i);
  return std::nullopt;
}

std::optional<MemoryModel> memory_model_named(std::string_view word) {
  for (const MemoryModel model : kMemoryModels)
    if (word == name_of(model)) return model;
  return std::nullopt;
}

}  // namespace heddle::trace
