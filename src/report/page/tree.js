// The execution tree of a small exploration, root at the left: a branch is a point where two executions take different
// threads, a leaf is where one ended.
import {h, s, plural, threadColor} from "./dom.js";

const LEAF = 22,
  LEVEL = 74;
const COLORS = {complete: "var(--good)", failed: "var(--bad)", deadlock: "var(--bad)"};

function layout(nodes) {
  const children = nodes.map(() => []);
  nodes.forEach((node, i) => node.parent >= 0 && children[node.parent].push(i));
  const depth = [],
    y = new Array(nodes.length).fill(0);
  nodes.forEach((node, i) => (depth[i] = node.parent < 0 ? 0 : depth[node.parent] + 1));
  let leaves = 0;
  // Parents come before children, so a walk from the end meets children first; leaves are numbered in reading order.
  const number = (i) => {
    const stack = [i];
    while (stack.length) {
      const node = stack.pop();
      if (children[node].length === 0) y[node] = leaves++;
      else for (let c = children[node].length; c-- > 0;) stack.push(children[node][c]);
    }
  };
  number(0);
  for (let i = nodes.length; i-- > 0;)
    if (children[i].length) y[i] = children[i].reduce((sum, c) => sum + y[c], 0) / children[i].length;
  return {depth, y, leaves, levels: Math.max(...depth)};
}

export function executionTree(data, threadNames) {
  const nodes = data.tree;
  if (nodes.length < 2) return null;
  const {depth, y, leaves, levels} = layout(nodes);
  const px = (i) => 16 + depth[i] * LEVEL,
    py = (i) => 16 + y[i] * LEAF;
  const width = 32 + levels * LEVEL + 120,
    height = 32 + (leaves - 1) * LEAF;
  const name = (thread) => threadNames[thread] ?? `thread ${thread}`;
  const status = h(
    "p",
    {class: "tree-status muted", "aria-live": "polite"},
    "Point at a branch or a leaf to read it.",
  );
  const words = (i) => {
    const node = nodes[i];
    const way =
      node.parent < 0
        ? "Start"
        : node.steps === 0
          ? "Ends where others go on"
          : `${name(node.thread)} goes first: ${node.text}`;
    const end = node.execution ? `; execution ${node.execution} ends: ${node.kind ?? node.outcome}` : "";
    return `${way} (${plural(node.steps, "step")})${end}`;
  };
  const say = (i) => () => (status.textContent = words(i));
  const drawing = s(
    "svg",
    {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `Execution tree with ${plural(leaves, "execution")}`,
    },
    nodes.map((node, i) => {
      if (node.parent < 0) return null;
      const x1 = px(node.parent),
        y1 = py(node.parent),
        x2 = px(i),
        y2 = py(i),
        middle = (x1 + x2) / 2;
      return s(
        "g",
        {class: "branch", onpointerenter: say(i)},
        s("path", {class: "hit", d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`}),
        s("path", {
          d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`,
          stroke: threadColor(node.thread),
        }),
      );
    }),
    nodes.map((node, i) => {
      if (!node.execution)
        return s(
          "circle",
          {class: "node", cx: px(i), cy: py(i), r: 3.5, onpointerenter: say(i)},
          s("title", {}, words(i)),
        );
      const color = COLORS[node.outcome] ?? "var(--muted)";
      return s(
        "g",
        {class: "leaf", onpointerenter: say(i)},
        s("circle", {cx: px(i), cy: py(i), r: 6, fill: color}),
        s("title", {}, words(i)),
        s("text", {x: px(i) + 12, y: py(i) + 4}, `${node.execution}${node.kind ? " " + node.kind : ""}`),
      );
    }),
  );
  return h(
    "section",
    {class: "panel", id: "tree"},
    h("h2", {}, "Execution tree"),
    h(
      "p",
      {class: "muted"},
      "Every execution of this exploration, from left to right. Where lines part, a different thread goes on; a line has the colour of the thread that went first on it.",
    ),
    h(
      "ul",
      {class: "legend"},
      threadNames
        .slice(0, 8)
        .map((thread, t) =>
          h("li", {}, h("i", {class: "key", style: `background:${threadColor(t)}`}), thread),
        ),
      [
        ["complete", "ended well"],
        ["failed", "failed"],
        ["asleep", "redundant or cut"],
      ].map(([outcome, text]) =>
        h(
          "li",
          {},
          h("i", {class: "key dot", style: `background:${COLORS[outcome] ?? "var(--muted)"}`}),
          text,
        ),
      ),
    ),
    h("div", {class: "tree-box", tabindex: "0"}, drawing),
    status,
  );
}
