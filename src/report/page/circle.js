// The circle of a deadlock: threads and what they wait for, each pointing at the next.
import {s, threadColor} from "./dom.js";

const RING_WIDTH = 560,
  RING_HEIGHT = 230,
  RING_BOX = 34,
  RING_LETTER = 7.6;

// Where the line from the middle of a box towards a point leaves the box.
function edgeOf(box, toX, toY) {
  const dx = toX - box.x,
    dy = toY - box.y;
  const part = Math.min(
    dx === 0 ? Infinity : (box.width / 2 + 4) / Math.abs(dx),
    dy === 0 ? Infinity : (RING_BOX / 2 + 4) / Math.abs(dy),
  );
  return [box.x + dx * part, box.y + dy * part];
}

// `nodes`: names of threads and of what they wait for, in turn, round and round.
export function waitingCircle(nodes, threads) {
  const boxes = nodes.map((name, i) => {
    const angle = (2 * Math.PI * i) / nodes.length - Math.PI / 2;
    const shown = name.length > 22 ? ".." + name.slice(-20) : name;
    return {
      name,
      shown,
      thread: threads.indexOf(name),
      width: shown.length * RING_LETTER + 24,
      x: RING_WIDTH / 2 + Math.cos(angle) * (RING_WIDTH / 2 - 100),
      y: RING_HEIGHT / 2 + Math.sin(angle) * (RING_HEIGHT / 2 - RING_BOX / 2 - 4),
    };
  });
  return s(
    "svg",
    {
      class: "waiting-circle",
      viewBox: `0 0 ${RING_WIDTH} ${RING_HEIGHT}`,
      role: "img",
      "aria-label": `${nodes.join(" waits for or is held by ")}, and so on`,
    },
    boxes.map((box, i) => {
      const next = boxes[(i + 1) % boxes.length];
      const [x1, y1] = edgeOf(box, next.x, next.y),
        [x2, y2] = edgeOf(next, box.x, box.y);
      const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
      const words = box.thread >= 0 ? (next.thread >= 0 ? "joins" : "waits for") : "held by";
      return s(
        "g",
        {class: "wait" + (box.thread >= 0 ? "" : " held")},
        s("path", {d: `M${x1} ${y1}L${x2} ${y2}`}),
        s("path", {class: "tip", d: "M0 0L-9 -4.5L-9 4.5Z", transform: `translate(${x2} ${y2}) rotate(${angle})`}),
        s("text", {class: "words", x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 6, "text-anchor": "middle"}, words),
      );
    }),
    boxes.map((box) =>
      s(
        "g",
        {class: box.thread >= 0 ? "thread" : "lock", style: box.thread >= 0 ? `--own:${threadColor(box.thread)}` : null},
        s("title", {}, box.name),
        s("rect", {
          x: box.x - box.width / 2,
          y: box.y - RING_BOX / 2,
          width: box.width,
          height: RING_BOX,
          rx: box.thread >= 0 ? RING_BOX / 2 : 6,
        }),
        s("text", {x: box.x, y: box.y + 5, "text-anchor": "middle"}, box.shown),
      ),
    ),
  );
}
