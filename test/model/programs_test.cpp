// Every benchmark program states its truth in its head; here optimal DPOR is held to it.
//
//   // expect: -D n=4 classes=831 deadlocked=45
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "explore/explorer.h"
#include "model/model_program.h"

namespace heddle {
namespace {

constexpr std::uint64_t kMostClasses = 250'000;

struct Expectation {
  std::string file;
  std::string line;
  model::Defines defines;
  std::uint64_t classes = 0;
  std::uint64_t deadlocked = 0;
};

std::ostream& operator<<(std::ostream& out, const Expectation& e) { return out << e.file << " " << e.line; }

Expectation parse(const std::string& file, const std::string& line) {
  Expectation e{file, line, {}, 0, 0};
  std::istringstream words(line);
  std::string word;
  while (words >> word) {
    if (word == "-D") words >> word;
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::int64_t value = std::stoll(word.substr(equals + 1));
    if (name == "classes")
      e.classes = static_cast<std::uint64_t>(value);
    else if (name == "deadlocked")
      e.deadlocked = static_cast<std::uint64_t>(value);
    else
      e.defines[name] = value;
  }
  return e;
}

std::vector<Expectation> expectations() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_PROGRAMS))
    if (entry.path().extension() == ".hed") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Expectation> all;
  const std::string prefix = "// expect: ";
  for (const auto& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
      if (line.rfind(prefix, 0) == 0) all.push_back(parse(file.filename().string(), line.substr(prefix.size())));
  }
  std::erase_if(all, [](const Expectation& e) { return e.classes > kMostClasses; });
  return all;
}

class Programs : public testing::TestWithParam<Expectation> {};

TEST_P(Programs, have_the_classes_they_say) {
  const Expectation& e = GetParam();
  auto program = model::load_model(std::string(HEDDLE_PROGRAMS) + "/" + e.file, e.defines);
  ASSERT_TRUE(program.ok()) << program.error().message;
  explore::ExploreOptions options;
  options.all = true;
  const auto result = explore::explore(**program, options);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_TRUE(result.value().exhausted()) << result.value().reason();
  EXPECT_EQ(result.value().classes, e.classes);
  EXPECT_EQ(result.value().deadlocked, e.deadlocked);
  EXPECT_EQ(result.value().executions, e.classes) << "each class exactly once, nothing asleep";
}

std::string test_name(const testing::TestParamInfo<Expectation>& info) {
  std::string name = info.param.file + "_" + info.param.line;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Bench, Programs, testing::ValuesIn(expectations()), test_name);

TEST(ProgramFolder, has_expectations) { EXPECT_GE(expectations().size(), 40u); }

}  // namespace
}  // namespace heddle
