// Each thread's local states are a tree and stand as one, threads beside each other: a place, below it the transitions
// that leave it, below those the places they lead to. Values stand to the right of all threads, a column for each
// object, in the row below the transition that leaves them first.
#include "net/program_drawing.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/xml_text.h"
#include "net/dot_text.h"
#include "net/drawing_page.h"
#include "trace/object.h"

namespace heddle::net {
namespace {

using trace::Describer;

constexpr int kColumn = 96, kRow = 52, kFrame = 40;

struct Node {
  std::string label;
  const char* colour = "#ffffff";
  bool box = false;  // a transition
  bool initial = false;
  int x = 0, y = 0;  // in columns and rows
};

struct Arc {
  std::size_t from = 0, to = 0;
  bool object = false;  // to or from a value
  bool reads = false;   // and puts the value back
};

class Picture {
 public:
  Picture(const ProgramNet& net, const Describer& describer) : net_(net), describer_(describer) {
    for (std::size_t i = 1; i < net.transition_ids(); ++i) {
      const Transition& t = net[step(i)];
      if (t.admitted && net[t.from].base == kNoLocal) followers_[t.from.value].push_back(step(i));
    }
    for (std::size_t i = 1; i < net.local_ids(); ++i) {
      const LocalId p(static_cast<std::uint32_t>(i));
      const bool woken = net[p].parent != kNoLocal && net[p].by == kNoStep;  // nothing of its own led there
      if (is_place(p) && (net[p].parent == kNoLocal || woken)) place(p, 0);
    }
    columns_ = width_;
    for (std::size_t i = 1; i < net.transition_ids(); ++i)
      if (boxes_.contains(step(i).value)) link_objects(step(i));
  }

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Arc>& arcs() const { return arcs_; }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  static StepId step(std::size_t i) { return StepId(static_cast<std::uint32_t>(i)); }
  bool is_place(LocalId p) const {
    return net_[p].status != Status::kInner && net_[p].status != Status::kUnknown && net_[p].base == kNoLocal;
  }

