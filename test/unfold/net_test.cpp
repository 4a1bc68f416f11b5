// The dense form against the net of the books: pasts and compatibility of all pairs of events by definition.
#include "net/occurrence_net.h"

#include "net/drawing.h"
#include "net/layout.h"
#include "unfold/explicit_net.h"
#include "unfold_model.h"

namespace heddle::unfold {
namespace {

// A model with its unfolding, built to the end.
struct WholeUnfolding {
  WholeUnfolding(const std::string& file, const std::map<std::string, std::int64_t>& defines, Variant variant)
      : model(std::move(*model::load_model(std::string(HEDDLE_SOURCE_DIR) + "/" + file, defines))),
        strategy({.variant = variant}) {
    Schedule schedule;
    Execution execution;
    while (strategy.next(schedule)) {
      model->run(schedule, execution);
      strategy.learn(execution);
    }
  }
  net::OccurrenceNet net() const { return explicit_net(strategy.unfolding(), *model); }

  std::unique_ptr<model::ModelProgram> model;
  UnfoldingStrategy strategy;
};

net::OccurrenceNet net_of(const std::string& file, const std::map<std::string, std::int64_t>& defines,
                          Variant variant) {
  return WholeUnfolding(file, defines, variant).net();
}

void compare(const std::string& file, const std::map<std::string, std::int64_t>& defines, Variant variant) {
  const WholeUnfolding unfolded(file, defines, variant);
  const Unfolding& u = unfolded.strategy.unfolding();
  const net::OccurrenceNet net = unfolded.net();
  ASSERT_EQ(net.events().size(), u.covered());
  std::vector<EventId> events;  // in the order of the net
  for (std::uint32_t i = 1; i < u.event_ids(); ++i)
    if (u[EventId(i)].covered && u[EventId(i)].thread != kNoThread) events.push_back(EventId(i));
  Concurrency concurrency(u);
  for (std::uint32_t a = 0; a < events.size(); ++a) {
    std::size_t causes = 0;
    for (const EventId e : events) causes += u.contains(u.past(events[a]), e);
    EXPECT_EQ(net.causes(net::TransitionId(a)).size(), causes) << file << " event " << a + 1;
    for (std::uint32_t b = 0; b < a; ++b)
      EXPECT_EQ(net.compatible(net::TransitionId(a), net::TransitionId(b)),
                concurrency.compatible(u.past(events[a]), u.past(events[b])))
          << file << " events " << a + 1 << " and " << b + 1;
  }
}

TEST(ExplicitNet, HasTheSameRelations) {
  for (const Variant variant : {Variant::kPlaceReplicated, Variant::kContextual}) {
    compare("bench/programs/lost_update.hed", {{"n", 2}}, variant);
    compare("bench/programs/store_buffering.hed", {}, variant);
    compare("bench/programs/readers.hed", {{"n", 3}}, variant);
    compare("bench/programs/dining.hed", {{"n", 2}}, variant);
    compare("bench/programs/fib.hed", {{"k", 1}}, variant);
    compare("bench/programs/lost_update.hed", {{"n", 2}, {"check", 1}}, variant);
  }
}

TEST(OccurrenceNet, SeesACycleOfReadArcs) {
  // Kähkönen 2015 Fig. 5.2: each of two events reads what the other one's successor takes away.
  net::OccurrenceNet net;
  const auto t1 = net.add_initial({"t1"}), t2 = net.add_initial({"t2"}), x = net.add_initial({"x"}),
             y = net.add_initial({"y"});
  const auto read_x = net.add_event({"read x", 0, {t1}, {x}, {}}, {{"t1"}});
  const auto read_y = net.add_event({"read y", 1, {t2}, {y}, {}}, {{"t2"}});
  const auto after = [&](net::TransitionId e) { return net.events()[e.index()].postset.front(); };
  const auto write_y = net.add_event({"write y", 0, {after(read_x), y}, {}, {}}, {{"t1"}, {"y"}});
  const auto write_x = net.add_event({"write x", 1, {after(read_y), x}, {}, {}}, {{"t2"}, {"x"}});
  EXPECT_TRUE(net.compatible(read_x, read_y));
  EXPECT_TRUE(net.compatible(write_x, read_x));
  EXPECT_TRUE(net.compatible(write_x, write_y));
  // t1 reads the old x after writing y; t2 reads the old y after writing x.
  const auto late_x = net.add_event({"read x", 0, {after(write_y)}, {x}, {}}, {{"t1"}});
  const auto late_y = net.add_event({"read y", 1, {after(write_x)}, {y}, {}}, {{"t2"}});
  EXPECT_TRUE(net.compatible(late_x, write_x));
  EXPECT_FALSE(net.compatible(late_x, late_y));
}

TEST(Drawing, HoldsEveryNodeAndArc) {
  net::OccurrenceNet net;
  const auto t = net.add_initial({"t <1>"});
  const auto x = net.add_initial({"x", net::ConditionKind::kVariable});
  net.add_event({"read \"x\"", 0, {t}, {x}, {}}, {{"t"}});
  const std::string dot = net::to_dot(net), svg = net::to_svg(net), html = net::to_html(net, "a & b");
  EXPECT_NE(dot.find("c1 -> e0 [style=dashed, dir=none];"), std::string::npos) << dot;
  EXPECT_NE(dot.find("c0 -> e0;"), std::string::npos);
  EXPECT_NE(dot.find("e0 -> c2;"), std::string::npos);
  EXPECT_NE(svg.find("t &lt;1&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("t <1>"), std::string::npos);
  EXPECT_NE(html.find("a &amp; b"), std::string::npos);
  EXPECT_EQ(html.find("http://", html.find("</svg>")), std::string::npos);
}

// Nodes stand apart, and the column from a condition down to an event of its thread is free.
void look_at_layout(const net::OccurrenceNet& net) {
  const net::NodeSizes sizes{std::vector<double>(net.events().size(), 60),
                             std::vector<double>(net.conditions().size(), 40)};
  const net::Layout layout(net, sizes);
  struct Node {
    net::Point at;
    double left, right;
  };
  std::vector<Node> nodes;
  for (std::uint32_t e = 0; e < net.events().size(); ++e) nodes.push_back({layout.event(net::TransitionId(e)), 60, 60});
  for (std::uint32_t c = 0; c < net.conditions().size(); ++c)
    nodes.push_back({layout.condition(net::PlaceId(c)), net::kRadius, 40});
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    EXPECT_GE(nodes[a].at.x - nodes[a].left, 0);
    EXPECT_LE(nodes[a].at.x + nodes[a].right, layout.width());
    EXPECT_LE(nodes[a].at.y + net::kRadius, layout.height());
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_TRUE(nodes[a].at.y != nodes[b].at.y || nodes[a].at.x + nodes[a].right < nodes[b].at.x - nodes[b].left ||
                  nodes[b].at.x + nodes[b].right < nodes[a].at.x - nodes[a].left)
          << "nodes " << a << " and " << b;
  }
  for (std::uint32_t e = 0; e < net.events().size(); ++e) {
    const net::Point box = layout.event(net::TransitionId(e));
    for (const net::PlaceId c : net.events()[e].preset) {
      EXPECT_LT(layout.condition(c).y, box.y);
      if (!layout.in_tree(c, net::TransitionId(e))) continue;
      for (const Node& other : nodes)
        EXPECT_FALSE(other.at.y > layout.condition(c).y && other.at.y < box.y && other.at.x - other.left < box.x &&
                     other.at.x + other.right > box.x)
            << "event " << e + 1;
    }
  }
}

TEST(Layout, LeavesColumnsFree) {
  for (const Variant variant : {Variant::kPlaceReplicated, Variant::kContextual}) {
    look_at_layout(net_of("bench/programs/lost_update.hed", {{"n", 3}}, variant));
    look_at_layout(net_of("bench/programs/dining.hed", {{"n", 2}}, variant));
    look_at_layout(net_of("examples/wakeup.hed", {}, variant));
    look_at_layout(net_of("examples/bank.hed", {}, variant));
  }
  look_at_layout(net::OccurrenceNet());
}

}  // namespace
}  // namespace heddle::unfold
