#include "report/html.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "report/html_sources.h"
#include "report/html_trace.h"
#include "report/html_tree.h"
#include "trace/happens_before.h"
#include "traces.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

TEST(ParsePosition, FilesMayHoldColons) {
  const auto place = parse_position("C:/a:b.cpp:12:3");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->file, "C:/a:b.cpp");
  EXPECT_EQ(place->line, 12u);
  EXPECT_EQ(place->column, 3u);
}

TEST(ParsePosition, TheColumnMayBeMissing) {
  const auto place = parse_position("a.cpp:12");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->file, "a.cpp");
  EXPECT_EQ(place->line, 12u);
  EXPECT_EQ(place->column, 0u);
}

TEST(ParsePosition, AnythingElseIsNone) {
  for (const char* text : {"", ":", "12", ":12", "program+0x12", "a.cpp:", "a.cpp:x"})
    EXPECT_FALSE(parse_position(text)) << text;
}

TEST(CoveringEdges, OnlyWhatNothingElseImplies) {
  // a writes x, b reads and writes it, c reads it: c knows a's write through b's.
  const explore::Finding finding = TraceBuilder()
                                       .step(0, OpKind::kWrite, 0)
                                       .step(1, OpKind::kRead, 0)
                                       .step(1, OpKind::kWrite, 0)
                                       .step(2, OpKind::kRead, 0)
                                       .fails(2);
  EXPECT_EQ(covering_edges(finding.execution), (std::vector<OrderEdge>{{0, 1}, {2, 3}}));
}

// Against the definition: a -> b without an event between them, on executions of every small shape.
TEST(CoveringEdges, AgreeWithTheDefinition) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    TraceBuilder builder;
    for (int i = 0; i < 12; ++i)
      builder.step(static_cast<int>(random.below(3)), random.below(2) ? OpKind::kRead : OpKind::kWrite,
                   static_cast<int>(random.below(2)));
    const Execution execution = builder.fails(0).execution;
    HappensBefore order;
    for (const Step& s : execution.steps) order.push(s);
    std::vector<OrderEdge> expected;
    for (EventIndex b = 0; b < 12; ++b)
      for (EventIndex a = 0; a < b; ++a) {
        if (execution.steps[a].thread == execution.steps[b].thread || !order.before(a, b)) continue;
        bool between = false;
        for (EventIndex c = a + 1; c < b; ++c) between = between || (order.before(a, c) && order.before(c, b));
        if (!between) expected.push_back({a, b});
      }
    auto actual = covering_edges(execution);
    const auto less = [](const OrderEdge& l, const OrderEdge& r) {
      return std::tie(l.to, l.from) < std::tie(r.to, r.from);
    };
    std::sort(actual.begin(), actual.end(), less);
    std::sort(expected.begin(), expected.end(), less);
    ASSERT_EQ(actual, expected) << "round " << round;
  }
}

TEST(PageTree, SharesPrefixesAndKeepsEveryEnd) {
  // a b, a c, and one that ends after a: a root, its three ways on.
  const auto execution = [](std::vector<int> threads, Outcome outcome) {
    TraceBuilder builder;
    for (const int t : threads) builder.step(t, OpKind::kWrite, 0);
    Execution e = builder.fails(0).execution;
    e.outcome = outcome;
    if (outcome != Outcome::kFailed) e.failures.clear();
    return e;
  };
  const Json tree = page_tree(
      {execution({0, 1, 1}, Outcome::kComplete), execution({0, 2}, Outcome::kFailed), execution({0}, Outcome::kAsleep)},
      Letters());
  ASSERT_EQ(tree.size(), 4u);
  EXPECT_EQ(tree[0]["parent"], -1);
  EXPECT_EQ(tree[0]["steps"], 1);
  std::map<int, std::string> outcomes;
  for (const Json& node : tree)
    if (node.contains("execution")) {
      EXPECT_EQ(node["parent"], 0);
      outcomes[node["execution"]] = node["outcome"];
    }
  EXPECT_EQ(outcomes, (std::map<int, std::string>{{1, "complete"}, {2, "failed"}, {3, "asleep"}}));
}

