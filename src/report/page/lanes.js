// The lanes diagram: a lane per thread, time downward, a mark per operation. Only the rows in view exist as elements, and
// one drawing behind them holds lanes, lock spans, marks and edges of the same rows; both are redone on every scroll. That
// is what lets 20,000 steps scroll as smoothly as twenty.
//
// Rows are steps, and one more for the failure, which stands after the steps that led to it.
import {familyOf} from "./trace.js";
import {firstLine, h, s, shortPlace, threadColor} from "./dom.js";
import {mark, staleRing} from "./marks.js";
import {Minimap} from "./minimap.js";

export const ROW = 28; // pixels
const NUMBER = 52; // width of the column of step numbers
const WIDE_LANE = 124; // a lane this wide has room for words
const NARROW_LANE = 22;
const MOST_EDGES = 40; // of one step that are drawn; a broadcast may have thousands
const MARGIN = 6; // rows kept outside the view

// Rows of a trace with a failure after `failure.step` steps (null: none).
export class Rows {
  constructor(trace, failure) {
    this.trace = trace;
    this.failure = failure;
    this.failureRow = failure ? Math.min(failure.step, trace.length) : Infinity;
    this.count = trace.length + (failure ? 1 : 0);
    this.threads = trace.threads.length;
  }
  // -1 for the row of the failure.
  stepOf(row) {
    return row < this.failureRow ? row : row === this.failureRow ? -1 : row - 1;
  }
  rowOf(step) {
    return step < this.failureRow ? step : step + 1;
  }
  threadOf(row) {
    const step = this.stepOf(row);
    return step < 0 ? this.failure.thread : this.trace.data.thread[step];
  }
  // Steps done when this row is over.
  doneAt(row) {
    return row < this.failureRow ? row + 1 : row;
  }
}

