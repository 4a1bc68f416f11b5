#include "native/runtime/failure.h"

#include <utility>

#include "native/runtime/debugging.h"
#include "native/runtime/heap.h"
#include "native/runtime/parts.h"
#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"

namespace heddle::runtime {

using protocol::FailureDetail;

using trace::FailureKind;

namespace {
constinit std::vector<FailureDetail> details;
constinit protocol::Compared compared_last;  // and not asked for yet

void describe_block(FailureDetail& detail, std::uintptr_t address, const Block* block) {
  if (!block) return;
  detail.allocated_at = block->allocated_at;
  detail.block_size = block->size;
  detail.offset = address - reinterpret_cast<std::uintptr_t>(const_cast<Block*>(block)->user());
  if (block->freed_at != 0) {
    detail.other_where = block->freed_at;
    detail.other_thread = ThreadId(block->thread);
  }
}
}  // namespace

std::vector<FailureDetail>& failure_details() { return details; }

constinit const Part failures_part = described({
    .begin = [] { details.clear(); },
    .go_back = [](std::size_t) { details.clear(); },
    .not_kept = "a state after a failure is no checkpoint",
});

FailureDetail detail_of_assertion() {
  FailureDetail detail;
  detail.compared = std::exchange(compared_last, {});
  return detail;
}

void record_failure(FailureKind kind, std::uint32_t where, std::string message, const FailureDetail& detail) {
  if ((rt.ignored_failures >> static_cast<unsigned>(kind) & 1) != 0) return;
  EngineScope scope;
  rt.execution->failures.push_back({kind, rt.conductor.position(), rt.current, where, std::move(message)});
  details.push_back(detail);
  if (rt.debugged) show_failure_to_debugger(rt.execution->failures.back());
}

void fail_thread(FailureKind kind, const void* pc, std::string message, const FailureDetail& detail) {
  rt.in_engine = true;
  if (!rt.active) {
    raw::print("heddle: the program failed outside the threads under control: ");
    raw::print(message.c_str());
    raw::print("\n");
    raw::exit(134);
  }
  record_failure(kind, where_of(pc), std::move(message), detail);
  rt.self().status = ThreadStatus::kFailed;
  rt.execution->stopped.insert(rt.current);  // its failure may be void, and it has not ended all the same
  rt.conductor.retire(rt.current);
  leave_for_good();
}

void report_heap_misuse(FailureKind kind, const void* pc, std::uintptr_t address) {
  if (!rt.active) return;
  EngineScope scope;
  FailureDetail detail;
  detail.address = address;
  describe_block(detail, address, heap.block_of(address));
  fail_thread(kind, pc,
              kind == FailureKind::kDoubleFree ? "a block is freed a second time"
                                               : "free() of an address that malloc did not return",
              detail);
}

void report_bad_access(const void* pc, std::uintptr_t address, std::size_t size, bool write) {
  EngineScope scope;
  const Heap::Trouble trouble = heap.explain(address, size);
  FailureDetail detail;
  detail.address = address;
  detail.size = static_cast<std::uint32_t>(size);
  detail.write = write;
  describe_block(detail, address, trouble.block);
  const std::string access = std::string(write ? "write of " : "read of ") + std::to_string(size) + " bytes ";
  fail_thread(trouble.freed ? FailureKind::kUseAfterFree : FailureKind::kHeapOverflow, pc,
              access + (trouble.freed ? "in a freed block" : "outside the bounds of a heap block"), detail);
}

}  // namespace heddle::runtime

extern "C" void heddle_compared(std::uint64_t left, std::uint64_t right, std::uint32_t description) {
  heddle::runtime::compared_last = heddle::protocol::compared_as(left, right, description);
}