TEST(PageSources, WholeIfShortElseAroundWhatIsMentioned) {
  class Long final : public Describer {
   public:
    explicit Long(std::string file) : file_(std::move(file)) {}
    std::string thread_name(ThreadId) const override { return "t"; }
    std::string object_name(ObjectId) const override { return "o"; }
    std::string position(std::uint32_t where) const override { return file_ + ":" + std::to_string(where) + ":1"; }
    std::string source_line(std::uint32_t) const override { return "known"; }

   private:
    std::string file_;
  };
  const auto path = std::filesystem::temp_directory_path() / ("heddle-long-" + std::to_string(::getpid()));
  {
    std::ofstream file(path);
    for (int i = 1; i <= 10000; ++i) file << "line " << i << "\n";
  }
  const Long describer(path.string());
  PageSources sources(describer);
  for (const std::uint32_t where : {5u, 20u, 9000u, 5u}) sources.place(where);
  const Json files = sources.files();
  std::filesystem::remove(path);
  ASSERT_EQ(files.size(), 1u);
  const Json& chunks = files[0]["chunks"];
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0][0], 1);
  EXPECT_EQ(chunks[0][1].get<std::string>().substr(0, 14), "line 1\nline 2\n");
  EXPECT_NE(chunks[0][1].get<std::string>().find("\nline 45"), std::string::npos);
  EXPECT_EQ(chunks[1][0], 9000 - 25);
  EXPECT_EQ(sources.places().size(), 3u);
  EXPECT_EQ(PageSources(describer).files().size(), 0u);
  PageSources gone(describer);
  gone.place(7);
  EXPECT_EQ(gone.files()[0]["chunks"], Json::array({Json::array({7, "known"})})) << "the file cannot be read any more";
}

Json data_of(const std::string& page) {
  const std::string open = R"(<script type="application/json" id="data">)";
  const auto from = page.find(open) + open.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(Html, DataSurviveWhateverTheySay) {
  explore::Finding finding = lost_update();
  finding.failure.message = "</script><script>alert(1)</script><!-- @SCRIPT@ \xff";
  SavedSchedule origin;
  origin.program = "a<b>&\"</title>.hed";
  const Letters describer;
  const std::string page = html_report(result_with(finding), {describer, origin, {}, "", "", "0.0.0"});
  const Json data = data_of(page);
  EXPECT_EQ(data["program"], origin.program);
  EXPECT_EQ(data["findings"][0]["message"], "</script><script>alert(1)</script><!-- @SCRIPT@ \uFFFD");
  EXPECT_EQ(page.find("<script>alert"), page.npos);
  EXPECT_NE(page.find("<title>a&lt;b&gt;&amp;&quot;&lt;/title&gt;.hed"), page.npos);
}

TEST(Html, TracesAreColumnsOfOneLength) {
  SavedSchedule origin;
  const Letters describer;
  const Json data = data_of(html_report(result_with(lost_update()), {describer, origin, {}, "note", "out", "0.0.0"}));
  const Json& trace = data["findings"][0]["trace"];
  for (const char* column : {"thread", "op", "object", "before", "after", "place", "text"})
    EXPECT_EQ(trace[column].size(), 7u) << column;
  EXPECT_EQ(trace["threads"], Json::array({"a", "b", "c"}));
  EXPECT_EQ(trace["preempts"], Json::array({1}));
  EXPECT_EQ(data["findings"][0]["pair"], Json::array({2, 3}));
  EXPECT_EQ(data["note"], "note");
}

TEST(Html, LongHistoriesAreThinned) {
  std::vector<explore::Progress> history;
  for (int i = 0; i < 5000; ++i) history.push_back({static_cast<std::uint64_t>(i), 1, 0, 1, 1, i * 0.1});
  SavedSchedule origin;
  const Letters describer;
  explore::ExploreResult r = result_with(lost_update());
  r.seconds = 501;
  const Json samples = data_of(html_report(r, {describer, origin, history, "", "", ""}))["history"];
  EXPECT_LE(samples.size(), 402u);
  EXPECT_GT(samples.size(), 200u);
  EXPECT_EQ(samples.back()[0], 501);
}

}  // namespace
}  // namespace heddle::report
