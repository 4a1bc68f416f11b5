#include "native/runtime/shared_ids.h"

#include <sys/mman.h>

#include "base/random.h"
#include "explore/frontier.h"
#include "native/runtime/raw.h"
#include "native/runtime/runtime.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"

namespace heddle::runtime {

using protocol::Position;
namespace {

constexpr std::size_t kMostObjects = 1u << 22;
constexpr std::size_t kSlots = 2 * kMostObjects;
constexpr std::size_t kMostPositions = 1u << 14;

struct SharedObject {
  std::uint64_t address;
  std::uint32_t size;
  protocol::ObjectKind kind;
  std::uint32_t life;
};
struct SharedThread {
  ThreadId parent;
  std::uint32_t ordinal;
};

// Zero-filled; pages are used as it grows.
struct Table {
  explore::SpinLock lock;
  std::uint32_t objects, threads, positions;
  SharedObject object[kMostObjects];
  std::uint32_t slot[kSlots];  // 1 + number, by the hash of the address
  SharedThread thread[kMaxThreads];
  std::uint64_t position[kMostPositions];
};

Table* table = nullptr;
constinit NumberSource book = nullptr;

class Locked {
 public:
  Locked() { table->lock.lock(); }
  ~Locked() { table->lock.unlock(); }
};

std::uint32_t add_object(const SharedObject& wanted) {
  std::size_t i = mix(wanted.address + wanted.life) % kSlots;
  for (; table->slot[i] != 0; i = (i + 1) % kSlots) {
    const SharedObject& object = table->object[table->slot[i] - 1];
    if (object.address == wanted.address && object.life == wanted.life) return table->slot[i] - 1;
  }
  if (table->objects == kMostObjects)
    raw::die("the program shares more than 4 million objects, too many for several processes; run it with -j 1");
  const std::uint32_t id = table->objects++;
  table->object[id] = wanted;
  table->slot[i] = id + 1;
  return id;
}

std::uint32_t add_position_of(std::uint64_t pc) {
  for (std::uint32_t i = 1; i < table->positions; ++i)
    if (table->position[i] == pc) return i;
  if (table->positions == kMostPositions) return 0;  // nameless, as without sharing
  table->position[table->positions] = pc;
  return table->positions++;
}

}  // namespace

void share_ids() {
  void* memory =
      mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) raw::die("no memory to share between the processes of -j; run with -j 1");
  table = static_cast<Table*>(memory);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Object& object = objects.entry(i);
    add_object({object.address, object.size, object.kind, object.life});
  }
  for (std::size_t t = 0; t < rt.known_threads; ++t) {
    const SpawnPlace& place = spawn_place(ThreadId(static_cast<std::uint16_t>(t)));
    table->thread[t] = {place.parent, place.ordinal};
  }
  table->threads = static_cast<std::uint32_t>(rt.known_threads);
  std::vector<Position> positions;
  fill_positions(positions);
  // Whole call stacks keep their numbers; no single address is equal to nothing.
  for (const Position& position : positions)
    table->position[table->positions++] = position.pcs.size() == 1 ? position.pcs[0] : 0;
}

void adopt_shared_ids() {
  Table* all = table;
  table = nullptr;
  for (std::size_t i = objects.size(); i < all->objects; ++i) {
    const SharedObject& object = all->object[i];
    const ObjectId first = objects.at(reinterpret_cast<const void*>(object.address), object.size, object.kind);
    objects.in_life(first, object.life);
  }
  for (std::size_t t = rt.known_threads; t < all->threads; ++t)
    child_id(all->thread[t].parent, static_cast<std::uint16_t>(all->thread[t].ordinal));
  std::vector<Position> positions;
  fill_positions(positions);
  for (std::size_t i = positions.size(); i < all->positions; ++i) add_position({{all->position[i]}});
  munmap(all, sizeof(Table));
}

void take_ids_from(NumberSource source) { book = source; }

bool ids_are_shared() { return table != nullptr || book != nullptr; }

std::uint32_t shared_object(std::uint64_t address, std::uint32_t size, protocol::ObjectKind kind, std::uint32_t life) {
  if (book != nullptr) {
    const EngineScope scope;
    INVARIANT(life == 0);  // execution graphs are not explored with a book
    return book(protocol::NumberedObject{address, size, kind});
  }
  const Locked locked;
  return add_object({address, size, kind, life});
}

std::uint32_t shared_thread(ThreadId parent, std::uint32_t ordinal) {
  if (book != nullptr) {
    const EngineScope scope;
    return book(protocol::NumberedThread{parent, ordinal});
  }
  const Locked locked;
  for (std::uint32_t t = 1; t < table->threads; ++t)
    if (table->thread[t].parent == parent && table->thread[t].ordinal == ordinal) return t;
  if (table->threads == kMaxThreads) return kMaxThreads;  // the caller says so
  table->thread[table->threads] = {parent, ordinal};
  return table->threads++;
}

std::optional<std::uint32_t> shared_position(const Position& position) {
  if (book != nullptr) {
    const EngineScope scope;
    return book(position);
  }
  if (position.pcs.size() != 1) return std::nullopt;
  const Locked locked;
  return add_position_of(position.pcs[0]);
}

}  // namespace heddle::runtime
