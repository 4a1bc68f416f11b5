#include "net/drawing.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/xml_text.h"

namespace heddle::net {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

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

struct Point {
  double x = 0;
  double y = 0;
};

std::string label_of(const OccurrenceNet& net, std::uint32_t e) {
  return std::to_string(e + 1) + ": " + net.events()[e].label;
}

// Of the box of an event.
double half_width(const OccurrenceNet& net, std::uint32_t e) {
  return std::max(12.0, 2.9 * static_cast<double>(label_of(net, e).size()));
}

// Rows: an event's depth twice over, its conditions in between. Columns: a band per thread, as wide as its fullest row.
class Layout {
 public:
  explicit Layout(const OccurrenceNet& net) : net_(net) {
    for (std::uint32_t c = 0; c < net.conditions().size(); ++c) {
      const NetCondition& condition = net.conditions()[c];
      const std::uint32_t row = condition.initial ? 0 : 2 * net.depth(TransitionId(condition.producer)) + 2;
      rows_[{condition.column, row}].push_back({true, c});
    }
    for (std::uint32_t e = 0; e < net.events().size(); ++e)
      rows_[{net.events()[e].column, 2 * net.depth(TransitionId(e)) + 1}].push_back({false, e});
    place();
  }

  Point condition(PlaceId c) const { return conditions_.at(c.value); }
  Point event(TransitionId e) const { return events_.at(e.value); }
  double width() const { return width_; }
  double height() const { return height_; }

 private:
  struct Node {
    bool is_condition;
    std::uint32_t id;
  };

  void place() {
    std::map<std::uint32_t, std::size_t> fullest;
    for (const auto& [place, nodes] : rows_)
      fullest[place.first] = std::max(fullest[place.first], nodes.size());
    double cell = kCell;
    for (std::uint32_t e = 0; e < net_.events().size(); ++e) cell = std::max(cell, 2 * half_width(net_, e) + kBetween);
    std::map<std::uint32_t, double> left;
    for (const auto& [column, count] : fullest) {
      left[column] = width_;
      width_ += cell * static_cast<double>(count) + kGap;
    }
    for (const auto& [place, nodes] : rows_) {
      const double band = cell * static_cast<double>(fullest[place.first]);
      const double step = band / static_cast<double>(nodes.size());
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Point at{left[place.first] + step * (static_cast<double>(i) + 0.5), kMargin + kRow * place.second};
        (nodes[i].is_condition ? conditions_ : events_)[nodes[i].id] = at;
        height_ = std::max(height_, at.y + kMargin);
      }
    }
  }

  static constexpr double kCell = 96, kBetween = 10, kGap = 40, kRow = 48, kMargin = 36;
  const OccurrenceNet& net_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Node>> rows_;   // (column, row)
  std::map<std::uint32_t, Point> conditions_, events_;
  double width_ = 20, height_ = 0;
};

std::string number(double v) {
  const long tenths = static_cast<long>(v * 10 + (v < 0 ? -0.5 : 0.5));
  return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10));
}

constexpr double kRadius = 9;   // of a condition, and half the height of an event

// Where the line from the middle of a circle (`half` is 0) or box towards another point leaves it.
Point border(Point middle, double half, Point towards) {
  const double dx = towards.x - middle.x, dy = towards.y - middle.y;
  const double along_x = std::abs(dx) < 1e-9 ? 1e9 : half / std::abs(dx);
  const double along_y = std::abs(dy) < 1e-9 ? 1e9 : kRadius / std::abs(dy);
  const double part = half == 0 ? kRadius / std::max(1.0, std::hypot(dx, dy)) : std::min(along_x, along_y);
  return {middle.x + part * dx, middle.y + part * dy};
}

std::string line(Point a, Point b, bool dashed, bool arrow) {
  return "<line x1=\"" + number(a.x) + "\" y1=\"" + number(a.y) + "\" x2=\"" + number(b.x) + "\" y2=\"" +
         number(b.y) + "\"" +
         (dashed ? " stroke-dasharray=\"4 3\"" : "") + (arrow ? " marker-end=\"url(#tip)\"" : "") + "/>\n";
}

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
        out += std::string(" [") + (dashed ? "style=dashed" : "") + (dashed && read ? ", " : "") + (read ? "dir=none" : "") +
               "]";
      out += ";\n";
    };
    for (const PlaceId c : event.preset) arc("c" + std::to_string(c.value), name, c, false);
    for (const PlaceId c : event.context) arc("c" + std::to_string(c.value), name, c, true);
    for (const PlaceId c : event.postset) arc(name, "c" + std::to_string(c.value), c, false);
  }
  return out + "}\n";
}

std::string to_svg(const OccurrenceNet& net) {
  const Layout layout(net);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(layout.width()) + "\" height=\"" +
                    number(layout.height()) + "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"10\">\n"
                    "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" "
                    "markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<g stroke=\"#444444\">\n";
  const auto& conditions = net.conditions();
  const auto dashed = [&](PlaceId c) { return conditions[c.index()].kind == ConditionKind::kVariable; };
  for (std::uint32_t e = 0; e < net.events().size(); ++e) {
    const NetEvent& event = net.events()[e];
    const Point at = layout.event(TransitionId(e));
    const double half = half_width(net, e);
    const auto arc = [&](PlaceId c, bool into, bool arrow) {
      const Point circle = layout.condition(c);
      const Point at_circle = border(circle, 0, at), at_box = border(at, half, circle);
      out += into ? line(at_circle, at_box, dashed(c), arrow) : line(at_box, at_circle, dashed(c), arrow);
    };
    for (const PlaceId c : event.preset) arc(c, true, true);
    for (const PlaceId c : event.context) arc(c, true, false);
    for (const PlaceId c : event.postset) arc(c, false, true);
  }
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
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + xml_text(title) +
         "</title>\n<style>body{margin:16px;font-family:Helvetica,Arial,sans-serif}div{overflow:auto}</style></head>\n<body>"
         "<h1>" + xml_text(title) + "</h1>\n<p>" + std::to_string(net.events().size()) + " events, " +
         std::to_string(net.conditions().size()) +
         " conditions. White: threads, orange: locks, blue: shared variables. Dots mark the initial marking; "
         "read arcs have no tip.</p>\n<div>" + to_svg(net) + "</div></body></html>\n";
}

}  // namespace heddle::net
