// The whole execution in a strip beside the lanes: which thread ran when, what is marked, and what is in view.
import {h} from "./dom.js";

export class Minimap {
  constructor(rows, onSeek) {
    this.rows = rows;
    this.onSeek = onSeek;
    this.canvas = h("canvas", {
      class: "minimap",
      "aria-hidden": "true",
      title: "The whole execution; click to go there",
    });
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.seek(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.seek(event);
    });
  }

  seek(event) {
    const box = this.canvas.getBoundingClientRect();
    this.onSeek(Math.min(1, Math.max(0, (event.clientY - box.top) / box.height)));
  }

  // `view`: {first, last, cursor, marks: [{row, color}]}, rows as numbers.
  draw(view) {
    const width = this.canvas.clientWidth,
      height = this.canvas.clientHeight;
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    const color = (name) => style.getPropertyValue(name).trim();
    const y = (row) => (row / this.rows.count) * height;
    const palette = Array.from({length: 8}, (_, i) => color(`--thread-${i}`));
    const threads = Math.max(1, this.rows.threads),
      lane = (width - 10) / threads;
    const tall = Math.max(1, height / this.rows.count);
    // One mark a pixel is all that can be seen.
    const stride = Math.max(1, Math.floor(this.rows.count / height / 4));
    for (let row = 0; row < this.rows.count; row += stride) {
      const thread = this.rows.threadOf(row);
      if (thread < 0) continue;
      context.fillStyle = palette[thread % 8];
      context.fillRect(4 + thread * lane, y(row), Math.max(1.5, lane - 1), tall);
    }
    for (const mark of view.marks) {
      context.fillStyle = color(mark.color);
      context.fillRect(0, y(mark.row) - 1, width, 2.5);
    }
    context.fillStyle = color("--accent");
    context.fillRect(0, y(view.cursor + 0.5) - 1, width, 2);
    context.strokeStyle = color("--accent");
    context.globalAlpha = 0.7;
    context.strokeRect(
      0.75,
      y(view.first) + 0.75,
      width - 1.5,
      Math.max(6, y(view.last) - y(view.first)) - 1.5,
    );
  }
}
