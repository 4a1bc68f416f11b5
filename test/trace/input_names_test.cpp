#include "trace/input_names.h"

#include <gtest/gtest.h>

namespace heddle::trace {
namespace {

class Names final : public Describer {
 public:
  std::string thread_name(ThreadId thread) const override { return "t" + std::to_string(thread.value); }
  std::string object_name(ObjectId) const override { return {}; }
  std::string position(std::uint32_t) const override { return {}; }
  std::string source_line(std::uint32_t) const override { return {}; }
};

// A buffer of these bytes, read as the inputs from `ordinal` on.
void read(Execution& e, std::uint16_t thread, std::uint32_t ordinal, const std::string& bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i)
    e.named_inputs.push_back({ThreadId(thread), static_cast<std::uint32_t>(ordinal + i),
                              static_cast<std::uint8_t>(bytes[i]), static_cast<std::uint32_t>(bytes.size() - i)});
}

std::vector<std::string> lines_of(const std::string& bytes) {
  Execution e;
  read(e, 0, 1, bytes);
  return input_lines(e, Names());
}

TEST(InputLines, NumbersInTheOrderOfThreadsAndOrdinals) {
  Execution e;
  e.named_inputs = {{ThreadId(1), 1, -5}, {ThreadId(0), 10, 7}, {ThreadId(0), 9, 8}};
  EXPECT_EQ(input_lines(e, Names()),
            (std::vector<std::string>{"input[t0,9] = 8", "input[t0,10] = 7", "input[t1,1] = -5"}));
}

TEST(InputLines, ABufferIsOneLine) {
  EXPECT_EQ(lines_of({"key\0", 4}), (std::vector<std::string>{"input[t0,1..4] = \"key\\0\""}));
  EXPECT_EQ(lines_of("say \"hi\"\n\\"), (std::vector<std::string>{"input[t0,1..10] = \"say \\\"hi\\\"\\n\\\\\""}));
  EXPECT_EQ(lines_of("\x7f\x34\x12"), (std::vector<std::string>{"input[t0,1..3] = 7f 34 12"}));
  EXPECT_EQ(lines_of({"\xff\xff\xff\xff", 4}), (std::vector<std::string>{"input[t0,1..4] = ff ff ff ff (-1)"}));
  EXPECT_EQ(lines_of({"\x0f\0", 2}), (std::vector<std::string>{"input[t0,1..2] = 0f 00 (15)"}));
  EXPECT_EQ(lines_of({"a\0b", 3}), (std::vector<std::string>{"input[t0,1..3] = 61 00 62"}));
  EXPECT_EQ(lines_of(std::string(1, '\0')), (std::vector<std::string>{"input[t0,1] = 00"}));
}

TEST(InputLines, BuffersAreKeptApart) {
  Execution e;
  read(e, 0, 1, "ab");
  e.named_inputs.push_back({ThreadId(0), 3, 99});
  read(e, 0, 4, "cd");
  read(e, 0, 6, "e");
  read(e, 1, 1, "fg");
  EXPECT_EQ(input_lines(e, Names()),
            (std::vector<std::string>{"input[t0,1..2] = \"ab\"", "input[t0,3] = 99", "input[t0,4..5] = \"cd\"",
                                      "input[t0,6] = \"e\"", "input[t1,1..2] = \"fg\""}));
}

}  // namespace
}  // namespace heddle::trace
