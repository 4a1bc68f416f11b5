// The protocol: what is encoded is decoded again, and no sequence of bytes does worse than an error.
#include "native/protocol/codec.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace heddle::protocol {
namespace {

using trace::OpKind;

trace::Execution some_execution() {
  trace::Execution e;
  trace::Step s;
  s.op = {OpKind::kCasFailed, trace::MemoryOrder::kAcquire, kNoThread, ObjectId(3), 7, 9};
  s.thread = ThreadId(2);
  s.choice = 5;
  s.where = 11;
  s.set = SmallSet::of(64);
  s.enabled = SmallSet::below(100);
  e.steps = {s, s};
  e.pending = {{s, true, 17}};
  e.failures = {{trace::FailureKind::kDataRace, 1, ThreadId(1), 4, "message"}};
  e.failures[0].after = {0, 1};
  e.failures[0].state = "x = 1";
  e.threads = 3;
  e.stopped = SmallSet::of(1);
  e.idle_turns = {{ThreadId(1), 4}};
  e.round_trips = {{ThreadId(2), 1, 6, 5}};
  e.unwanted = SmallSet::of(127);
  e.outcome = trace::Outcome::kFailed;
  e.diverged_at = 8;
  e.diverged_from = s;
  e.inputs = {-1, 5};
  e.named_inputs = {{ThreadId(2), 3, -4, 5}};
  e.written_terms = {{1, 6}};
  return e;
}

WorkerResult some_result() {
  WorkerResult r;
  r.result.ended = true;
  r.result.gaps = {{explore::Cause::kParted, "because"}};
  r.result.algorithm = "optimal-dpor";
  r.result.parts = {{"optimal-dpor", 7, 6, true}, {"random", 3, 2, false}};
  r.result.complete_preemptions = 2;
  r.result.samples = 3;
  r.result.curve = {{8, 5, 4, 0.25}};
  r.result.classes = 42;
  r.result.seconds = 1.5;
  explore::Finding finding;
  finding.failure = some_execution().failures[0];
  finding.execution = some_execution();
  finding.schedule = {{ThreadId(1), 0}, {ThreadId(2), 7}};
  finding.count = 3;
  finding.explanation.minimized = true;
  finding.explanation.first = 1;
  finding.explanation.pattern = explore::Pattern::kLostUpdate;
  finding.explanation.reversed = some_execution();
  finding.explanation.reversed_schedule = {{ThreadId(3), 0}};
  finding.explanation.stronger = {{2, 3, OpKind::kWrite, trace::MemoryOrder::kRelaxed, trace::MemoryOrder::kRelease}};
  finding.explanation.fences = {{4, 5, OpKind::kRead, trace::MemoryOrder::kRelaxed, trace::MemoryOrder::kSeqCst}};
  r.result.findings = {finding};
  r.result.relaxation.emplace();
  r.result.relaxation->places = {
      {9, OpKind::kFence, trace::MemoryOrder::kSeqCst, trace::MemoryOrder::kRelease, std::nullopt}};
  r.result.relaxation->open = "the time was over";
  r.orders = {{9, OpKind::kFence}};
  r.result.preemptions = 2;
  r.result.assumptions = {{trace::AssumptionKind::kNoSpuriousWakeUps, "so", {3}}};
  r.result.parted = explore::Parting{4, some_execution().steps[0], std::nullopt};
  r.result.kept = {some_execution()};
  r.learnt = {{LearntKind::kBarrierUser, 8, 3}};
  r.note = "note";
  r.exit_code = -3;
  r.threads = {{"main", 0, kNoThread, 0}, {"", 4, ThreadId(0), 1}};
  r.objects = {{0x1000, 4, ObjectKind::kMutex, true, 6, 64, 8}};
  r.positions = {{}, {{1, 2, 3}, {}}, {{4, 5}, {6, 7}}};
  r.modules = {{"/bin/x", 0, 16, 32}};
  r.details = {{.address = 0x1000,
                .size = 4,
                .write = true,
                .frees = true,
                .leaves_scope = true,
                .other_thread = ThreadId(1),
                .other_where = 5,
                .other_leaves_scope = true,
                .allocated_at = 6,
                .block_size = 64,
                .offset = 8,
                .compared = {3, 4, 32, Relation::kLess, SideKind::kUnsigned, false, true}}};
  r.data = {{0, 2, ThreadId(1), 3, true, 1, 0x1000, 4, 7, 8, true, 5, 64, 8, {1, 2}, {3}}};
  r.inputs.explored = true;
  r.inputs.labels = {{ThreadId(1), 2, "packet"}};
  r.inputs.left_open = {{3, "something"}};
  r.coverage = {{"/src/a.c", "/src/b.h"}, {"main", "f"}, {{1, 0, 17, 0, 0, 5}, {0, 1, 18, 2, 1, 1ull << 40}}};
  r.lessons.emplace_back();
  return r;
}

std::span<const std::uint8_t> payload_of(const Bytes& frame) { return std::span(frame).subspan(5); }

TEST(Codec, OptionsComeBack) {
  WorkerOptions options;
  options.strategy.preemptions = 2;
  options.max_seconds = 2.5;
  options.give_way_after = 1000;
  options.races = RaceMode::kExplore;
  options.test = "name";
  options.replay = std::vector<trace::Decision>{{ThreadId(3), 1}};
  options.arguments = {"a", "", "c"};
  const Bytes frame = encode(options);
  auto decoded = decode_options(payload_of(frame));
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  EXPECT_EQ(encode(*decoded), frame);
  EXPECT_EQ(decoded->strategy.preemptions, 2u);
  EXPECT_EQ(decoded->arguments, options.arguments);
  EXPECT_EQ(decoded->replay->at(0), (trace::Decision{ThreadId(3), 1}));
}

TEST(Codec, ResultsComeBack) {
  const Bytes frame = encode(some_result());
  auto decoded = decode_result(payload_of(frame));
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  EXPECT_EQ(encode(*decoded), frame);
  EXPECT_EQ(decoded->result.findings[0].execution, some_execution());
  EXPECT_EQ(decoded->result.findings[0].explanation.reversed, some_execution());
  EXPECT_EQ(decoded->result.gaps, some_result().result.gaps);
  EXPECT_EQ(decoded->positions, some_result().positions);
  EXPECT_EQ(decoded->exit_code, -3);
  ASSERT_EQ(decoded->coverage.points.size(), 2u);
  EXPECT_EQ(decoded->coverage.points[1].count, 1ull << 40);
  EXPECT_EQ(decoded->coverage.files[1], "/src/b.h");
}

// Anything else.
template <class T>
void change(T& field) {
  if constexpr (std::is_same_v<T, bool>)
    field = !field;
  else if constexpr (std::is_enum_v<T>)
    field = static_cast<T>(static_cast<std::uint64_t>(field) == 0 ? 1 : 0);
  else if constexpr (requires { field += 1; })
    field += 1;
  else if constexpr (requires { field.reset(); })
    field.reset();
  else if constexpr (requires { field.clear(); })
    field.clear();
  else if constexpr (requires { field.value; })
    field = T(3);
  else
    field = T{};
}

// Whatever is changed in one of the fields is another message. (That the fields are all of a structure, the compiler
// sees where they are named.)
template <class Message, class... Fields>
void each_is_sent(const Message& whole, const char* what, Fields&... fields) {
  const Bytes before = encode(whole);
  int number = 0;
  const auto check = [&](auto& field) {
    const auto saved = field;
    change(field);
    EXPECT_NE(encode(whole), before) << "field " << number << " of " << what;
    field = saved;
    ++number;
  };
  (check(fields), ...);
}

TEST(Codec, EveryOptionIsSent) {
  WorkerOptions o;
  o.strategy.preemptions = 2;
  o.inputs.seed = 3;
  o.properties.by_formula = !o.properties.by_formula;
  o.max_executions = 4;
  o.max_seconds = 2.5;
  o.give_way_after = 1000;
  o.suppressed = {{1, 2, 3}};
  o.ignored = {trace::FailureKind::kExitCode};
  o.conclude.emplace();
  o.test = "name";
  o.replay = std::vector<trace::Decision>{{ThreadId(3), 1}};
  o.prefix = *o.replay;
  o.learnt = {{LearntKind::kBarrierUser, 8, 3}};
  o.arguments = {"a", "", "c"};
  o.relax = {{{7, 8}, {9}}};
  auto& [strategy, max_executions, max_seconds, give_way_after, all, keep_executions, max_steps, max_local_seconds,
         races, suppressed, ignored, isolation, checkpoints, spurious, known_steps, jobs, items, conclude, backend,
         list_tests, test, replay, prefix, learnt, minimize, explain, arguments, input_seed, inputs, coverage,
         properties, check, note_orders, relax] = o;
  each_is_sent(o, "WorkerOptions", strategy, max_executions, max_seconds, give_way_after, all, keep_executions,
               max_steps, max_local_seconds, races, suppressed, ignored, isolation, checkpoints, spurious, known_steps,
               jobs, items, conclude, backend, list_tests, test, replay, prefix, learnt, minimize, explain, arguments,
               input_seed, inputs, coverage, properties, check, note_orders, relax);
  auto decoded = decode_options(payload_of(encode(o)));
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  EXPECT_EQ(encode(*decoded), encode(o));
}

TEST(Codec, EveryFieldIsSent) {
  WorkerResult r = some_result();
  {
    auto& [result, note, searches, followed, exit_code, learnt, threads, objects, positions, modules, details, data,
           inputs, coverage, orders, stale, lessons] = r;
    each_is_sent(r, "WorkerResult", result, note, searches, followed, exit_code, learnt, threads, objects, positions,
                 modules, details, data, inputs, coverage, orders, stale, lessons);
  }
  {  // Properties are answered by whoever has asked.
    auto& [ended, gaps, preemptions, algorithm, executions, classes, asleep, deadlocked, failed, cut, infeasible,
           states, events, steps, seconds, cpu_seconds, estimate, findings, parts, complete_preemptions, samples, curve,
           drawn, note, properties, relaxation, assumptions, parted, seen, kept] = r.result;
    r.result.estimate.total = 7;
    each_is_sent(r, "ExploreResult", ended, gaps, preemptions, algorithm, executions, classes, asleep, deadlocked,
                 failed, cut, infeasible, states, events, steps, seconds, cpu_seconds, estimate, findings, parts,
                 complete_preemptions, samples, curve, note, relaxation, assumptions, parted, kept);
    EXPECT_TRUE(properties.empty());
    EXPECT_TRUE(seen.empty() && drawn.empty());  // dist/ asks for it, and has messages of its own
  }
  explore::Finding& finding = r.result.findings[0];
  {
    auto& [failure, execution, schedule, count, explanation, data] = finding;
    each_is_sent(r, "Finding", failure, execution, schedule, count, explanation);
    EXPECT_TRUE(data.empty());  // the supervisor makes it of WorkerResult::data
  }
  {
    auto& [minimized, found, shown, runs, critical, critical_certain, inevitable, inevitable_certain, first, second,
           reversed, reversed_schedule, pattern, check, act, orders, stronger, fences, leaves_scope,
           beside_unseen_code] = finding.explanation;
    found.steps = shown.steps = 1;
    each_is_sent(r, "Explanation", minimized, found, shown, runs, critical, critical_certain, inevitable,
                 inevitable_certain, first, second, reversed, reversed_schedule, pattern, check, act, orders, stronger,
                 fences);
    // These the supervisor makes of details and modules.
    EXPECT_EQ(leaves_scope, kNoThread);
    EXPECT_FALSE(beside_unseen_code);
  }
  {
    auto& [steps, pending, failures, threads, stopped, idle_turns, round_trips, unwanted, outcome, diverged_at,
           diverged_from, inputs, named_inputs, written_terms] = finding.execution;
    each_is_sent(r, "Execution", steps, pending, failures, threads, stopped, idle_turns, round_trips, unwanted, outcome,
                 diverged_at, diverged_from, inputs, named_inputs, written_terms);
  }
  {
    auto& [number, address, size, write, frees, leaves_scope, other_thread, other_where, other_write,
           other_leaves_scope, allocated_at, block_size, offset, compared] = r.details[0];
    each_is_sent(r, "FailureDetail", number, address, size, write, frees, leaves_scope, other_thread, other_where,
                 other_write, other_leaves_scope, allocated_at, block_size, offset);
    auto& [left, right, bits, relation, kind, left_constant, right_constant] = compared;
    each_is_sent(r, "Compared", left, right, bits, relation, kind, left_constant, right_constant);
  }
  {
    auto& [number, step, thread, where, write, distance, address, size, before, after, on_heap, allocated_at,
           block_size, offset, around_before, around_after] = r.data[0];
    each_is_sent(r, "DataAccess", number, step, thread, where, write, distance, address, size, before, after, on_heap,
                 allocated_at, block_size, offset, around_before, around_after);
  }
  {
    auto& [explored, labels, left_open, questions] = r.inputs;
    each_is_sent(r, "InputReport", explored, labels, left_open);
  }
  {
    auto& [address, size, kind, on_heap, allocated_at, block_size, offset] = r.objects[0];
    each_is_sent(r, "ObjectInfo", address, size, kind, on_heap, allocated_at, block_size, offset);
  }
}

TEST(Codec, EveryTruncationIsAnError) {
  const Bytes frame = encode(some_result());
  const auto payload = payload_of(frame);
  for (std::size_t n = 0; n < payload.size(); ++n) EXPECT_FALSE(decode_result(payload.first(n)).ok()) << n;
}

TEST(Codec, DamagedBytesNeverCrash) {
  const Bytes frame = encode(some_result());
  const Bytes options = encode(WorkerOptions{});
  Random random(1);
  for (int round = 0; round < 20000; ++round) {
    Bytes damaged = round % 2 ? frame : options;
    for (int i = 0; i < 3; ++i)
      damaged[5 + random.below(damaged.size() - 5)] = static_cast<std::uint8_t>(random.next());
    static_cast<void>(decode_result(payload_of(damaged)).ok());
    static_cast<void>(decode_options(payload_of(damaged)).ok());
    static_cast<void>(decode_tests(payload_of(damaged)).ok());
  }
}

TEST(Codec, FramesAreCutFromAnyStream) {
  Bytes stream;
  for (const Bytes& frame : {encode_error("one"), encode_tests({"a", "b"}), encode_error("two")})
    stream.insert(stream.end(), frame.begin(), frame.end());
  for (std::size_t chunk = 1; chunk < 20; ++chunk) {
    FrameReader reader;
    std::vector<MessageType> types;
    for (std::size_t at = 0; at < stream.size(); at += chunk) {
      reader.append(std::span(stream).subspan(at, std::min(chunk, stream.size() - at)));
      for (;;) {
        auto next = reader.next();
        ASSERT_TRUE(next.ok());
        if (!next->complete) break;
        types.push_back(next->frame.type);
      }
    }
    EXPECT_EQ(types, (std::vector{MessageType::kError, MessageType::kTests, MessageType::kError}));
  }
}

TEST(Codec, ForeignBytesAreAnError) {
  FrameReader reader;
  const std::string text = "hello from the program's printf";
  reader.append({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  EXPECT_FALSE(reader.next().ok());
}

}  // namespace
}  // namespace heddle::protocol
