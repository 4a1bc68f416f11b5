// The benchmark programs with inputs, by the `// expect-concolic:` lines in their heads: optimal-dpor finds exactly
// these classes, each once, with no execution wasted, and the caches answer nearly everything.
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "symbolic_run.h"

namespace heddle::concolic_test {
namespace {

struct Expectation {
  std::string file;
  model::Defines defines;
  std::uint64_t classes = 0, deadlocked = 0;
};

std::vector<Expectation> expectations() {
  std::vector<Expectation> all;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/bench/programs"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      std::smatch found;
      if (!std::regex_match(line, found, std::regex("// expect-concolic: (.*)classes=(\\d+) deadlocked=(\\d+).*")))
        continue;
      Expectation e{file.string(), {}, std::stoull(found[2]), std::stoull(found[3])};
      const std::string defines = found[1];
      const std::regex define("-D (\\w+)=(\\d+)");
      for (std::sregex_iterator d(defines.begin(), defines.end(), define), end; d != end; ++d)
        e.defines[(*d)[1]] = std::stoll((*d)[2]);
      all.push_back(e);
    }
  }
  return all;
}

class Programs : public testing::TestWithParam<Expectation> {};

TEST_P(Programs, HaveTheirClassesExactlyOnce) {
  const Expectation& e = GetParam();
  const Explored r = run(model::load_model(e.file, e.defines, symbolic_inputs()), {});
  EXPECT_EQ(r.result.classes, e.classes);
  EXPECT_EQ(r.result.deadlocked, e.deadlocked);
  EXPECT_EQ(r.result.executions, e.classes);
  EXPECT_EQ(r.result.asleep, 0u);
  EXPECT_TRUE(r.result.exhausted());
  EXPECT_EQ(r.program->left_open(), "");
  const symbolic::QueryCounts s = r.program->inputs()->counts();
  EXPECT_GE(static_cast<double>(s.without_solver()), 0.9 * static_cast<double>(s.asked));
  EXPECT_EQ(s.wrong_models, 0u);
  RecordProperty("asked", static_cast<int>(s.asked));
}

INSTANTIATE_TEST_SUITE_P(Bench, Programs, testing::ValuesIn(expectations()), [](const auto& parameter) {
  std::string name = std::filesystem::path(parameter.param.file).stem().string();
  for (const auto& [define, value] : parameter.param.defines) name += "_" + define + std::to_string(value);
  return name;
});

TEST(Expectations, AreFound) { EXPECT_EQ(expectations().size(), 6u); }

}  // namespace
}  // namespace heddle::concolic_test
