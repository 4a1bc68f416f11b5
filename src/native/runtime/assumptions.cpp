#include "native/runtime/assumptions.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unwind.h>

#include <algorithm>

#include "base/random.h"
#include "native/runtime/raw.h"
#include "native/runtime/shadow.h"
#include "native/runtime/shared_ids.h"

namespace heddle::runtime {
namespace {

using trace::AssumptionKind;

constexpr std::size_t kSlots = 1u << 12;
constexpr std::size_t kMostNotes = kSlots / 2;
constexpr std::size_t kMostFrames = 16;
constexpr std::uint16_t kSeveral = 0xffff;  // Object::met_by

struct Note {
  std::uint64_t key;  // 0: free. Whoever sets it fills the rest.
  std::uint64_t subject;
  AssumptionKind kind;
  std::uint8_t frames;  // 0: not filled yet
  std::uint64_t pcs[kMostFrames];
};
struct Table {
  bool threads;  // there were several
  bool weaker;   // and they met in an object with a weaker order
  std::uint64_t used;
  Note note[kSlots];
};
Table* table = nullptr;

// Sources that a compiler without the pass has made code of, as they say when the program starts.
struct WithoutPass {
  std::string source;
  bool optimised;
};
constinit std::vector<WithoutPass> without_pass;

// Of this process: nearly every note is one of these.
constexpr std::size_t kRecent = 256;
std::uint64_t recent[kRecent];

struct Walk {
  const void* first;  // the frames within are the runtime's
  std::uint64_t pcs[kMostFrames];
  std::uint8_t count;
};

_Unwind_Reason_Code collect(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  const std::uint64_t pc = _Unwind_GetIP(context);
  if (pc == 0 || walk.count == kMostFrames) return _URC_END_OF_STACK;
  if (walk.count > 0 || pc == reinterpret_cast<std::uint64_t>(walk.first)) walk.pcs[walk.count++] = pc;
  return _URC_NO_REASON;
}

void fill(Note& note, AssumptionKind kind, const void* pc, std::uint64_t subject) {
  EngineScope scope;
  Walk walk{pc, {}, 0};
  _Unwind_Backtrace(collect, &walk);
  if (walk.count == 0) walk.pcs[walk.count++] = reinterpret_cast<std::uint64_t>(pc);
  note.kind = kind;
  note.subject = subject;
  memcpy(note.pcs, walk.pcs, sizeof note.pcs);
  __atomic_store_n(&note.frames, walk.count, __ATOMIC_RELEASE);
}

void note(std::uint64_t key, AssumptionKind kind, const void* pc, std::uint64_t subject) {
  key |= 1;
  if (recent[key / 2 % kRecent] == key) return;
  recent[key / 2 % kRecent] = key;
  if (!table) return;
  for (std::size_t i = key / 2 % kSlots;; i = (i + 1) % kSlots) {
    Note& slot = table->note[i];
    std::uint64_t found = __atomic_load_n(&slot.key, __ATOMIC_ACQUIRE);
    if (found == key) return;
    if (found != 0) continue;
    if (__atomic_load_n(&table->used, __ATOMIC_RELAXED) >= kMostNotes) return;  // places enough
    if (__atomic_compare_exchange_n(&slot.key, &found, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      __atomic_fetch_add(&table->used, 1, __ATOMIC_RELAXED);
      return fill(slot, kind, pc, subject);
    }
    if (found == key) return;
  }
}

// Where the function whose frame pointer this is was called; 0: it has none.
std::uint64_t caller_by_frame_pointer(std::uint64_t frame) {
  if ((frame & 7) != 0 || !rt.self().stack.contains(frame) || !rt.self().stack.contains(frame + 15)) return 0;
  return *reinterpret_cast<const std::uint64_t*>(frame + 8);
}

struct Wanted {
  std::uint64_t address;
  std::string name;
};

int find_name(dl_phdr_info* info, std::size_t, void* argument) {
  auto& wanted = *static_cast<Wanted*>(argument);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && wanted.address - (info->dlpi_addr + header.p_vaddr) < header.p_memsz) {
      const char* slash = strrchr(info->dlpi_name, '/');
      wanted.name = slash ? slash + 1 : info->dlpi_name;
      return 1;
    }
  }
  return 0;
}

// A weaker order that nobody else can notice.
bool is_of_one_thread(const Note& note) {
  if (note.kind != AssumptionKind::kSequentialConsistency || note.subject < kOfOneThread) return false;
  return objects[ObjectId(static_cast<std::uint32_t>(note.subject - kOfOneThread))].met_by != kSeveral;
}

std::string text_of_note(const Note& note) {
  if (note.kind == AssumptionKind::kSequentialConsistency && note.subject == kPlainAccess)
    return "sequential consistency of plain accesses that race";
  if (note.kind == AssumptionKind::kSequentialConsistency && weak_memory.model() == trace::MemoryModel::kTso)
    return "the memory of x86";
  if (note.kind == AssumptionKind::kSequentialConsistency && note.subject == kFailedAttempt)
    return protocol::kOfFailedAttempts;
  if (note.kind == AssumptionKind::kNoSpuriousWakeUps && note.subject == kExchangesFail)
    return "weak exchanges fail for a reason only";
  if (note.kind == AssumptionKind::kNoSpuriousWakeUps && note.subject == kAttemptsFail)
    return protocol::kAttemptsHaveReasons;
  if (note.kind == AssumptionKind::kNoSpuriousWakeUps && note.subject == kOneStandsForAll)
    return "a loop that waits again after one spurious wake-up does so after all";
  if (note.kind == AssumptionKind::kNoSpuriousWakeUps && note.subject == kTriedAgain)
    return protocol::kTriedAgainAlways;
  if (note.kind != AssumptionKind::kCodeNotSeen || note.subject == 0) return text_of(note.kind);
  Wanted wanted{note.subject, {}};
  dl_iterate_phdr(find_name, &wanted);
  const std::string name = wanted.name.empty() ? "a library" : wanted.name;
  return name + " is free of races, and orders calls that are given the same object and nothing else: calls into " +
         name + " were not looked at";
}

std::string list_of(const std::vector<std::string>& all) {
  constexpr std::size_t kMost = 4;
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) out += (i == 0 ? "" : ", ") + all[i];
  return all.size() > kMost ? out + " and " + std::to_string(all.size() - kMost) + " more" : out;
}

