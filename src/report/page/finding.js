// One finding: what is wrong, why, and a stepper through the execution that shows it.
import {Trace, lastAtMost} from "./trace.js";
import {Lanes, Rows} from "./lanes.js";
import {waitingCircle} from "./circle.js";
import {legend} from "./marks.js";
import {SourcePanel} from "./source.js";
import {ValuesPanel} from "./values.js";
import {firstLine, h, icon, plural, shortPlace, threadColor} from "./dom.js";

const MOST_IN_CIRCLE = 12; // threads and locks that are drawn
const SHORT = 16; // rows; below so short a diagram there is room for the values

// A sentence of the report's; words between backticks are code.
function prose(text) {
  const sentence = text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
  return sentence.split("`").map((piece, i) => (i % 2 ? h("code", {}, piece) : piece));
}

export class FindingView {
  // `onMove`: called with a name for where the reader has gone to.
  constructor(finding, data, sources, number, onMove) {
    Object.assign(this, {finding, data, sources, number, onMove, row: 0});
    this.trace = new Trace(finding.trace, data.operations);
    this.explanation = finding.explanation ?? {};
    this.failure = finding;
    this.rows = new Rows(this.trace, {
      kind: finding.kind,
      message: finding.message,
      step: finding.step,
      thread: finding.thread,
      place: finding.place,
    });
    // The pair that was turned round; without one, the last that met, unless it is known that no order helps.
    const pair =
      this.explanation.first !== undefined
        ? [this.explanation.first, this.explanation.second]
        : this.explanation.inevitable
          ? []
          : (finding.pair ?? []);
    this.first = pair[0] ?? null;
    this.second = pair[1] ?? null;
    this.critical = this.explanation.critical ?? null;
    this.build();
  }

  // Of a data race both orders fail; that both happen is the point.
  isRace() {
    return this.finding.kind === "data-race";
  }

  build() {
    this.sourcePanel = new SourcePanel(this.trace, this.sources);
    this.values = new ValuesPanel(this.trace, this.finding.data ?? [], (step) => this.go(this.rows.rowOf(step)));
    this.lanes = new Lanes(this.rows, {
      id: `finding-${this.number}`,
      places: this.data.places,
      tags: this.tags(),
      notes: this.notes(),
      label: "Steps of the failing execution",
      onSelect: (row) => this.go(row, {scroll: false}),
    });
    const short = this.rows.count < SHORT;
    this.announcement = h("p", {class: "visually-hidden", "aria-live": "polite"});
    this.element = h(
      "section",
      {class: "finding", id: `finding-${this.number}`, "aria-label": `Finding ${this.number}`},
      this.heading(),
      this.why(),
      this.inputs(),
      this.waiting(),
      this.stepper(),
      h(
        "div",
        {class: "workbench"},
        h(
          "div",
          {class: "side"},
          h("div", {class: "panel lanes-panel"}, this.lanes.element, legend(this.trace.hasStaleReads())),
          short ? this.values.element : null,
        ),
        h("div", {class: "side"}, this.sourcePanel.element, short ? null : this.values.element),
      ),
      this.announcement,
      this.comparison(),
      this.replay(),
    );
  }

  // An event of the explanation: a step, or from the number of steps on something still pending in the end.
  event(index) {
    if (index === null || index === undefined) return null;
    if (index < this.trace.length)
      return {
        thread: this.trace.data.thread[index],
        place: this.trace.placeOf(index),
        text: this.trace.data.text[index],
        row: this.rows.rowOf(index),
        step: index,
        word: this.trace.words[index],
      };
    const pending = this.trace.data.pending[index - this.trace.length];
    if (!pending) return null;
    const object = pending.object < 0 ? "" : " " + this.trace.objects[pending.object];
    return {
      thread: pending.thread,
      place: pending.place,
      text: this.trace.operations[pending.op] + object,
      row: this.rows.failureRow,
      step: -1,
      word: this.trace.operations[pending.op],
    };
  }

  tags() {
    const tags = new Map();
    const add = (index, text, kind) => {
      const event = this.event(index);
      if (!event || event.step < 0) return;
      if (!tags.has(event.row)) tags.set(event.row, []);
      tags.get(event.row).push({text, kind});
    };
    add(this.first, "1st", "pair");
    add(this.second, "2nd", "pair");
    add(this.critical, "critical", "critical");
    return tags;
  }

  // What a thread does with data right after a step, by the step's row.
  notes() {
    const notes = new Map();
    for (const note of this.finding.data ?? []) {
      if (!note.shown || note.done === 0) continue;
      const row = this.rows.rowOf(note.done - 1);
      if (!notes.has(row)) notes.set(row, []);
      notes.get(row).push(note);
    }
    return notes;
  }