export class Lanes {
  // `options`: places, label, tags (row -> [{text, kind}]), notes (row -> [{thread, text}]), onSelect(row), dimBefore (row), height (pixels at most).
  constructor(rows, options) {
    Object.assign(this, {rows, options, trace: rows.trace, cursor: 0, hovered: -1, pool: new Map()});
    this.scene = s("svg", {class: "scene", "aria-hidden": "true"});
    this.sheet = h("div", {class: "sheet", style: `height:${rows.count * ROW}px`}, this.scene);
    this.viewport = h(
      "div",
      {class: "viewport", tabindex: "0", role: "listbox", "aria-label": options.label},
      this.sheet,
    );
    this.head = h("div", {class: "lane-head", "aria-hidden": "true"});
    this.minimap = new Minimap(rows, (part) => this.seek(part));
    this.element = h(
      "div",
      {class: "lanes"},
      this.head,
      h("div", {class: "lanes-body"}, this.viewport, this.minimap.canvas),
    );
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.viewport);
  }

  listen() {
    this.viewport.addEventListener("scroll", () => this.schedule(), {passive: true});
    this.sheet.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch") return;
      this.hover(this.rowAt(event));
    });
    this.sheet.addEventListener("pointerleave", () => this.hover(-1));
    this.sheet.addEventListener("click", (event) => this.options.onSelect?.(this.rowAt(event)));
  }

  rowAt(event) {
    const y = event.clientY - this.sheet.getBoundingClientRect().top;
    return Math.min(this.rows.count - 1, Math.max(0, Math.floor(y / ROW)));
  }

  resize() {
    const width = this.viewport.clientWidth;
    if (width === 0) return;
    const threads = this.trace.threads.length;
    const room = width - NUMBER - 8;
    this.wide = room / threads >= WIDE_LANE;
    this.lane = this.wide ? room / threads : Math.max(12, Math.min(NARROW_LANE, (room * 0.45) / threads));
    this.element.classList.toggle("narrow", !this.wide);
    const tall = this.rows.count * ROW;
    this.minimap.canvas.hidden = tall <= this.viewport.clientHeight;
    this.drawHead();
    this.draw();
  }

  x(thread) {
    return NUMBER + (this.wide ? 22 : 12) + thread * this.lane;
  }

  drawHead() {
    this.head.replaceChildren(
      ...(this.wide
        ? this.trace.threads.map((name, t) =>
            h(
              "span",
              {
                style: `left:${this.x(t) - 8}px;width:${this.lane - 10}px;color:${threadColor(t)}`,
                title: name,
              },
              name,
            ),
          )
        : [
            h(
              "div",
              {class: "head-list", style: `padding-left:${NUMBER}px`},
              this.trace.threads
                .slice(0, 12)
                .map((name, t) => h("b", {style: `color:${threadColor(t)}`}, name)),
              this.trace.threads.length > 12 ? `and ${this.trace.threads.length - 12} more` : null,
            ),
          ]),
    );
  }

  schedule() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.draw();
    });
  }

  select(row, {scroll = true} = {}) {
    this.cursor = row;
    if (scroll) this.reveal(row);
    this.draw();
  }

  reveal(row) {
    const top = row * ROW,
      view = this.viewport,
      margin = Math.min(3 * ROW, view.clientHeight / 3);
    if (top < view.scrollTop + margin) view.scrollTop = top - margin;
    else if (top + ROW > view.scrollTop + view.clientHeight - margin)
      view.scrollTop = top + ROW + margin - view.clientHeight;
  }

  seek(part) {
    this.viewport.scrollTop = part * this.rows.count * ROW - this.viewport.clientHeight / 2;
  }

  hover(row) {
    if (row === this.hovered) return;
    this.hovered = row;
    this.schedule();
  }

  draw() {
    const view = this.viewport;
    if (view.clientHeight === 0 || this.lane === undefined) return;
    const first = Math.max(0, Math.floor(view.scrollTop / ROW) - MARGIN);
    const last = Math.min(
      this.rows.count - 1,
      Math.ceil((view.scrollTop + view.clientHeight) / ROW) + MARGIN,
    );
    this.drawRows(first, last);
    this.drawScene(first, last);
    this.minimap.draw({
      first: view.scrollTop / ROW,
      last: (view.scrollTop + view.clientHeight) / ROW,
      cursor: this.cursor,
      marks: (this.minimapMarks ??= this.findMarks()),
    });
  }

  findMarks() {
    const marks = [...(this.options.tags ?? new Map())].map(([row, tags]) => ({
      row,
      color: tags[0].kind === "critical" ? "--warn" : "--pair",
    }));
    if (this.rows.failure) marks.push({row: this.rows.failureRow, color: "--bad"});
    return marks;
  }

  drawRows(first, last) {
    for (const [row, element] of this.pool)
      if (
        row < first ||
        row > last ||
        element.dataset.wide !== String(this.wide) ||
        element.dataset.lane !== String(this.lane)
      ) {
        element.remove();
        this.pool.delete(row);
      }
    for (let row = first; row <= last; ++row) {
      if (!this.pool.has(row)) {
        const element = this.makeRow(row);
        this.pool.set(row, element);
        this.sheet.append(element);
      }
      const element = this.pool.get(row);
      element.classList.toggle("current", row === this.cursor);
      element.classList.toggle("hovered", row === this.hovered);
      element.setAttribute("aria-selected", row === this.cursor ? "true" : "false");
    }
    this.viewport.setAttribute("aria-activedescendant", this.pool.get(this.cursor)?.id ?? "");
  }

  makeRow(row) {
    const step = this.rows.stepOf(row),
      thread = this.rows.threadOf(row);
    const text =
      step < 0
        ? this.rows.failure.kind + ": " + firstLine(this.rows.failure.message)
        : this.trace.data.text[step];
    const place =
      step < 0 ? this.options.places[this.rows.failure.place] : this.options.places[this.trace.placeOf(step)];
    const tags = this.options.tags?.get(row) ?? [];
    const notes = this.options.notes?.get(row) ?? [];
    const said = notes
      .map((note) => (note.thread === thread ? "" : this.trace.threads[note.thread] + ": ") + note.text)
      .join(", ");
    const left = this.wide ? this.x(Math.max(0, thread)) + 14 : this.x(this.trace.threads.length - 1) + 16;
    const who = thread < 0 ? "" : this.trace.threads[thread];
    // A row has one operation, so its words may use the whole row, to the left of the mark if there is more room.
    const room = this.viewport.clientWidth - left - 8,
      needed = (text.length + said.length) * 7.6 + tags.length * 58;
    const special = step < 0 || tags.length > 0 || notes.length > 0;
    const before = this.wide && special && needed > room && left - 28 - NUMBER > room;
    const across = before
      ? `left:${NUMBER}px;width:${left - 28 - NUMBER}px;justify-content:flex-end`
      : `left:${left}px;width:${room}px`;
    const element = h(
      "div",
      {
        class: [
          "row",
          step < 0 ? "failure" : "",
          row > this.rows.failureRow ? "after" : "",
          row < (this.options.dimBefore ?? 0) ? "common" : "",
          ...tags.map((tag) => "tag-" + tag.kind),
          step > 0 && this.trace.data.thread[step - 1] !== thread ? "switch" : "",
          step >= 0 && this.trace.data.stale[step] && this.trace.reads(step) ? "stale" : "",
        ]
          .filter(Boolean)
          .join(" "),
        role: "option",
        id: `${this.options.id}-row-${row}`,
        style: `top:${row * ROW}px`,
        "data-row": row,
        "data-wide": String(this.wide),
        "data-lane": String(this.lane),
        "aria-posinset": row + 1,
        "aria-setsize": this.rows.count,
        "aria-label": `${step < 0 ? "failure" : "step " + (step + 1)}${who ? ", " + who : ""}: ${text}${said ? ", then " + said : ""}${place ? ", " + place[3] : ""}`,
        title: [place ? `${text}, ${place[3]}` : text, said].filter(Boolean).join("\n"),
      },
      h("span", {class: "number"}, step < 0 ? "" : String(step + 1)),
      step < 0 && thread < 0 && this.wide
        ? this.waiters()
        : h(
            "span",
            {class: "what", style: across},
            this.wide || thread < 0 ? null : h("b", {style: `color:${threadColor(thread)}`}, who + " "),
            h("span", {}, text),
            notes.length ? h("span", {class: "data"}, said) : null,
            tags.map((tag) => h("em", {class: "tag " + tag.kind}, tag.text)),
            this.wide ? null : h("small", {}, shortPlace(place)),
          ),
    );
    return element;
  }

  // In the row of a deadlock every blocked thread says what it waits for.
  waiters() {
    return this.trace.data.waits.map(({thread, text}) =>
      h(
        "span",
        {
          class: "what",
          style: `left:${this.x(thread) + 14}px;width:${this.lane - 30}px`,
        },
        h("span", {}, "waits: " + text),
      ),
    );
  }

  drawScene(first, last) {
    const top = first * ROW,
      height = (last - first + 1) * ROW;
    this.scene.setAttribute("viewBox", `0 ${top} ${this.viewport.clientWidth} ${height}`);
    this.scene.setAttribute("style", `top:${top}px;height:${height}px;width:${this.viewport.clientWidth}px`);
    this.scene.replaceChildren(
      ...this.laneLines(first, last),
      ...this.lockSpans(first, last),
      ...this.switchLines(first, last),
      ...this.staleEdges(first, last),
      ...this.edges(first, last),
      ...this.marks(first, last),
    );
  }

  y(row) {
    return row * ROW + ROW / 2;
  }

  laneLines(first, last) {
    return this.trace.threads
      .map((_, thread) => {
        const steps = this.trace.stepsOf[thread],
          spawned = this.trace.spawnedAt[thread];
        const from = Math.max(first - 1, spawned >= 0 ? this.rows.rowOf(spawned) : 0);
        const pending = this.trace.data.pending.some((p) => p.thread === thread);
        const to = Math.min(
          last + 1,
          pending ? this.rows.count - 1 : steps.length ? this.rows.rowOf(steps.at(-1)) : 0,
        );
        if (to < from) return null;
        return s("line", {
          class: "lane-line",
          x1: this.x(thread),
          x2: this.x(thread),
          y1: this.y(from),
          y2: this.y(to),
          stroke: threadColor(thread),
        });
      })
      .filter(Boolean);
  }

  lockSpans(first, last) {
    const from = Math.max(0, this.rows.stepOf(first)),
      to = last > this.rows.failureRow ? last - 1 : last;
    return this.trace.spansBetween(from, to).map((span) => {
      const y1 = this.y(Math.max(first - 1, this.rows.rowOf(span.from)));
      const y2 = this.y(
        Math.min(last + 1, span.to >= this.trace.length ? this.rows.count - 1 : this.rows.rowOf(span.to)),
      );
      const x = this.x(span.thread) - 12 - Math.min(span.slot, this.wide ? 1 : 0) * 5;
      return s(
        "rect",
        {
          class: "lock-span" + (span.shared ? " shared" : ""),
          x,
          y: y1 - 5,
          width: 4,
          height: y2 - y1 + 10,
          rx: 2,
          fill: `var(--lock-${span.object % 5})`,
        },
        s("title", {}, `${this.trace.threads[span.thread]} holds ${this.trace.objects[span.object]}`),
      );
    });
  }

  switchLines(first, last) {
    const lines = [];
    for (let row = Math.max(1, first); row <= last; ++row) {
      const step = this.rows.stepOf(row);
      if (step < 1) continue;
      const a = this.trace.data.thread[step - 1],
        b = this.trace.data.thread[step];
      if (a === b) continue;
      const x1 = this.x(a),
        x2 = this.x(b),
        y1 = this.y(this.rows.rowOf(step - 1)),
        y2 = this.y(row),
        middle = (y1 + y2) / 2;
      lines.push(
        s("path", {
          class: "switch-line" + (this.trace.preempts.has(step) ? " preempts" : ""),
          d: `M${x1} ${y1}C${x1} ${middle} ${x1} ${middle} ${(x1 + x2) / 2} ${middle}S${x2} ${middle} ${x2} ${y2}`,
        }),
      );
    }
    return lines;
  }

  // What a stale read reads, and the newer write that it misses: always there, as they are what a reader looks for.
  staleEdges(first, last) {
    const found = [];
    for (let row = first; row <= last; ++row) {
      const step = this.rows.stepOf(row),
        stale = step < 0 ? undefined : this.trace.data.stale[step];
      if (!stale || !this.trace.reads(step)) continue;
      const [source, newest] = stale;
      if (source >= 0) found.push(this.edge(this.rows.rowOf(source), row, "stale", first, last));
      found.push(this.edge(this.rows.rowOf(newest), row, "missed", first, last));
    }
    return found;
  }

  // Of the step under the pointer, or else of the current one.
  edges(first, last) {
    const row = this.hovered >= 0 ? this.hovered : this.cursor;
    const step = this.rows.stepOf(row);
    if (step < 0) return [];
    const found = [];
    const add = (from, to, kind) => {
      if (found.length < MOST_EDGES)
        found.push(this.edge(this.rows.rowOf(from), this.rows.rowOf(to), kind, first, last));
    };
    const source = this.trace.readsFrom[step],
      stale = (read) => this.trace.data.stale[read] !== undefined; // those are there anyway
    if (source >= 0 && !stale(step)) add(source, step, "reads");
    for (const reader of this.trace.readers.get(step) ?? []) if (!stale(reader)) add(step, reader, "reads");
    for (const cause of this.trace.causes.get(step) ?? []) if (cause !== source) add(cause, step, "order");
    const readers = new Set(this.trace.readers.get(step) ?? []);
    for (const effect of this.trace.effects.get(step) ?? [])
      if (!readers.has(effect)) add(step, effect, "order");
    return found;
  }

  edge(from, to, kind, first, last) {
    const x1 = this.x(this.rows.threadOf(from)),
      x2 = this.x(this.rows.threadOf(to));
    const y1 = this.y(Math.max(first - 2, from)),
      y2 = this.y(Math.min(last + 2, to));
    const bow = x1 === x2 ? 16 : 0,
      end = y2 - 8;
    const middle = (y1 + end) / 2;
    const d = bow
      ? `M${x1} ${y1}C${x1 + bow} ${middle} ${x2 + bow} ${middle} ${x2 + 5} ${end + 3}`
      : `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${end}`;
    const tip = bow ? x2 + 5 : x2;
    return s(
      "g",
      {class: "edge " + kind},
      s("path", {d}),
      s("path", {class: "tip", d: `M${tip - 4} ${end - 3}L${tip} ${end + 3}L${tip + 4} ${end - 3}Z`}),
    );
  }

  marks(first, last) {
    const marks = [];
    for (let row = first; row <= last; ++row) {
      const step = this.rows.stepOf(row),
        y = this.y(row);
      if (step >= 0) {
        const thread = this.trace.data.thread[step];
        marks.push(mark(familyOf(this.trace.words[step]), this.x(thread), y, threadColor(thread)));
        if (this.trace.data.stale[step] && this.trace.reads(step)) marks.push(staleRing(this.x(thread), y));
      } else if (this.rows.failure.thread >= 0)
        marks.push(mark("failure", this.x(this.rows.failure.thread), y));
      else
        this.trace.data.pending
          .filter((p) => !p.enabled)
          .forEach((p) => marks.push(mark("failure", this.x(p.thread), y)));
    }
    return marks;
  }
}
