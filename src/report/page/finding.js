// One finding: what is wrong, why, and a stepper through the execution that shows it.
import {Trace, lastAtMost} from "./trace.js";
import {Lanes, Rows, legend} from "./lanes.js";
import {SourcePanel} from "./source.js";
import {ValuesPanel} from "./values.js";
import {h, plural, shortPlace, threadColor} from "./dom.js";

const REMEDIES = {
  "lost update": (v) => ["Nothing may come between ", v.line("check"), " and ", v.line("act"), ": put both under one lock, or make them one atomic operation."],
  "check then act": (v) => ["What ", v.line("check"), " has checked is no longer so at ", v.line("act"), ": put both under one lock."],
  "check-then-act": (v) => REMEDIES["check then act"](v),
  "lost wake-up": () => ["The signal comes before the wait and is lost. Test the condition under the lock, in a loop around the wait, and change it under the same lock."],
  "lost wakeup": () => REMEDIES["lost wake-up"](),
  "lock-order inversion": () => ["Take the locks in the same order everywhere."],
  "use after free": () => ["One thread frees what the other still uses: let the last user free it, or make taking and using one locked section."],
  "ABA": () => ["The value is the old one again, the state is not: count versions beside the value, or do not reuse memory that others may still compare with."],
};

export class FindingView {
  constructor(finding, data, sources, number) {
    Object.assign(this, {finding, data, sources, number, row: 0});
    this.trace = new Trace(finding.trace, data.operations);
    this.explanation = finding.explanation ?? {};
    this.failure = finding;
    this.rows = new Rows(this.trace, {kind: finding.kind, message: finding.message, step: finding.step, thread: finding.thread, place: finding.place});
    this.first = this.explanation.first ?? finding.pair?.[0] ?? null;
    this.second = this.explanation.first !== undefined ? this.explanation.second ?? null : finding.pair?.[1] ?? null;
    this.critical = this.explanation.critical ?? null;
    this.build();
  }

  build() {
    this.sourcePanel = new SourcePanel(this.trace, this.sources);
    this.values = new ValuesPanel(this.trace, (step) => this.go(this.rows.rowOf(step)));
    this.lanes = new Lanes(this.rows, {id: `finding-${this.number}`, places: this.data.places, tags: this.tags(), label: "Steps of the failing execution",
                                       onSelect: (row) => this.go(row, {scroll: false})});
    this.announcement = h("p", {class: "visually-hidden", "aria-live": "polite"});
    this.element = h("section", {class: "finding", id: `finding-${this.number}`, "aria-label": `Finding ${this.number}`},
      this.heading(), this.why(), this.waiting(), this.stepper(),
      h("div", {class: "workbench"}, h("div", {class: "panel lanes-panel"}, this.lanes.element, legend()),
        h("div", {class: "side"}, this.sourcePanel.element, this.values.element)),
      this.announcement, this.comparison(), this.replay());
  }

