#include "net/drawing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/xml_text.h"
#include "net/dot_text.h"
#include "net/drawing_page.h"
#include "net/layout.h"

namespace heddle::net {
namespace {

const char* colour_of(ConditionKind kind) {
  switch (kind) {
    case ConditionKind::kThread:
      return "#ffffff";
    case ConditionKind::kLock:
      return "#fde8c8";
    case ConditionKind::kVariable:
      return "#dcebfa";
  }
  return "#ffffff";
}

std::string label_of(const OccurrenceNet& net, std::uint32_t e) {
  return std::to_string(e + 1) + ": " + net.events()[e].label;
}

// Of the box of an event.
double half_width(const OccurrenceNet& net, std::uint32_t e) {
  return std::max(12.0, 2.9 * static_cast<double>(label_of(net, e).size()));
}

NodeSizes sizes_of(const OccurrenceNet& net) {
  NodeSizes sizes;
  for (std::uint32_t e = 0; e < net.events().size(); ++e) sizes.events.push_back(half_width(net, e));
  for (const NetCondition& c : net.conditions())
    sizes.conditions.push_back(c.label.empty() ? kRadius : kRadius + 2 + 5.6 * static_cast<double>(c.label.size()));
  return sizes;
}

std::string number(double v) {
  const long tenths = static_cast<long>(v * 10 + (v < 0 ? -0.5 : 0.5));
  return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10));
}

std::string text_of(Point p) { return number(p.x) + " " + number(p.y); }

// A way from one point down to another: straight lines, or with `curved` one that leaves and arrives vertically.
struct Way {
  std::vector<Point> points;
  bool curved = false;
  bool across = false;  // from one thread to another

  Point at(double part) const {
    if (curved) {
      const double a = 1 - part, b = part;
      const auto mix = [&](double p, double q, double r, double s) {
        return a * a * a * p + 3 * a * a * b * q + 3 * a * b * b * r + b * b * b * s;
      };
      return {mix(points[0].x, points[1].x, points[2].x, points[3].x),
              mix(points[0].y, points[1].y, points[2].y, points[3].y)};
    }
    const double scaled = part * static_cast<double>(points.size() - 1);
    const std::size_t i = std::min(points.size() - 2, static_cast<std::size_t>(scaled));
    const double rest = scaled - static_cast<double>(i);
    return {points[i].x + rest * (points[i + 1].x - points[i].x), points[i].y + rest * (points[i + 1].y - points[i].y)};
  }
};

// Draws the net's arcs. Those between threads have no column of their own: of several ways the first is taken that goes
// behind the fewest nodes.
class Arcs {
 public:
  Arcs(const OccurrenceNet& net, const Layout& layout, const NodeSizes& sizes)
      : net_(net), layout_(layout), sizes_(sizes) {
    const auto add = [&](Point p, double half) {
      const auto row = static_cast<std::size_t>(p.y / kRowHeight);
      rows_.resize(std::max(rows_.size(), row + 1));
      rows_[row].push_back({p, half});
    };
    for (std::uint32_t e = 0; e < net.events().size(); ++e) add(layout.event(TransitionId(e)), sizes.events[e]);
    for (std::uint32_t c = 0; c < net.conditions().size(); ++c) add(layout.condition(PlaceId(c)), kRadius);
  }

  std::string of(TransitionId e) const {
    const NetEvent& event = net_.events()[e.index()];
    const Point box = layout_.event(e);
    std::string out;
    const std::size_t count = event.preset.size() + event.context.size();
    const double step = std::min(12.0, 2 * sizes_.events[e.index()] / static_cast<double>(count + 1));
    std::size_t i = 0;
    const auto arriving = [&](PlaceId c, bool reads) {
      Point to{box.x, box.y - kRadius};
      if (!layout_.in_tree(c, e)) to.x += step * (static_cast<double>(i) - static_cast<double>(count - 1) / 2);
      ++i;
      out += drawn(way(c, e, to), c, !reads);
    };
    for (const PlaceId c : event.preset) arriving(c, false);
    for (const PlaceId c : event.context) arriving(c, true);
    for (const PlaceId c : event.postset) {
      const Point circle = layout_.condition(c);
      const Point from{std::clamp(circle.x, box.x - sizes_.events[e.index()], box.x + sizes_.events[e.index()]),
                       box.y + kRadius};
      out += drawn({{from, towards(circle, from)}}, c, true);
    }
    return out;
  }

