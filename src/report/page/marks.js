// Marks: what an operation looks like in the lanes, and the legend that says so.
import {h, s} from "./dom.js";

// `family`: see familyOf().
export function mark(family, x, y, color) {
  const solid = {fill: color, stroke: color},
    hollow = {fill: "var(--panel)", stroke: color};
  const diamond = `M${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}L${x - 6} ${y}Z`;
  switch (family) {
    case "read":
      return s("circle", {cx: x, cy: y, r: 4.5, ...hollow});
    case "write":
      return s("circle", {cx: x, cy: y, r: 5, ...solid});
    case "update":
      return s("path", {d: diamond, ...solid});
    case "update-failed":
      return s("path", {d: diamond, ...hollow});
    case "lock":
      return s("rect", {x: x - 5, y: y - 5, width: 10, height: 10, rx: 1.5, ...solid});
    case "unlock":
      return s("rect", {x: x - 4.5, y: y - 4.5, width: 9, height: 9, rx: 1.5, ...hollow});
    case "lock-failed":
      return s(
        "g",
        {},
        s("rect", {x: x - 4.5, y: y - 4.5, width: 9, height: 9, rx: 1.5, ...hollow}),
        s("path", {d: `M${x - 3} ${y - 3}L${x + 3} ${y + 3}`, stroke: color}),
      );
    case "thread":
      return s("path", {
        d: `M${x - 6} ${y}H${x + 6}M${x + 2} ${y - 4}L${x + 6} ${y}L${x + 2} ${y + 4}`,
        fill: "none",
        stroke: color,
      });
    case "failure":
      return s(
        "g",
        {class: "failure-mark"},
        s("circle", {cx: x, cy: y, r: 9, fill: "var(--bad)", stroke: "none"}),
        s("path", {
          d: `M${x - 3.5} ${y - 3.5}L${x + 3.5} ${y + 3.5}M${x + 3.5} ${y - 3.5}L${x - 3.5} ${y + 3.5}`,
          stroke: "#fff",
        }),
      );
    default:
      return s("path", {d: `M${x} ${y - 5.5}L${x + 5.5} ${y + 4.5}L${x - 5.5} ${y + 4.5}Z`, ...solid});
  }
}

// Around a read that does not find the newest write.
export function staleRing(x, y) {
  return s("circle", {class: "stale-ring", cx: x, cy: y, r: 9});
}

// `stale`: there are such reads.
export function legend(stale) {
  const entries = [
    ["read", "read"],
    ["write", "write"],
    ["update", "read and write"],
    ["lock", "lock"],
    ["unlock", "unlock"],
    ["signal", "wait, signal"],
    ["thread", "start, join"],
    ["failure", "failure"],
  ];
  return h(
    "ul",
    {class: "legend", "aria-label": "What the marks mean"},
    entries.map(([family, text]) =>
      h(
        "li",
        {},
        s(
          "svg",
          {width: 20, height: 20, viewBox: "0 0 20 20", "aria-hidden": "true"},
          mark(family, 10, 10, "var(--ink)"),
        ),
        text,
      ),
    ),
    h("li", {}, h("i", {class: "key span-key"}), "lock held"),
    h("li", {}, h("i", {class: "key preempt-key"}), "pre-emption"),
    h("li", {}, h("i", {class: "key order-key"}), "happens before"),
    h("li", {}, h("i", {class: "key reads-key"}), "reads from"),
    stale ? h("li", {}, h("i", {class: "key stale-key"}), "stale read, from the write that it reads") : null,
    stale ? h("li", {}, h("i", {class: "key missed-key"}), "newer write that it misses") : null,
  );
}