  heading() {
    const f = this.finding,
      place = this.data.places[f.place];
    return h(
      "header",
      {class: "finding-head"},
      h("h2", {}, h("span", {class: "badge bad"}, f.kind), h("span", {class: "mono"}, firstLine(f.message))),
      h(
        "p",
        {class: "muted"},
        f.thread >= 0
          ? ["in ", h("b", {style: `color:${threadColor(f.thread)}`}, this.trace.threads[f.thread])]
          : "of the whole program",
        place ? [" at ", h("span", {class: "mono"}, place[3])] : null,
        f.count > 1 ? `, in ${plural(f.count, "execution")}` : "",
        "; ",
        f.story?.minimized || this.length(),
      ),
      this.details(),
    );
  }

  // What a message says after its first line: a stack, or the other side of a race. A stack of one frame is no news.
  details() {
    const lines = this.finding.message.split("\n").slice(1);
    const place = this.data.places[this.finding.place];
    if (!lines.length || (lines.length === 1 && place && lines[0].endsWith(place[3]))) return null;
    return h("pre", {class: "details"}, lines.join("\n"));
  }

  length() {
    const switches = this.trace.switches.filter((step) => step < this.finding.step).length;
    return `after ${plural(this.finding.step, "step")} and ${plural(switches, "switch", "switches")}`;
  }

  why() {
    const first = this.event(this.first),
      second = this.event(this.second);
    const story = this.finding.story ?? {};
    const known = this.explanation.first !== undefined;
    // Of a pair the two boxes and the line below them say what the sentence would; of a race it says what to do.
    const lines = [known && second && !this.isRace() ? "" : story.decisive, story.pattern, story.orders, story.critical].filter(Boolean);
    if (!first && !lines.length) return null;
    const pattern = this.explanation.pattern;
    return h(
      "section",
      {class: "panel why", "aria-label": "Why"},
      h(
        "h3",
        {},
        pattern
          ? `Why: ${pattern}`
          : known
            ? "Why: the order of two steps"
            : first
              ? this.finding.missed
                ? "Why: a read that misses a write"
                : "Where the threads met last"
              : "Why",
      ),
      first
        ? h(
            "div",
            {class: "pair"},
            this.half(first, second ? "1st" : "here"),
            second ? h("span", {class: "then", "aria-hidden": "true"}, "then") : null,
            second ? this.half(second, "2nd") : null,
          )
        : null,
      known || lines.length
        ? null
        : h(
            "p",
            {},
            "These are the last two steps of different threads whose order matters; look here first.",
          ),
      known && second && this.explanation.reversed && !this.isRace()
        ? h(
            "p",
            {class: "verified"},
            "In this order the run fails. The other way round it succeeds: Heddle has run it.",
          )
        : null,
      this.together(),
      lines.length
        ? h(
            "ul",
            {class: "story"},
            lines.map((line) => h("li", {}, prose(line))),
          )
        : null,
    );
  }

  // The two lines that a pattern finds torn apart.
  together() {
    const check = this.event(this.explanation.check),
      act = this.event(this.explanation.act);
    if (!check || !act || check.thread !== act.thread) return null;
    const lines = this.sources.apart(check.place, act.place);
    return h(
      "div",
      {class: "together", style: `--own:${threadColor(check.thread)}`},
      h(
        "p",
        {},
        h("b", {}, this.trace.threads[check.thread]),
        " " + this.tornBy(),
      ),
      [check, act].map((event, i) =>
        h(
          "button",
          {class: "torn", onclick: () => this.go(event.row)},
          h("span", {class: "at"}, lines[i].place),
          h("code", {}, lines[i].text || event.text),
          h(
            "small",
            {},
            event.text,
            lines[i].inside ? ` at ${shortPlace(this.data.places[event.place])}` : "",
          ),
        ),
      ),
    );
  }

  // The report's words, but for the name of the thread, which has its colour.
  tornBy() {
    const words = this.finding.story?.tornBy ?? "",
      name = this.trace.threads[this.event(this.explanation.check).thread];
    return (words.startsWith(name + " ") ? words.slice(name.length + 1) : words) + ":";
  }

  half(event, rank) {
    return h(
      "button",
      {class: "half", style: `--own:${threadColor(event.thread)}`, onclick: () => this.go(event.row)},
      h(
        "span",
        {class: "half-head"},
        h("em", {class: "tag pair"}, rank),
        h("b", {}, this.trace.threads[event.thread]),
        h("span", {class: "at"}, shortPlace(this.data.places[event.place])),
      ),
      h("code", {}, this.sources.lineAt(event.place) || event.text),
      h("small", {}, event.text),
      this.sources.callers(event.place, 1),
    );
  }

