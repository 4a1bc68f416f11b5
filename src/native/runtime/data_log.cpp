#include "native/runtime/data_log.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>

#include "native/runtime/heap.h"
#include "native/runtime/parts.h"
#include "native/runtime/raw.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shadow.h"

extern "C" char __data_start;  // of the executable's variables, up to:
extern "C" char _end;

namespace heddle::runtime {

constinit DataLog data_log;

namespace {

constexpr std::size_t kMost = 1u << 16;

bool is_variable(std::uintptr_t address) {
  return address >= reinterpret_cast<std::uintptr_t>(&__data_start) &&
         address < reinterpret_cast<std::uintptr_t>(&_end);
}

bool is_there(std::uintptr_t address, std::size_t size) {
  if (Heap::contains(reinterpret_cast<void*>(address))) return heap.accessible(address, size);
  return is_variable(address) && is_variable(address + size - 1);
}

// Of memory that may not be there (the program is about to crash, or has given it back) the kernel knows.
bool read_memory(std::uintptr_t address, void* to, std::size_t size) {
  if (is_there(address, size) || rt.self().stack.contains(address)) {
    memcpy(to, reinterpret_cast<const void*>(address), size);
    return true;
  }
  iovec own{to, size}, other{reinterpret_cast<void*>(address), size};
  return raw::syscall(SYS_process_vm_readv, raw::syscall(SYS_getpid), reinterpret_cast<long>(&own), 1,
                      reinterpret_cast<long>(&other), 1, 0) == static_cast<long>(size);
}

// Its first eight bytes.
bool read_number(std::uintptr_t address, std::size_t size, std::uint64_t& value) {
  value = 0;
  return read_memory(address, &value, std::min<std::size_t>(size, sizeof value));
}

std::vector<std::uint8_t> around(std::uintptr_t address) {
  std::vector<std::uint8_t> bytes(2 * protocol::kDataAround);
  if (address < protocol::kDataAround || !read_memory(address - protocol::kDataAround, bytes.data(), bytes.size()))
    bytes.clear();
  return bytes;
}

}  // namespace

void DataLog::write_all() {
  rt.data_logged = true;
  detailed_ = false;
}

void DataLog::write_details(std::vector<std::uint64_t> numbers) {
  rt.data_logged = detailed_ = true;
  wanted_ = std::move(numbers);
}

void DataLog::stop() { rt.data_logged = false; }

void DataLog::begin() {
  unsettled_ = false;
  next_ = first_ = 0;
  met_ = 0;
  all_.clear();
  details_.clear();
}

constinit const Part data_log_part = described({
    .begin =
        [] {
          if (rt.data_logged) data_log.begin();
        },
    .end =
        [] {
          if (rt.data_logged) data_log.settle();
        },
    .not_kept = "an execution whose accesses are written down is run from the beginning",
});

void DataLog::access(std::uintptr_t address, std::size_t size, bool write, const void* pc) {
  EngineScope scope;
  settle();
  if (rt.threads < 2) return;
  const std::uint64_t number = next_++;
  if (detailed_ && (met_ == wanted_.size() || wanted_[met_] != number)) return;
  std::uint64_t before = 0;
  if (!read_number(address, size, before)) return;
  unsettled_ = write;
  last_pc_ = pc;
  if (!detailed_) {
    if (all_.size() == 2 * kMost) {
      all_.erase(all_.begin(), all_.begin() + kMost);
      first_ += kMost;
    }
    all_.push_back({address, static_cast<std::uint32_t>(size), before, before, rt.conductor.position(), rt.current,
                    write, rt.self().stack.contains(address), is_variable(address)});
    return;
  }
  ++met_;
  protocol::DataAccess detail;
  detail.step = rt.conductor.position();
  detail.thread = rt.current;
  detail.where = where_of(pc);
  detail.write = write;
  detail.address = address;
  detail.size = static_cast<std::uint32_t>(size);
  detail.before = detail.after = before;
  detail.around_before = detail.around_after = around(address);
  if (Heap::contains(reinterpret_cast<void*>(address))) {
    if (Block* block = heap.block_of(address)) {
      detail.on_heap = true;
      detail.allocated_at = block->allocated_at;
      detail.block_size = block->size;
      detail.offset = address - reinterpret_cast<std::uintptr_t>(block->user());
    }
  }
  details_.push_back(std::move(detail));
}

void DataLog::settle() {
  if (!unsettled_) return;
  EngineScope scope;
  unsettled_ = false;
  if (!detailed_) {
    read_number(all_.back().address, all_.back().size, all_.back().after);
    return;
  }
  protocol::DataAccess& last = details_.back();
  read_number(last.address, last.size, last.after);
  last.around_after = around(last.address);
}

void DataLog::adopt(std::vector<explore::PlainAccess> all, std::uint64_t first,
                    std::vector<protocol::DataAccess> details) {
  all_ = std::move(all);
  first_ = first;
  details_ = std::move(details);
}

}  // namespace heddle::runtime