  // An event of the explanation: a step, or from the number of steps on something still pending in the end.
  event(index) {
    if (index === null || index === undefined) return null;
    if (index < this.trace.length)
      return {thread: this.trace.data.thread[index], place: this.trace.placeOf(index), text: this.trace.data.text[index], row: this.rows.rowOf(index), step: index};
    const pending = this.trace.data.pending[index - this.trace.length];
    if (!pending) return null;
    const object = pending.object < 0 ? "" : " " + this.trace.objects[pending.object];
    return {thread: pending.thread, place: pending.place, text: this.trace.operations[pending.op] + object, row: this.rows.failureRow, step: -1};
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

  line(name) {
    const event = this.event(this.explanation[name]);
    return event ? this.jump(event) : "the other";
  }

  jump(event) {
    return h("button", {class: "link mono", onclick: () => this.go(event.row)}, shortPlace(this.data.places[event.place]) || `step ${event.step + 1}`);
  }

  heading() {
    const f = this.finding, place = this.data.places[f.place];
    return h("header", {class: "finding-head"},
      h("h2", {}, h("span", {class: "badge bad"}, f.kind), h("span", {class: "mono"}, f.message)),
      h("p", {class: "muted"}, f.thread >= 0 ? ["in ", h("b", {style: `color:${threadColor(f.thread)}`}, this.trace.threads[f.thread])] : "of the whole program",
        place ? [" at ", h("span", {class: "mono"}, place[3])] : null,
        `, after ${plural(f.step, "step")} and ${plural(this.trace.switches.filter((step) => step < f.step).length, "switch", "switches")}`,
        f.count > 1 ? `, in ${plural(f.count, "execution")}` : "", this.shortened()));
  }

  shortened() {
    const {minimized, found, shown} = this.explanation;
    if (!minimized || !found || found.steps === shown.steps && found.switches === shown.switches) return "";
    return `; shortened from ${plural(found.steps, "step")} and ${plural(found.switches, "switch", "switches")}`;
  }

  why() {
    const first = this.event(this.first), second = this.event(this.second);
    if (!first) return null;
    const known = this.explanation.first !== undefined;
    const pattern = this.explanation.pattern;
    return h("section", {class: "panel why", "aria-label": "Why"},
      h("h3", {}, !known ? "Where the threads met last" : pattern ? `Why: ${pattern}` : "Why: the order of two steps"),
      h("div", {class: "pair"}, this.half(first, "1st"), second ? h("span", {class: "then", "aria-hidden": "true"}, "then") : null, second ? this.half(second, "2nd") : null),
      h("p", {class: "verdict-line"}, !known ? "These are the last two steps of different threads whose order matters; look here first."
        : second ? "In this order the run fails. The other way round it succeeds: Heddle has run it." : "Had this step taken its other alternative, the run would succeed: Heddle has run it."),
      REMEDIES[pattern] ? h("p", {class: "remedy"}, REMEDIES[pattern](this)) : null);
  }

  half(event, rank) {
    return h("button", {class: "half", style: `--own:${threadColor(event.thread)}`, onclick: () => this.go(event.row)},
      h("span", {class: "half-head"}, h("em", {class: "tag pair"}, rank), h("b", {}, this.trace.threads[event.thread]),
        h("span", {class: "at"}, shortPlace(this.data.places[event.place]))),
      h("code", {}, this.sources.lineAt(event.place) || event.text), h("small", {}, event.text));
  }

  waiting() {
    if (!this.finding.waiting?.length) return null;
    return h("section", {class: "panel waiting"}, h("h3", {}, "Who waits for whom"), h("ul", {}, this.finding.waiting.map((line) => h("li", {}, line))));
  }

  stepper() {
    const button = (label, text, key, action, extra = {}) => h("button", {type: "button", title: `${label} (${key})`, "aria-label": label,
                                                                        "aria-keyshortcuts": key, onclick: action, ...extra}, text);
    this.counter = h("output", {class: "counter", "aria-live": "off"});
    this.slider = h("input", {type: "range", min: 0, max: this.rows.count - 1, value: 0, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value))});
    return h("nav", {class: "stepper", "aria-label": "Stepper"},
      button("First step", "⏮", "Home", () => this.go(0)),
      button("Previous switch", "⇤", "P", () => this.previousSwitch()),
      button("Previous step", "◀", "ArrowLeft", () => this.go(this.row - 1)),
      this.counter,
      button("Next step", "▶", "ArrowRight", () => this.go(this.row + 1)),
      button("Next switch", "⇥", "N", () => this.nextSwitch()),
      button("Failure", "⏭", "End", () => this.go(Math.min(this.rows.failureRow, this.rows.count - 1))),
      this.target() === null ? null : button(this.critical !== null ? "Critical step" : "Deciding pair", this.critical !== null ? "critical" : "pair", "C", () => this.go(this.target()), {class: "text critical-button"}),
      this.slider,
      h("span", {class: "keys", "aria-hidden": "true"}, h("kbd", {}, "←"), h("kbd", {}, "→"), " step ", h("kbd", {}, "N"), h("kbd", {}, "P"), " switch ",
        this.target() === null ? null : [h("kbd", {}, "C"), this.critical !== null ? " critical" : " pair"]));
  }

  target() {
    return this.event(this.critical)?.row ?? this.event(this.first)?.row ?? null;
  }

  comparison() {
    const reversed = this.explanation.reversed;
    if (!reversed) return null;
    const good = new Trace(reversed, this.data.operations), rows = new Rows(good, null);
    let common = 0;
    while (common < good.length && common < this.trace.length && good.data.thread[common] === this.trace.data.thread[common] && good.words[common] === this.trace.words[common]) ++common;
    const tags = new Map();
    for (const [index, text] of [[this.first, "1st"], [this.second, "2nd"]]) {
      const event = this.event(index);
      const at = event && event.step >= 0 ? this.trace.counterpart(event.step, good) : -1;
      if (at >= 0) tags.set(at, [{text: text === "1st" ? "now 2nd" : "now 1st", kind: "good"}]);
    }
    if (this.second === null) tags.clear();
    const lanes = (which, its, extra) => new Lanes(its, {places: this.data.places, dimBefore: common, ...extra, id: `compare-${this.number}-${which}`, label: `Steps of the ${which} execution`, onSelect: extra.onSelect});
    const bad = lanes("failing", this.rows, {tags: this.tags(), onSelect: (row) => this.go(row)});
    const other = lanes("succeeding", rows, {tags});
    this.compared = [bad, other];
    other.cursor = -1;
    bad.cursor = -1;
    const section = h("section", {class: "panel compare", "aria-label": "Failing and succeeding order"},
      h("h3", {}, "Failing and succeeding order"),
      h("p", {class: "muted"}, common > 0 ? `The first ${plural(common, "step")} are the same; from step ${common + 1} on the orders differ.` : "The orders differ from the first step on."),
      h("div", {class: "columns"},
        h("div", {}, h("h4", {class: "bad"}, "✕ fails"), bad.element), h("div", {}, h("h4", {class: "good"}, "✓ succeeds"), other.element)));
    for (const one of this.compared) queueMicrotask(() => requestAnimationFrame(() => one.viewport.scrollTop = Math.max(0, common - 3) * 28));
    return section;
  }

  replay() {
    const text = this.finding.schedule;
    const link = h("button", {class: "plain", onclick: () => {
      const url = URL.createObjectURL(new Blob([text], {type: "text/plain"}));
      const anchor = h("a", {href: url, download: "bug.schedule"});
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    }}, "Save bug.schedule");
    return h("details", {class: "panel replay"}, h("summary", {}, "Run it again"),
      h("p", {}, "Save the schedule and replay this very execution: ", h("code", {}, "heddle replay bug.schedule")), link,
      h("pre", {class: "schedule"}, text));
  }

  go(row, {scroll = true} = {}) {
    this.row = Math.min(this.rows.count - 1, Math.max(0, row));
    const step = this.rows.stepOf(this.row), done = this.rows.doneAt(this.row), thread = this.rows.threadOf(this.row);
    this.lanes.select(this.row, {scroll});
    this.sourcePanel.show(done, thread, step < 0 ? this.rows.failure : null);
    this.values.show(done, step);
    this.slider.value = this.row;
    const what = step < 0 ? `${this.finding.kind}: ${this.finding.message}` : this.trace.data.text[step];
    this.counter.replaceChildren(step < 0 ? h("b", {class: "bad"}, "failure") : h("span", {}, h("b", {}, String(step + 1)), ` / ${this.trace.length}`));
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
      ArrowRight: () => this.go(this.row + 1), ArrowDown: () => this.go(this.row + 1), j: () => this.go(this.row + 1),
      ArrowLeft: () => this.go(this.row - 1), ArrowUp: () => this.go(this.row - 1), k: () => this.go(this.row - 1),
      n: () => this.nextSwitch(), p: () => this.previousSwitch(), c: () => this.target() !== null && this.go(this.target()),
      Home: () => this.go(0), End: () => this.go(Math.min(this.rows.failureRow, this.rows.count - 1)),
      PageDown: () => this.go(this.row + 20), PageUp: () => this.go(this.row - 20),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return false;
    action();
    return true;
  }

  // Called when the view is in the document: sizes are known only then.
  shown() {
    for (const lanes of [this.lanes, ...(this.compared ?? [])]) lanes.resize();
    this.go(this.target() ?? Math.min(this.rows.failureRow, this.rows.count - 1));
  }
}