  inputs() {
    if (!this.finding.inputs?.length) return null;
    return h(
      "section",
      {class: "panel waiting inputs"},
      h("h3", {}, "Inputs that lead here"),
      h(
        "ul",
        {},
        this.finding.inputs.map((line) => h("li", {}, h("code", {}, line))),
      ),
    );
  }

  waiting() {
    if (!this.finding.waiting?.length) return null;
    return h(
      "section",
      {class: "panel waiting"},
      h("h3", {}, "Who waits for whom"),
      h(
        "ul",
        {},
        this.finding.waiting.map((line) => h("li", {}, line)),
      ),
      this.finding.circle ? this.circle() : null,
    );
  }

  // Threads and what they wait for, round and round.
  circle() {
    const nodes = this.finding.circle.split(" -> ").slice(0, -1);
    return h(
      "figure",
      {class: "circle"},
      nodes.length > 1 && nodes.length <= MOST_IN_CIRCLE ? waitingCircle(nodes, this.trace.threads) : null,
      h("figcaption", {}, "The circle: ", h("b", {}, this.finding.circle)),
    );
  }

  stepper() {
    const button = (label, text, key, action, extra = {}) =>
      h(
        "button",
        {
          type: "button",
          title: `${label} (${key})`,
          "aria-label": label,
          "aria-keyshortcuts": key,
          onclick: action,
          ...extra,
        },
        text,
      );
    this.counter = h("output", {class: "counter", "aria-live": "off"});
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: this.rows.count - 1,
      value: 0,
      "aria-label": "Step",
      oninput: () => this.go(Number(this.slider.value)),
    });
    return h(
      "nav",
      {class: "stepper", "aria-label": "Stepper"},
      button("First step", icon("first"), "Home", () => this.go(0)),
      button("Previous switch", icon("previous-switch"), "P", () => this.previousSwitch()),
      button("Previous step", icon("previous"), "ArrowLeft", () => this.go(this.row - 1)),
      this.counter,
      button("Next step", icon("next"), "ArrowRight", () => this.go(this.row + 1)),
      button("Next switch", icon("next-switch"), "N", () => this.nextSwitch()),
      button("Failure", icon("last"), "End", () =>
        this.go(Math.min(this.rows.failureRow, this.rows.count - 1)),
      ),
      this.target() === null
        ? null
        : button(
            this.critical !== null ? "Critical step" : "Deciding pair",
            this.critical !== null ? "critical" : "pair",
            "C",
            () => this.go(this.target()),
            {class: "text critical-button"},
          ),
      this.slider,
      h(
        "span",
        {class: "keys", "aria-hidden": "true"},
        h("kbd", {}, "←"),
        h("kbd", {}, "→"),
        " step ",
        h("kbd", {}, "N"),
        h("kbd", {}, "P"),
        " switch ",
        this.target() === null ? null : [h("kbd", {}, "C"), this.critical !== null ? " critical" : " pair"],
      ),
    );
  }

  target() {
    return this.event(this.critical)?.row ?? this.event(this.first)?.row ?? null;
  }

  comparison() {
    const reversed = this.explanation.reversed;
    if (!reversed) return null;
    const good = new Trace(reversed, this.data.operations),
      rows = new Rows(good, null);
    let common = 0;
    while (
      common < good.length &&
      common < this.trace.length &&
      good.data.thread[common] === this.trace.data.thread[common] &&
      good.words[common] === this.trace.words[common]
    )
      ++common;
    const tags = new Map();
    for (const [index, text] of [
      [this.first, "1st"],
      [this.second, "2nd"],
    ]) {
      const event = this.event(index);
      const at = event ? this.trace.counterpart(event, good) : -1;
      if (at >= 0) tags.set(at, [{text: text === "1st" ? "now 2nd" : "now 1st", kind: "good"}]);
    }
    if (this.second === null) tags.clear();
    const lanes = (which, its, extra) =>
      new Lanes(its, {
        places: this.data.places,
        dimBefore: common,
        ...extra,
        id: `compare-${this.number}-${which}`,
        label: `Steps of the ${which} execution`,
        onSelect: extra.onSelect,
      });
    const bad = lanes("failing", this.rows, {tags: this.tags(), onSelect: (row) => this.go(row)});
    const race = this.isRace();
    const title = race ? "Both orders" : "Failing and succeeding order";
    const other = lanes(race ? "opposite" : "succeeding", rows, {tags});
    this.compared = [bad, other];
    other.cursor = -1;
    bad.cursor = -1;
    const section = h(
      "section",
      {class: "panel compare", "aria-label": title},
      h("h3", {}, title),
      h(
        "p",
        {class: "muted"},
        common > 0 ? `Up to step ${common} they are the same.` : "They differ from the first step on.",
      ),
      h(
        "div",
        {class: "columns"},
        h("div", {}, h("h4", {class: "bad"}, race ? "as found" : "✕ fails"), bad.element),
        h("div", {}, h("h4", {class: race ? "bad" : "good"}, race ? "the other way round" : "✓ succeeds"), other.element),
      ),
    );
    for (const one of this.compared)
      queueMicrotask(() =>
        requestAnimationFrame(() => (one.viewport.scrollTop = Math.max(0, common - 3) * 28)),
      );
    return section;
  }

  replay() {
    const text = this.finding.schedule;
    const link = h(
      "button",
      {
        class: "plain",
        onclick: () => {
          const url = URL.createObjectURL(new Blob([text], {type: "text/plain"}));
          const anchor = h("a", {href: url, download: "bug.schedule"});
          anchor.click();
          setTimeout(() => URL.revokeObjectURL(url), 1000);
        },
      },
      "Save bug.schedule",
    );
    return h(
      "details",
      {class: "panel replay"},
      h("summary", {}, "Run it again"),
      h(
        "p",
        {},
        "Save the schedule and replay this very execution: ",
        h("code", {}, "heddle replay bug.schedule"),
      ),
      link,
      h("pre", {class: "schedule"}, text),
    );
  }

  go(row, {scroll = true} = {}) {
    this.row = Math.min(this.rows.count - 1, Math.max(0, row));
    const step = this.rows.stepOf(this.row),
      done = this.rows.doneAt(this.row),
      thread = this.rows.threadOf(this.row);
    this.lanes.select(this.row, {scroll});
    this.sourcePanel.show(done, thread, step < 0 ? this.rows.failure : null);
    this.values.show(done, step);
    this.slider.value = this.row;
    const what =
      step < 0 ? `${this.finding.kind}: ${firstLine(this.finding.message)}` : this.trace.data.text[step];
    this.counter.replaceChildren(
      step < 0
        ? h("b", {class: "bad"}, "failure")
        : h("span", {}, h("b", {}, String(step + 1)), ` / ${this.trace.length}`),
    );
    if (this.there) this.onMove?.(`finding-${this.number}-${step < 0 ? "failure" : "step-" + (step + 1)}`);
    this.announcement.textContent = `${step < 0 ? "Failure" : "Step " + (step + 1)}${thread >= 0 ? ", " + this.trace.threads[thread] : ""}: ${what}`;
  }

  nextSwitch() {
    const done = this.rows.doneAt(this.row);
    const at = lastAtMost(this.trace.switches, done - 1) + 1;
    this.go(at < this.trace.switches.length ? this.rows.rowOf(this.trace.switches[at]) : this.rows.count - 1);
  }

  previousSwitch() {
    const step = this.rows.stepOf(this.row);
    const at = lastAtMost(this.trace.switches, (step < 0 ? this.rows.doneAt(this.row) : step) - 1);
    this.go(at < 0 ? 0 : this.rows.rowOf(this.trace.switches[at]));
  }

  key(event) {
    const actions = {
      ArrowRight: () => this.go(this.row + 1),
      ArrowDown: () => this.go(this.row + 1),
      j: () => this.go(this.row + 1),
      ArrowLeft: () => this.go(this.row - 1),
      ArrowUp: () => this.go(this.row - 1),
      k: () => this.go(this.row - 1),
      n: () => this.nextSwitch(),
      p: () => this.previousSwitch(),
      c: () => this.target() !== null && this.go(this.target()),
      Home: () => this.go(0),
      End: () => this.go(Math.min(this.rows.failureRow, this.rows.count - 1)),
      PageDown: () => this.go(this.row + 20),
      PageUp: () => this.go(this.row - 20),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return false;
    action();
    return true;
  }

  // Called when the view is in the document: sizes are known only then.
  // `place`: where to begin, "step-N" or "failure"; else where it was left, or where it was decided.
  shown(place) {
    for (const lanes of [this.lanes, ...(this.compared ?? [])]) lanes.resize();
    const failure = Math.min(this.rows.failureRow, this.rows.count - 1),
      step = Number(place?.match(/^step-(\d+)$/)?.[1] ?? 0);
    const begin =
      place === "failure"
        ? failure
        : step > 0
          ? this.rows.rowOf(Math.min(step, this.trace.length) - 1)
          : this.there
            ? this.row
            : (this.target() ?? failure);
    this.there = false; // nobody has moved
    this.go(begin);
    this.there = true;
  }
}