  std::size_t add(Node node) {
    height_ = std::max(height_, node.y + 1);
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  // A place with everything below it; returns its node.
  std::size_t place(LocalId p, int row) {
    if (const auto known = locals_.find(p.value); known != locals_.end()) return known->second;
    const std::size_t node = add({row == 0 ? describer_.thread_name(net_[p].thread) : std::string(), "#ffffff", false,
                                  row == 0 && net_[p].parent == kNoLocal, 0, row});
    locals_[p.value] = node;
    const int first = width_;
    for (const StepId t : followers_[p.value]) {
      const std::size_t box = add({label_of(net_[t]), "#ffffff", true, false, width_, row + 1});
      boxes_[t.value] = box;
      arcs_.push_back({node, box, false});
      const bool shared = locals_.contains(net_[t].to.value);
      const std::size_t below = place(net_[t].to, row + 2);
      arcs_.push_back({box, below, false});
      if (shared) ++width_;
      nodes_[box].x = shared ? width_ - 1 : nodes_[below].x;
    }
    if (followers_[p.value].empty()) ++width_;
    nodes_[node].x = (first + width_ - 1) / 2;
    return node;
  }

  std::string label_of(const Transition& t) const {
    std::string label = name_of(t.kind);
    if (net_[t.from].object != kNoObject) label += " " + describer_.object_name(net_[t.from].object);
    if (trace::has_alternatives(t.kind)) label += " " + std::to_string(t.choice);
    if (t.kind == OpKind::kJoin || t.kind == OpKind::kSpawn) label += " " + describer_.thread_name(net_[t.from].peer);
    return label;
  }

  std::size_t value(ValueId v, int row) {
    if (const auto known = values_.find(v.value); known != values_.end()) return known->second;
    const ObjectId object = net_[v].object;
    const auto column = columns_of_.try_emplace(object.value, static_cast<int>(columns_of_.size())).first->second;
    width_ = std::max(width_, columns_ + column + 1);
    while (taken_.contains({column, row})) ++row;
    taken_.insert({{column, row}, true});
    const bool lock = locks_.contains(object.value);
    std::string label = describer_.object_name(object);
    if (!lock && net_[v].known) label += " = " + describer_.value_text(object, net_[v].state);
    return values_[v.value] = add({label, lock ? "#fde8c8" : "#dcebfa", false, row == 0, columns_ + column, row});
  }

  void link_objects(StepId id) {
    const Transition& t = net_[id];
    if (t.takes == kNoValue) return;
    if (trace::is_on_counted(t.kind)) locks_[net_[t.takes].object.value] = true;
    const std::size_t box = boxes_[id.value];
    const auto is_held = [&](ValueId v) {
      return locks_.contains(net_[v].object.value) && net_[v].state == trace::kHeldExclusively;
    };
    const bool begins = net_[t.takes].writer == kNoLocal;
    const ValueId leaves = net_.leaves(id);
    if (!is_held(t.takes))
      arcs_.push_back({value(t.takes, begins ? 0 : nodes_[box].y + 1), box, true, leaves == t.takes});
    if (leaves != t.takes && !is_held(leaves)) arcs_.push_back({box, value(leaves, nodes_[box].y + 1), true});
  }

  const ProgramNet& net_;
  const Describer& describer_;
  std::map<std::uint32_t, std::vector<StepId>> followers_;
  std::map<std::uint32_t, std::size_t> locals_, boxes_, values_;
  std::map<std::uint32_t, int> columns_of_;
  std::map<std::uint32_t, bool> locks_;
  std::map<std::pair<int, int>, bool> taken_;
  std::vector<Node> nodes_;
  std::vector<Arc> arcs_;
  int width_ = 0, height_ = 0, columns_ = 0;
};

// Where an arc meets the border of what it leads to, so that its tip is seen.
std::string end_of(const Picture& picture, const Arc& a) {
  const Node &from = picture.nodes()[a.from], &to = picture.nodes()[a.to];
  const double dx = (from.x - to.x) * kColumn, dy = (from.y - to.y) * kRow;
  const double radius = 9, half = kColumn / 2 - 4;
  double part = radius / std::max(1.0, std::hypot(dx, dy));
  if (to.box) part = std::min(half / std::max(1.0, std::abs(dx)), radius / std::max(1.0, std::abs(dy)));
  const int x = kFrame + to.x * kColumn + kColumn / 2 + static_cast<int>(std::lround(dx * part));
  const int y = kFrame + to.y * kRow + static_cast<int>(std::lround(dy * part));
  return "\" x2=\"" + std::to_string(x) + "\" y2=\"" + std::to_string(y);
}

}  // namespace

std::string to_dot(const ProgramNet& net, const Describer& describer) {
  const Picture picture(net, describer);
  std::string out = "digraph net {\n  node [fontname=\"Helvetica\", fontsize=10];\n  edge [arrowsize=0.7];\n";
  for (std::size_t i = 0; i < picture.nodes().size(); ++i) {
    const Node& n = picture.nodes()[i];
    out += "  n" + std::to_string(i);
    if (n.box)
      out += " [shape=box, label=" + quoted(n.label) + "];\n";
    else
      out += " [shape=circle, fixedsize=true, width=0.3, style=filled, fillcolor=" + quoted(n.colour) +
             ", label=" + quoted(n.initial ? "●" : "") + ", xlabel=" + quoted(n.label) + "];\n";
  }
  for (const Arc& a : picture.arcs())
    out += "  n" + std::to_string(a.from) + " -> n" + std::to_string(a.to) +
           (a.reads    ? " [style=dashed, dir=none];\n"
            : a.object ? " [style=dashed];\n"
                       : ";\n");
  return out + "}\n";
}

std::string to_svg(const ProgramNet& net, const Describer& describer) {
  const Picture picture(net, describer);
  const auto x = [&](std::size_t i) { return std::to_string(kFrame + picture.nodes()[i].x * kColumn + kColumn / 2); };
  const auto y = [&](std::size_t i) { return std::to_string(kFrame + picture.nodes()[i].y * kRow); };
  const std::string width = std::to_string(2 * kFrame + picture.width() * kColumn);
  const std::string height = std::to_string(kFrame + picture.height() * kRow);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
                    "\" viewBox=\"0 0 " + width + " " + height +
                    "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"10\">\n<defs><marker id=\"tip\" "
                    "viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">"
                    "<path d=\"M0 0 L8 4 L0 8 z\" stroke=\"none\"/></marker></defs>\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<g fill=\"none\">\n";
  for (const Arc& a : picture.arcs())
    out += "<line x1=\"" + x(a.from) + "\" y1=\"" + y(a.from) + end_of(picture, a) +
           (a.object ? "\" stroke=\"#9ab4cf\" stroke-dasharray=\"4 3" : "\" stroke=\"#444444") +
           (a.reads ? "\"/>\n" : "\" marker-end=\"url(#tip)\"/>\n");
  out += "</g>\n";
  for (std::size_t i = 0; i < picture.nodes().size(); ++i) {
    const Node& n = picture.nodes()[i];
    if (n.box) {
      out += "<rect x=\"" + std::to_string(std::stoi(x(i)) - kColumn / 2 + 4) + "\" y=\"" +
             std::to_string(std::stoi(y(i)) - 9) + "\" width=\"" + std::to_string(kColumn - 8) +
             "\" height=\"18\" fill=\"#ffffff\" stroke=\"#000000\"/>\n<text text-anchor=\"middle\" x=\"" + x(i) +
             "\" y=\"" + std::to_string(std::stoi(y(i)) + 4) + "\">" + xml_text(n.label) + "</text>\n";
      continue;
    }
    out += "<circle cx=\"" + x(i) + "\" cy=\"" + y(i) + "\" r=\"9\" stroke=\"#000000\" fill=\"" + n.colour + "\"/>\n";
    if (n.initial) out += "<circle cx=\"" + x(i) + "\" cy=\"" + y(i) + "\" r=\"3\"/>\n";
    if (!n.label.empty())
      out += "<text text-anchor=\"middle\" x=\"" + x(i) + "\" y=\"" + std::to_string(std::stoi(y(i)) - 12) +
             "\" fill=\"#555555\">" + xml_text(n.label) + "</text>\n";
  }
  return out + "</svg>\n";
}

std::string to_html(const ProgramNet& net, const Describer& describer, const std::string& title) {
  const ProgramNet::Counts counts = net.counts();
  return drawing_page(title,
                      std::to_string(counts.places) + " places, " + std::to_string(counts.transitions) +
                          " transitions. White: local states of threads, orange: locks, blue: values of shared "
                          "variables. Dots mark the initial marking. Dashed: the value that is found and the one that "
                          "is left; without a tip it is the same.",
                      to_svg(net, describer));
}

}  // namespace heddle::net