void add_without_pass(std::vector<trace::Assumption>& all) {
  for (const bool optimised : {false, true}) {
    std::vector<std::string> sources;
    for (const WithoutPass& w : without_pass)
      if (w.optimised == optimised) sources.push_back(w.source);
    if (sources.empty()) continue;
    all.push_back({AssumptionKind::kAsCompiled,
                   list_of(sources) + ", compiled without Heddle's pass, " + "does what was seen of it: " +
                       (optimised ? "accesses that the optimiser dropped or merged, " : "") +
                       "inline assembly and __VERIFIER_atomic_ functions were not looked at",
                   {}});
  }
}

}  // namespace

void note_threads() {
  if (table) table->threads = true;
}

void begin_assumptions() {
  void* memory =
      mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) raw::die("no memory for what is assumed; free some");
  table = static_cast<Table*>(memory);
}

void note_assumption(AssumptionKind kind, const void* pc, std::uint64_t subject) {
  note(mix(mix(reinterpret_cast<std::uint64_t>(pc)) ^ subject ^ static_cast<std::uint64_t>(kind)), kind, pc, subject);
}

void note_race_left_out(std::uint64_t pc, std::uint64_t other_pc) {
  note(mix(pc ^ mix(other_pc)), AssumptionKind::kSuppressedRaces, reinterpret_cast<const void*>(pc), other_pc);
}