 private:
  // Where a line from the middle of a circle leaves it.
  static Point towards(Point circle, Point other) {
    const double dx = other.x - circle.x, dy = other.y - circle.y;
    const double part = kRadius / std::max(1.0, std::hypot(dx, dy));
    return {circle.x + part * dx, circle.y + part * dy};
  }

  Way way(PlaceId c, TransitionId e, Point to) const {
    const Point circle = layout_.condition(c);
    if (layout_.in_tree(c, e)) {
      const Point turn{to.x, circle.y + kRowHeight - kRadius - 4};
      if (to.y - turn.y < kRowHeight / 2) return {{towards(circle, to), to}};
      return {{towards(circle, turn), turn, to}};
    }
    const Point from{circle.x, circle.y + kRadius};
    Way best{{from, {from.x, from.y + 30}, {to.x, to.y - 30}, to}, true, true};
    std::size_t fewest = nodes_met(best, circle, layout_.event(e));
    for (int i = 0; fewest > 0 && i < 2 * kColumns; ++i) {
      // Columns near where it starts and near where it ends, nearest first.
      const double shift = (i / 2 % 2 == 0 ? 1 : -1) * 14.0 * ((i / 2 + 1) / 2);
      const double x = (i % 2 == 0 ? from.x : to.x) + shift;
      const Way other{{from, {x, from.y + 12}, {x, to.y - 20}, to}, false, true};
      const std::size_t met = nodes_met(other, circle, layout_.event(e));
      if (met >= fewest) continue;
      best = other;
      fewest = met;
    }
    return best;
  }

  // Samples of the way that lie in a node other than those at its ends.
  std::size_t nodes_met(const Way& way, Point start, Point end) const {
    constexpr int kSamples = 200;
    std::size_t met = 0;
    for (int i = 0; i <= kSamples; ++i) {
      const Point p = way.at(static_cast<double>(i) / kSamples);
      const auto row = static_cast<std::size_t>(std::max(0.0, p.y - kRadius) / kRowHeight);
      for (std::size_t r = row; r <= row + 1 && r < rows_.size(); ++r)
        for (const Node& node : rows_[r]) {
          const bool inside = std::abs(node.at.y - p.y) < kRadius && std::abs(node.at.x - p.x) < node.half;
          if (inside && !same(node.at, start) && !same(node.at, end)) ++met;
        }
    }
    return met;
  }

  std::string drawn(const Way& way, PlaceId c, bool arrow) const {
    std::string path = "M" + text_of(way.points[0]);
    for (std::size_t i = 1; i < way.points.size(); ++i)
      path += (way.curved ? i == 1 ? " C" : " " : " L") + text_of(way.points[i]);
    const bool dashed = net_.conditions()[c.index()].kind == ConditionKind::kVariable;
    return "<path d=\"" + path + "\"" + (dashed ? " stroke-dasharray=\"4 3\"" : "") +
           (way.across ? " stroke=\"#3a6ea5\"" : "") + (arrow ? " marker-end=\"url(#tip)\"" : "") + "/>\n";
  }

  struct Node {
    Point at;
    double half;  // of its width
  };
  static bool same(Point a, Point b) { return a.x == b.x && a.y == b.y; }
  static constexpr int kColumns = 16;

  const OccurrenceNet& net_;
  const Layout& layout_;
  const NodeSizes& sizes_;
  std::vector<std::vector<Node>> rows_;
};

}  // namespace

