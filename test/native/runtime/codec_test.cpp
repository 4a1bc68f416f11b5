// The protocol: what is encoded is decoded again, and no sequence of bytes does worse than an error.
#include "native/protocol/codec.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace heddle::native {
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
  e.threads = 3;
  e.stopped = SmallSet::of(1);
  e.idle_turns = {{ThreadId(1), 4}};
  e.round_trips = {{ThreadId(2), 1, 6}};
  e.unwanted = SmallSet::of(127);
  e.outcome = trace::Outcome::kFailed;
  e.diverged_at = 8;
  e.diverged_from = s;
  e.inputs = {-1, 5};
  e.named_inputs = {{ThreadId(2), 3, -4, 5}};
  return e;
}

WorkerResult some_result() {
  WorkerResult r;
  r.result.ended = true;
  r.result.gaps = {{explore::Cause::kParted, "because"}};
  r.result.algorithm = "optimal-dpor";
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
  r.result.findings = {finding};
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
                .offset = 8}};
  r.inputs.explored = true;
  r.inputs.labels = {{ThreadId(1), 2, "packet"}};
  r.inputs.left_open = {{3, "something"}};
  r.coverage = {{"/src/a.c", "/src/b.h"}, {"main", "f"}, {{1, 0, 17, 0, 0, 5}, {0, 1, 18, 2, 1, 1ull << 40}}};
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
}  // namespace heddle::native