// Who else operates on an object may turn out later, and then where it was meets the eye; only other processes see
// nothing of it.
void note_order_of_several(int order, const void* pc, ObjectId object) {
  Object& met = objects[object];
  const auto self = static_cast<std::uint16_t>(rt.current.index() + 1);
  if (met.met_by == 0) met.met_by = self;
  // Those of one thread, of which there may be many, leave room for the others.
  const bool room = table->used < kMostNotes / 2;
  if (met.met_by != self || rt.own_process || ids_are_shared() || !room) met.met_by = kSeveral;
  const bool several = met.met_by == kSeveral;
  if (order != __ATOMIC_SEQ_CST) {
    met.weaker = true;
    constexpr std::size_t kFramePointer = 1;  // among the registers
    const std::uint64_t caller = caller_by_frame_pointer(heddle_calling_frame.registers[kFramePointer]);
    const std::uint64_t place = mix(reinterpret_cast<std::uint64_t>(pc) ^ mix(caller));
    if (several)
      note(place, AssumptionKind::kSequentialConsistency, pc, 0);
    else
      note(mix(place ^ object.value), AssumptionKind::kSequentialConsistency, pc, kOfOneThread + object.value);
  }
  if (several && met.weaker) table->weaker = true;
}

void note_attempt(bool succeeded, const void* pc) {
  if (rt.threads < 2) return;
  if (succeeded) {
    note_assumption(AssumptionKind::kNoSpuriousWakeUps, pc, kAttemptsFail);
  } else if (!explores_weaker_orders()) {
    note_assumption(AssumptionKind::kSequentialConsistency, pc, kFailedAttempt);
    if (table) table->weaker = true;
  }
}

std::uint64_t assumptions_noted() {
  if (!table) return 0;
  return (__atomic_load_n(&table->used, __ATOMIC_RELAXED) << 1) + (table->threads ? 1 : 0);
}

bool weaker_orders_met() { return table != nullptr && table->weaker; }

std::vector<trace::Assumption> assumptions_so_far() {
  std::vector<trace::Assumption> all;
  if (!table) return all;
  // In the table they lie by their hash: sorted by place, the order is the same from run to run.
  std::vector<const Note*> notes;
  for (const Note& note : table->note)
    if (__atomic_load_n(&note.frames, __ATOMIC_ACQUIRE) != 0 && !is_of_one_thread(note)) notes.push_back(&note);
  std::sort(notes.begin(), notes.end(), [](const Note* a, const Note* b) {
    if (a->kind != b->kind) return a->kind < b->kind;
    if (a->subject != b->subject) return a->subject < b->subject;
    return std::lexicographical_compare(a->pcs, a->pcs + a->frames, b->pcs, b->pcs + b->frames);
  });
  std::size_t races = 0;
  for (const Note* note : notes) {
    std::string text = text_of_note(*note);
    if (all.empty() || all.back().kind != note->kind || all.back().text != text)
      all.push_back({note->kind, std::move(text), {}});
    // Each note is a race: the place is where one of its accesses was, the subject where the other was.
    if (note->kind == AssumptionKind::kSuppressedRaces) ++races;
    all.back().places.push_back(add_position({{note->pcs, note->pcs + note->frames}}));
  }
  for (trace::Assumption& assumption : all)
    if (assumption.kind == AssumptionKind::kSuppressedRaces)
      assumption.text = races == 1 ? "a race that was left out does no harm"
                                   : std::to_string(races) + " races that were left out do no harm";
  if (table->threads) add_without_pass(all);
  return all;
}

}  // namespace heddle::runtime

// Called by what is in front of such a source (include/heddle/without_pass.h).
extern "C" void heddle_compiled_without_pass(const char* source, int optimised) {
  using namespace heddle::runtime;
  EngineScope scope;
  // Constructors may be run again with every execution.
  if (std::any_of(without_pass.begin(), without_pass.end(), [&](const auto& w) { return w.source == source; })) return;
  without_pass.push_back({source, optimised != 0});
}
