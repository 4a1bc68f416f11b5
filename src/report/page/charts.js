// How the exploration went, as lines over time, or over executions where it was over before a clock was worth reading.
import {h, s, seconds} from "./dom.js";

const WIDTH = 640,
  HEIGHT = 200,
  LEFT = 56,
  BOTTOM = 26,
  TOP = 12,
  RIGHT = 30;

function niceTicks(most, count = 4) {
  if (most <= 0) return [0];
  const raw = most / count,
    power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((candidate) => candidate >= raw);
  const ticks = [];
  for (let tick = 0; tick <= most * 1.0001; tick += step) ticks.push(Number(tick.toPrecision(6)));
  return ticks;
}

const compact = (value) =>
  value >= 1e6
    ? `${+(value / 1e6).toPrecision(3)}M`
    : value >= 1e4
      ? `${+(value / 1e3).toPrecision(3)}k`
      : `${+value.toPrecision(4)}`;

// series: [{name, color, points: [[x, y], ...]}]
function lineChart(title, series, formatX) {
  const mostX = Math.max(...series.flatMap((one) => one.points.map((p) => p[0])), 1e-9);
  const mostY = Math.max(...series.flatMap((one) => one.points.map((p) => p[1])), 1);
  const x = (value) => LEFT + (value / mostX) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (value / (mostY * 1.05)) * (HEIGHT - BOTTOM - TOP);
  const readout = h("output", {class: "readout"}, "");
  const cursor = s("line", {class: "chart-cursor", y1: TOP, y2: HEIGHT - BOTTOM, x1: -9, x2: -9});
  const drawing = s(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": `${title}: ${series
        .map((one) => `${one.name} up to ${compact(one.points.at(-1)[1])}`)
        .join(", ")}`,
    },
    niceTicks(mostY * 1.05).map((tick) => [
      s("line", {class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick)}),
      s("text", {x: LEFT - 8, y: y(tick) + 4, "text-anchor": "end"}, compact(tick)),
    ]),
    niceTicks(mostX, 5).map((tick) =>
      s("text", {x: x(tick), y: HEIGHT - 7, "text-anchor": "middle"}, formatX(tick)),
    ),
    series.map((one) =>
      s("polyline", {
        points: one.points.map((p) => `${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}`).join(" "),
        stroke: one.color,
        fill: "none",
        "stroke-width": 2,
        "stroke-linejoin": "round",
      }),
    ),
    cursor,
  );
  drawing.addEventListener("pointermove", (event) => {
    const box = drawing.getBoundingClientRect();
    const at = ((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT)) * mostX;
    const points = series[0].points;
    const nearest = points.reduce(
      (best, point, i) => (Math.abs(point[0] - at) < Math.abs(points[best][0] - at) ? i : best),
      0,
    );
    cursor.setAttribute("x1", x(points[nearest][0]));
    cursor.setAttribute("x2", x(points[nearest][0]));
    readout.textContent =
      `${formatX(points[nearest][0])}: ` +
      series.map((one) => `${compact(one.points[nearest]?.[1] ?? 0)} ${one.name}`).join(", ");
  });
  return h(
    "figure",
    {class: "chart"},
    h(
      "figcaption",
      {},
      h("b", {}, title),
      series.map((one) => h("span", {}, h("i", {style: `background:${one.color}`}), one.name)),
      readout,
    ),
    drawing,
  );
}

function overTime(history) {
  const column = (index) => [[0, 0], ...history.map((sample) => [sample[0], sample[index]])];
  const rates = history
    .map((sample, i) => {
      const [t, n] = i ? history[i - 1] : [0, 0];
      return [sample[0], sample[0] > t ? (sample[1] - n) / (sample[0] - t) : 0];
    })
    .filter((point, i, all) => i < all.length - 1 || point[1] > 0);
  const asTime = (value) => (value === 0 ? "0" : seconds(value));
  return [
    lineChart(
      "Explored",
      [
        {name: "executions", color: "var(--thread-0)", points: column(1)},
        {name: "classes", color: "var(--thread-2)", points: column(2)},
        {name: "findings", color: "var(--bad)", points: column(3)},
      ].filter((one, i) => i < 2 || one.points.at(-1)[1] > 0),
      asTime,
    ),
    lineChart("Executions a second", [{name: "a second", color: "var(--thread-4)", points: rates}], asTime),
  ];
}

function overExecutions(tree) {
  const ends = tree.filter((node) => node.execution).sort((a, b) => a.execution - b.execution);
  const count = (wanted) => {
    let total = 0;
    return [[0, 0], ...ends.map((node) => [node.execution, (total += wanted(node) ? 1 : 0)])];
  };
  const bad = (node) => node.outcome === "failed" || node.outcome === "deadlock";
  return [
    lineChart(
      "How the executions ended",
      [
        {name: "well", color: "var(--good)", points: count((node) => node.outcome === "complete")},
        {name: "with a failure", color: "var(--bad)", points: count(bad)},
        {
          name: "redundant or cut",
          color: "var(--muted)",
          points: count((node) => !bad(node) && node.outcome !== "complete"),
        },
      ],
      (value) => (Number.isInteger(value) ? `#${value}` : ""),
    ),
  ];
}

export function statistics(data) {
  const charts =
    data.history.length > 3 ? overTime(data.history) : data.tree.length ? overExecutions(data.tree) : [];
  const facts = [
    ["executions", data.executions],
    ["distinct classes", data.classes],
    ["failed classes", data.failed],
    ["deadlocked classes", data.deadlocked],
    ["redundant (asleep)", data.asleep],
    ["cut by the step bound", data.cut],
    ["infeasible", data.infeasible],
    ["states", data.states],
    ["visible operations", data.steps],
  ];
  return h(
    "section",
    {class: "panel statistics", id: "statistics"},
    h("h2", {}, "Exploration"),
    h(
      "dl",
      {class: "facts"},
      facts
        .filter(([, value], i) => value > 0 || i < 2)
        .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value.toLocaleString("en")))),
    ),
    h("div", {class: "charts"}, charts),
  );
}
