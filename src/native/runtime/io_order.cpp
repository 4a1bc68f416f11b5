#include "native/runtime/io_order.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "native/runtime/happens_before.h"
#include "native/runtime/object_state.h"
#include "native/runtime/parts.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/spinning.h"

using namespace heddle;
using namespace heddle::runtime;
using protocol::ObjectKind;

namespace {

constexpr int kDescriptors = 1024;

struct Places {
  std::uint64_t slot, position, content;
  std::uint64_t ended;  // nothing more comes: reading waits no longer
};

}  // namespace

// Part of the program's world, so that they are what they were when it is rewound (engine_sections.ld).
extern "C" {
__attribute__((section("heddle_world"), aligned(32))) Places heddle_descriptors[kDescriptors] = {};
}

namespace {

// --- who has used what, in this execution ---

struct Used {
  std::uintptr_t place;
  std::uint32_t clock;
  ThreadId thread;
  Use use;
  bool unordered;  // another thread's was in no order with this, which did not matter then
};
constinit std::vector<Used> uses;
constinit std::vector<Used> kept_uses[kMostCheckpoints];

bool is_before(const Used& used) {
  return used.thread == rt.current || (rt.races_checked && clocks.ordered(used.thread.index(), used.clock, rt.current));
}

// Does it matter which of these is first, as far as is known?
bool matters(Use a, Use b) { return a >= Use::kChanges || b >= Use::kChanges || a != b; }

// True: the place is one that threads use in no order.
bool note_use_of(std::uintptr_t place, Use use) {
  bool contended = false, unordered = false;
  Used* own = nullptr;
  for (Used& used : uses) {
    if (used.place != place) continue;
    if (used.thread == rt.current && used.use == use) own = &used;
    if (used.unordered && (use == Use::kLooks || use == Use::kChanges)) contended = true;  // now their order is seen
    if (is_before(used)) continue;
    if (matters(used.use, use)) contended = true;
    if (use == Use::kAppends) unordered = used.unordered = true;
  }
  if (!own) own = &uses.emplace_back(Used{place, 0, rt.current, use, false});
  own->clock = rt.races_checked ? clocks.epoch(rt.current) : 0;
  own->unordered = own->unordered || unordered;
  return contended;
}

bool is_step(std::uintptr_t place, Use use) {
  if (any_visible(place, sizeof(std::uint64_t))) return true;
  EngineScope scope;
  if (note_use_of(place, use)) make_polled_visible(place, sizeof(std::uint64_t));
  return false;
}

void step(std::uintptr_t place, Use use, const void* pc) {
  if (!is_step(place, use)) return;
  const ObjectId object = objects.at(reinterpret_cast<void*>(place), sizeof(std::uint64_t), ObjectKind::kMemory);
  VisibleOperation op(use == Use::kLooks ? OpKind::kRead : OpKind::kUpdate, object, where_of(pc));
  op.await();
  op.op().before = op.op().after = value_at(place, sizeof(std::uint64_t));
  op.performed();
}

// --- descriptors ---

struct Known {
  std::uint64_t device, inode;
  int root;      // whose content is read here; -1: not known, kClosed: it was closed
  int out;       // whose content is written here
  bool channel;  // a pipe or a pair of sockets of the program's own
  int number;
};
constexpr int kClosed = -2;
constinit Known known[kDescriptors] = {};
constinit std::uint64_t execution_of_known = 0;

void forget_all() {
  if (execution_of_known == rt.executions) return;
  execution_of_known = rt.executions;
  for (int i = 0; i < kDescriptors; ++i) known[i] = {0, 0, -1, -1, false, i};
}

// A number that was closed and is in use again stands for something else: what was done with it before is no matter.
void forget_if_reopened(int descriptor) {
  if (known[descriptor].root != kClosed || raw::syscall(SYS_fcntl, descriptor, F_GETFD, 0) < 0) return;
  known[descriptor].root = -1;
  const auto begin = reinterpret_cast<std::uintptr_t>(&heddle_descriptors[descriptor]);
  std::erase_if(uses, [=](const Used& used) { return used.place - begin < sizeof(Places); });
}

enum class Kind : std::uint8_t { kNone, kRegular, kStream, kOther };

Kind learn_kind(int descriptor) {
  struct stat status;
  if (raw::syscall(SYS_fstat, descriptor, reinterpret_cast<long>(&status)) != 0) return Kind::kNone;
  Known& self = known[descriptor];
  const bool shared_inode = (status.st_mode & S_IFMT) == 0;  // event counters and their like have one for all
  if (self.root < 0 || self.inode != status.st_ino || self.device != status.st_dev) {
    self = {status.st_dev, status.st_ino, descriptor, descriptor, false, descriptor};
    for (const Known& other : known)
      if (!shared_inode && other.root >= 0 && other.inode == self.inode && other.device == self.device) {
        self.root = other.root;
        self.out = other.out;
        self.channel = other.channel;
        break;
      }
  }
  if (S_ISREG(status.st_mode)) return Kind::kRegular;
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || shared_inode ? Kind::kStream : Kind::kOther;
}

bool is_ready(int descriptor, short events) {
  pollfd asked{descriptor, events, 0};
  timespec at_once{};
  return raw::syscall(SYS_ppoll, reinterpret_cast<long>(&asked), 1, reinterpret_cast<long>(&at_once), 0, 0) != 0;
}
bool can_read(const Thread& waiting) { return is_ready(static_cast<const Known*>(waiting.waits_for)->number, POLLIN); }

// Threads that look at several until one is ready.
struct Awaited {
  std::span<const pollfd> asked;
  bool stopped = false;     // it has looked in vain, and nobody has changed that
  bool next_waits = false;  // its next look is not before one is ready
};
constinit Awaited awaited[kMaxThreads] = {};
constinit bool anybody_awaits = false;  // in this execution
bool any_ready(const Thread& waiting) {
  return std::ranges::any_of(awaited[&waiting - rt.thread].asked,
                             [](const pollfd& one) { return one.fd >= 0 && is_ready(one.fd, one.events); });
}

bool waits(int descriptor) { return (raw::syscall(SYS_fcntl, descriptor, F_GETFL, 0) & O_NONBLOCK) == 0; }

std::uint32_t bytes_in(int descriptor) {
  int bytes = 0;
  raw::syscall(SYS_ioctl, descriptor, FIONREAD, reinterpret_cast<long>(&bytes));
  return static_cast<std::uint32_t>(bytes);
}

// What is in a pipe, by the end where it is read. It counts one more when nothing more will come.
struct Count {
  std::uint32_t before, after;
};
Count count_of(int end, DescriptorUse use, std::size_t bytes) {
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(bytes, 1u << 30));
  const std::uint32_t there = bytes_in(end);
  const auto before = static_cast<std::uint32_t>(there + heddle_descriptors[end].ended);
  if (use == DescriptorUse::kReads) return {before, before - std::min(there, most)};
  if (use == DescriptorUse::kWrites) return {before, before + most};
  if (use == DescriptorUse::kCloses) return {before, before + (heddle_descriptors[end].ended == 0)};
  return {before, before};
}