std::string to_dot(const OccurrenceNet& net) {
  std::string out = "digraph unfolding {\n  node [fontname=\"Helvetica\", fontsize=10];\n  edge [arrowsize=0.7];\n";
  const auto& conditions = net.conditions();
  for (std::size_t c = 0; c < conditions.size(); ++c)
    out += "  c" + std::to_string(c) + " [shape=circle, fixedsize=true, width=0.3, style=filled, fillcolor=" +
           quoted(colour_of(conditions[c].kind)) + ", label=" + quoted(conditions[c].initial ? "●" : "") +
           ", xlabel=" + quoted(conditions[c].label) + "];\n";
  for (std::size_t e = 0; e < net.events().size(); ++e) {
    const NetEvent& event = net.events()[e];
    const std::string name = "e" + std::to_string(e);
    out += "  " + name + " [shape=box, label=" + quoted(std::to_string(e + 1) + ": " + event.label) + "];\n";
    const auto arc = [&](const std::string& from, const std::string& to, PlaceId c, bool read) {
      const bool dashed = conditions[c.index()].kind == ConditionKind::kVariable;
      out += "  " + from + " -> " + to;
      if (dashed || read)
        out += std::string(" [") + (dashed ? "style=dashed" : "") + (dashed && read ? ", " : "") +
               (read ? "dir=none" : "") + "]";
      out += ";\n";
    };
    for (const PlaceId c : event.preset) arc("c" + std::to_string(c.value), name, c, false);
    for (const PlaceId c : event.context) arc("c" + std::to_string(c.value), name, c, true);
    for (const PlaceId c : event.postset) arc(name, "c" + std::to_string(c.value), c, false);
  }
  return out + "}\n";
}

std::string to_svg(const OccurrenceNet& net) {
  const NodeSizes sizes = sizes_of(net);
  const Layout layout(net, sizes);
  const std::string width = number(layout.width()), height = number(layout.height());
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height + "\" viewBox=\"0 0 " +
      width + " " + height +
      "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"10\">\n"
      "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" "
      "markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" stroke=\"none\"/></marker></defs>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<g stroke=\"#444444\" fill=\"none\">\n";
  const auto& conditions = net.conditions();
  const Arcs arcs(net, layout, sizes);
  for (std::uint32_t e = 0; e < net.events().size(); ++e) out += arcs.of(TransitionId(e));
  out += "</g>\n";
  for (std::uint32_t c = 0; c < conditions.size(); ++c) {
    const Point at = layout.condition(PlaceId(c));
    out += "<circle cx=\"" + number(at.x) + "\" cy=\"" + number(at.y) + "\" r=\"9\" stroke=\"#000000\" fill=\"" +
           colour_of(conditions[c].kind) + "\"><title>" + xml_text(conditions[c].label) + "</title></circle>\n";
    if (conditions[c].initial) out += "<circle cx=\"" + number(at.x) + "\" cy=\"" + number(at.y) + "\" r=\"3\"/>\n";
    out += "<text x=\"" + number(at.x + 11) + "\" y=\"" + number(at.y - 4) + "\" fill=\"#555555\">" +
           xml_text(conditions[c].label) + "</text>\n";
  }
  for (std::uint32_t e = 0; e < net.events().size(); ++e) {
    const Point at = layout.event(TransitionId(e));
    const std::string label = label_of(net, e);
    const double half = half_width(net, e);
    out += "<rect x=\"" + number(at.x - half) + "\" y=\"" + number(at.y - 9) + "\" width=\"" + number(2 * half) +
           "\" height=\"18\" fill=\"#ffffff\" stroke=\"#000000\"/>\n<text text-anchor=\"middle\" x=\"" + number(at.x) +
           "\" y=\"" + number(at.y + 3.5) + "\">" + xml_text(label) + "</text>\n";
  }
  return out + "</svg>\n";
}

std::string to_html(const OccurrenceNet& net, const std::string& title) {
  return drawing_page(title,
                      std::to_string(net.events().size()) + " events, " + std::to_string(net.conditions().size()) +
                          " conditions. White: threads, orange: locks, blue: shared variables. Dots mark the initial "
                          "marking; read arcs have no tip.",
                      to_svg(net));
}

}  // namespace heddle::net
