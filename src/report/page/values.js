// Shared variables, locks and semaphores as they are at the step shown.
import {h, threadColor} from "./dom.js";

const MOST = 200;

export class ValuesPanel {
  // `notes`: what threads did with data beside the steps, in order.
  constructor(trace, notes, onJump) {
    Object.assign(this, {trace, onJump});
    this.data = new Map();
    for (const note of notes) {
      if (!this.data.has(note.object)) this.data.set(note.object, []);
      this.data.get(note.object).push(note);
    }
    this.body = h("tbody", {});
    this.element = h(
      "section",
      {class: "values", "aria-label": "Values of shared variables"},
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", {scope: "col"}, "shared"),
            h("th", {scope: "col"}, "value"),
            h("th", {scope: "col"}, "since step"),
          ),
        ),
        this.body,
      ),
    );
    // What several threads use comes first; what only one uses is hardly of interest.
    this.order = trace.objects
      .map((_, i) => i)
      .filter((i) => trace.histories[i].kind !== "condition")
      .sort((a, b) => (trace.histories[b].users.size > 1) - (trace.histories[a].users.size > 1) || a - b);
  }

  show(done, step) {
    const touched = step >= 0 ? this.trace.data.object[step] : -1;
    const shown = this.order.slice(0, MOST);
    if (touched >= 0 && this.order.includes(touched) && !shown.includes(touched)) shown.unshift(touched);
    this.body.replaceChildren(
      ...shown.map((object) => this.line(object, done, step, object === touched)),
      ...[...this.data].slice(0, MOST).map(([name, notes]) => this.dataLine(name, notes, done)),
    );
    this.element.hidden = shown.length === 0 && this.data.size === 0;
  }

  // A variable whose accesses are no steps: what it was, or is known to have been, when so many were done.
  dataLine(name, notes, done) {
    const last = notes.findLast((note) => note.done <= done),
      set = notes.findLast((note) => note.done <= done && note.before !== note.after);
    const changed = set !== undefined && set.done === done;
    return h(
      "tr",
      {class: changed ? "changed" : null, "data-object": name},
      h("th", {scope: "row"}, name),
      h(
        "td",
        {class: "value"},
        changed ? h("s", {}, set.before) : null,
        last ? last.after : notes[0].before,
      ),
      h(
        "td",
        {},
        !set || set.done === 0
          ? h("span", {class: "muted"}, "start")
          : h("button", {class: "link", onclick: () => this.onJump(set.done - 1)}, String(set.done)),
      ),
    );
  }

  line(object, done, step, touched) {
    const {value, since} = this.trace.valueAfter(object, done);
    const lock = this.trace.histories[object].kind === "lock";
    const changed = touched && since === step && since >= 0;
    const shown = !lock
      ? String(value ?? "?")
      : value < 0
        ? h("span", {class: "muted"}, "free")
        : ["held by ", h("b", {style: `color:${threadColor(value)}`}, this.trace.threads[value])];
    const earlier = changed && !lock ? this.trace.valueAfter(object, done - 1).value : undefined;
    return h(
      "tr",
      {
        class: [changed ? "changed" : "", touched ? "touched" : ""].filter(Boolean).join(" ") || null,
        "data-object": this.trace.objects[object],
      },
      h("th", {scope: "row"}, this.trace.objects[object]),
      h(
        "td",
        {class: "value"},
        earlier !== undefined && earlier !== value ? h("s", {}, String(earlier)) : null,
        shown,
      ),
      h(
        "td",
        {},
        since < 0
          ? h("span", {class: "muted"}, "start")
          : h("button", {class: "link", onclick: () => this.onJump(since)}, String(since + 1)),
      ),
    );
  }
}