// What a thread has done before it writes happens before what another one does that has read it: the kernel hands it
// over. (The clock of what the descriptor `end` reads, beside the places that are steps.)
void hand_over(int end, DescriptorUse use) {
  const bool gives = use == DescriptorUse::kWrites || use == DescriptorUse::kCloses;
  if (!rt.races_checked || end < 0 || (!gives && use != DescriptorUse::kReads)) return;
  EngineScope scope;
  const ObjectId given = objects.at(&heddle_descriptors[end].ended, 1, ObjectKind::kGiven);
  if (gives)
    clocks.release(given);
  else
    clocks.acquire(given);
}

void use_channel(int descriptor, DescriptorUse use, std::size_t bytes, const void* pc) {
  const bool reads = use == DescriptorUse::kReads, looks = use == DescriptorUse::kLooks;
  const int end = reads || looks ? known[descriptor].root : known[descriptor].out;
  std::uint64_t& content = heddle_descriptors[end].content;
  const auto place = reinterpret_cast<std::uintptr_t>(&content);
  const auto perform = [&] {
    const Count count = count_of(end, use, bytes);
    content = count.after;
    if (rt.threads > 1) hand_over(end, use);
    if (use == DescriptorUse::kCloses) heddle_descriptors[end].ended = 1;
    return count;
  };
  if (rt.threads < 2) {
    perform();
    return;
  }
  if (reads && waits(descriptor) && !is_ready(descriptor, POLLIN)) {
    EngineScope scope;
    make_polled_visible(place, sizeof content);
  }
  if (!is_step(place, reads ? Use::kChanges : looks ? Use::kLooks : Use::kAppends)) {
    perform();
    return;
  }
  const OpKind kind = looks               ? OpKind::kRead
                      : !reads            ? OpKind::kSend
                      : waits(descriptor) ? OpKind::kReceive
                                          : OpKind::kUpdate;
  VisibleOperation op(kind, objects.at(&content, sizeof content, ObjectKind::kSemaphore), where_of(pc));
  if (kind == OpKind::kReceive) op.block_until(can_read, &known[descriptor]);
  if (looks && std::exchange(awaited[rt.current.index()].next_waits, false)) op.block_until(any_ready, nullptr);
  op.await();
  const Count count = perform();
  op.op().before = count.before;
  op.op().after = count.after;
  op.performed();
}

Use on_content(DescriptorUse use, Kind kind) {
  if (use == DescriptorUse::kWrites || use == DescriptorUse::kCloses) return Use::kAppends;
  return use == DescriptorUse::kReads && kind == Kind::kStream ? Use::kChanges : Use::kLooks;
}

}  // namespace

namespace heddle::runtime {

// Which descriptor stands for what is no part: who uses descriptors uses what the kernel keeps.
constinit const Part io_order_part = described({
    .begin =
        [] {
          uses.clear();
          if (std::exchange(anybody_awaits, false))
            for (Awaited& one : awaited) one = {};
        },
    .keep = [](std::size_t checkpoint) { kept_uses[checkpoint] = uses; },
    .go_back = [](std::size_t checkpoint) { uses = kept_uses[checkpoint]; },
});

void use_stream(std::FILE* stream, Use use, const void* pc) {
  if (!controlled() || rt.threads < 2 || stream == nullptr) return;
  if (stream == stdout || stream == stderr || (stream == stdin && use == Use::kLooks)) return;
  step(reinterpret_cast<std::uintptr_t>(stream), use, pc);
  check_heap_access(stream, sizeof(std::uint64_t), use != Use::kLooks, pc);
}

void use_descriptor(int descriptor, DescriptorUse use, std::size_t bytes, const void* pc) {
  if (!controlled() || descriptor < 0 || descriptor >= kDescriptors) return;
  if (rt.threads < 2) {
    if (execution_of_known == rt.executions && known[descriptor].channel) use_channel(descriptor, use, bytes, pc);
    return;
  }
  rt.pc = pc;  // in case it sleeps in the kernel
  const bool output = descriptor == 1 || descriptor == 2;
  if (output && use != DescriptorUse::kCloses) return;
  forget_all();
  forget_if_reopened(descriptor);
  const bool closes = use == DescriptorUse::kCloses;
  Places& places = heddle_descriptors[descriptor];
  step(reinterpret_cast<std::uintptr_t>(&places.slot), closes ? Use::kChanges : Use::kLooks, pc);
  const Kind kind = learn_kind(descriptor);
  if (kind == Kind::kRegular && !closes && use != DescriptorUse::kLooks)
    step(reinterpret_cast<std::uintptr_t>(&places.position),
         use == DescriptorUse::kWrites ? Use::kAppends : Use::kChanges, pc);
  if (kind == Kind::kStream && known[descriptor].channel && use != DescriptorUse::kSeeks) {
    use_channel(descriptor, use, bytes, pc);
  } else if (kind == Kind::kStream || (kind == Kind::kRegular && !closes && use != DescriptorUse::kSeeks)) {
    const int content = known[descriptor].root;
    step(reinterpret_cast<std::uintptr_t>(&heddle_descriptors[content].content), on_content(use, kind), pc);
    hand_over(content, use);
  }
  if (closes) known[descriptor].root = kClosed;
}

namespace {

bool is_channel(int descriptor) {
  return descriptor >= 0 && descriptor < kDescriptors && known[descriptor].root >= 0 && known[descriptor].channel;
}

std::uint64_t& content_of(int descriptor) { return heddle_descriptors[known[descriptor].root].content; }

void make_content_visible(int descriptor) {
  EngineScope scope;
  make_polled_visible(reinterpret_cast<std::uintptr_t>(&content_of(descriptor)), sizeof(std::uint64_t));
}

// It waits for what is in a pipe, and takes nothing.
void await_one(const pollfd& asked, const void* pc) {
  use_descriptor(asked.fd, DescriptorUse::kLooks, 0, pc);
  awaited[rt.current.index()].asked = {&asked, 1};
  if (!is_channel(asked.fd) || any_ready(rt.self())) return;
  make_content_visible(asked.fd);
  std::uint64_t& content = content_of(asked.fd);
  VisibleOperation op(OpKind::kReceive, objects.at(&content, sizeof content, ObjectKind::kSemaphore), where_of(pc));
  op.block_until(any_ready, nullptr);
  op.await();
  op.op().before = op.op().after = content;
  op.performed();
}

// All of them, as the pieces of one call: one look after another is no turn of a loop of the program's.
int look_once(std::span<pollfd> asked, const void* pc) {
  int ready = 0;
  auto& piece = rt.self().spin.piece;
  for (pollfd& one : asked) {
    ++piece;
    use_descriptor(one.fd, DescriptorUse::kLooks, 0, pc);
    timespec at_once{};
    one.revents = 0;
    raw::syscall(SYS_ppoll, reinterpret_cast<long>(&one), 1, reinterpret_cast<long>(&at_once), 0, 0);
    ready += one.revents != 0 ? 1 : 0;
  }
  piece = 0;
  return ready;
}

// None of them was ready when it was looked at. Returns if it is worth looking again.
void end_turn(EventIndex first) {
  Awaited& self = awaited[rt.current.index()];
  for (const pollfd& one : self.asked)
    if (is_channel(one.fd)) make_content_visible(one.fd);
  if (rt.conductor.is_yet_to_run(rt.current)) return;
  if (rt.conductor.samples()) {
    self.next_waits = true;
    return;
  }
  {
    EngineScope scope;
    if (!trace::changes_nothing(*rt.execution, first, rt.current, looks_of_turn()) || looks_of_turn().empty()) return;
  }
  self.stopped = true;
  stop_in_loop(first);
}

}  // namespace

std::optional<int> look_at_descriptors(std::span<pollfd> asked, bool for_ever, const void* pc) {
  if (!controlled() || rt.threads < 2) return std::nullopt;
  anybody_awaits = true;
  if (asked.size() == 1 && for_ever) {
    await_one(asked.front(), pc);
    return std::nullopt;
  }
  awaited[rt.current.index()].asked = asked;
  EventIndex first = rt.conductor.position();
  int ready = look_once(asked, pc);
  while (ready == 0 && for_ever) {
    if (std::ranges::none_of(asked, [](const pollfd& one) { return is_channel(one.fd); })) return std::nullopt;
    end_turn(first);
    first = rt.conductor.position();
    rt.self().looking_ahead = true;  // the loop is ours
    ready = look_once(asked, pc);
    rt.self().looking_ahead = false;
  }
  return ready;
}

bool waits_for_descriptors(ThreadId thread) { return awaited[thread.index()].stopped; }

bool is_of_descriptor(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(heddle_descriptors) < sizeof heddle_descriptors;
}

void note_channel(int one_end, int other_end) {
  if (!controlled() || one_end < 0 || other_end < 0 || one_end >= kDescriptors || other_end >= kDescriptors) return;
  forget_all();
  learn_kind(one_end);
  learn_kind(other_end);
  known[one_end].channel = known[other_end].channel = true;
  if (known[one_end].root == known[other_end].root) return;  // of a pipe
  known[one_end].out = other_end;
  known[other_end].out = one_end;
}

}  // namespace heddle::runtime
