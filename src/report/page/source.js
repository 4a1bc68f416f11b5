// The source beside the lanes: for each thread the lines around where it is.
import {tokens} from "./highlight.js";
import {h, shortPlace, threadColor} from "./dom.js";

const MOST_CARDS = 8; // threads shown with their source; the rest by name and line

export class Sources {
  constructor(files, places) {
    this.files = files.map((file) => {
      const lines = new Map();
      for (const [first, text] of file.chunks)
        text.split("\n").forEach((line, i) => lines.set(first + i, line));
      return {name: file.name, lines};
    });
    this.places = places;
  }

  lineAt(place) {
    const [file, line] = this.places[place] ?? [-1];
    return file < 0 ? "" : (this.files[file].lines.get(line) ?? "").trim();
  }

  // How a place was reached: an element for each caller, the innermost first.
  callers(place, most = 2) {
    const [, , , , inside = "", calls = []] = this.places[place] ?? [];
    return calls
      .slice(0, most)
      .map(([name, file, line], i) =>
        h(
          "span",
          {class: "caller"},
          i === 0 ? `in ${plainName(inside)}, called in ` : "called in ",
          h("b", {}, plainName(name)),
          file < 0
            ? null
            : [
                " at ",
                h("span", {class: "mono"}, `${this.files[file].name.split("/").pop()}:${line}`),
                " ",
                h("code", {}, (this.files[file].lines.get(line) ?? "").trim()),
              ],
        ),
      );
  }

  // Two places of one thread as lines of the innermost function that was running at both, which is where a lock around
  // them would have to stand: {place, text, inside} each, `inside` if the place itself is in a function called there.
  apart(...places) {
    const frames = places.map((place) => {
      const [file, line, , , name = "", calls = []] = this.places[place] ?? [-1, 0];
      return [[name, file, line], ...calls].reverse();
    });
    let depth = 0;
    const at = (k) => frames.map((stack) => stack[k]);
    while (at(depth + 1).every(Boolean) && String(at(depth)[0]) === String(at(depth)[1])) ++depth;
    const shared = at(depth)[0][0] !== "" && at(depth)[0][0] === at(depth)[1][0];
    return frames.map((stack) => {
      const [, file, line] = shared ? stack[depth] : stack.at(-1);
      if (file < 0) return {place: "", text: "", inside: false};
      const name = this.files[file].name.split("/").pop();
      const text = (this.files[file].lines.get(line) ?? "").trim();
      return {place: `${name}:${line}`, text, inside: shared && depth < stack.length - 1};
    });
  }

  // Lines around a place; `also` are further lines to mark: line -> class.
  excerpt(place, around, also = new Map()) {
    const [file, line, column] = this.places[place] ?? [-1];
    if (file < 0) return h("p", {class: "no-source"}, this.places[place]?.[3] ?? "no source position");
    const lines = this.files[file].lines;
    const shown = [];
    for (let i = line - around; i <= line + around; ++i) if (lines.has(i)) shown.push(i);
    if (shown.length === 0) return h("p", {class: "no-source"}, this.places[place][3]);
    const indent = Math.min(
      ...shown.filter((i) => lines.get(i).trim()).map((i) => lines.get(i).match(/^\s*/)[0].length),
    );
    return h(
      "pre",
      {class: "code"},
      shown.map((i) =>
        h(
          "code",
          {
            class: [i === line ? "here" : "", also.get(i) ?? ""].filter(Boolean).join(" ") || null,
            "data-line": i,
            "data-column": i === line ? column : null,
          },
          h("i", {}, String(i)),
          h("span", {}, codeOf(lines.get(i).slice(Number.isFinite(indent) ? indent : 0))),
        ),
      ),
    );
  }
}

// "Account::balance" out of "Account::balance(int) const".
function plainName(name) {
  return name.replace(/\(.*$/, "");
}

function codeOf(line) {
  const pieces = tokens(line).map(([kind, text]) => (kind ? h("span", {class: "c-" + kind}, text) : text));
  return pieces.length ? pieces : " ";
}

// One card per thread: what it did last, or will do first, and where.
export class SourcePanel {
  constructor(trace, sources) {
    Object.assign(this, {trace, sources});
    this.element = h("section", {class: "sources", "aria-label": "Source of each thread"});
  }

  // `failure`: shown at its thread if this row is the failure's.
  show(done, active, failure) {
    const threads = this.trace.threads.map((_, t) => t);
    const shown =
      threads.length <= MOST_CARDS
        ? threads
        : [active, ...threads.filter((t) => t !== active)].slice(0, MOST_CARDS).sort((a, b) => a - b);
    this.element.replaceChildren(
      ...shown.map((thread) => this.card(thread, done, thread === active, failure)),
      ...(shown.length < threads.length
        ? [h("p", {class: "muted"}, `${threads.length - shown.length} more threads are not shown here.`)]
        : []),
    );
  }

  card(thread, done, active, failure) {
    const last = this.trace.lastStepOf(thread, done),
      next = this.trace.nextStepOf(thread, done);
    const blocked = this.trace.data.pending.find((p) => p.thread === thread);
    const failed = failure && failure.thread === thread;
    let place =
      last >= 0 ? this.trace.placeOf(last) : next >= 0 ? this.trace.placeOf(next) : (blocked?.place ?? -1);
    let state = "";
    if (failed) {
      place = failure.place >= 0 ? failure.place : place;
      state = "fails here";
    } else if (failure && failure.thread < 0 && blocked && !blocked.enabled) {
      place = blocked.place >= 0 ? blocked.place : place;
      state = "waits here for ever";
    } else if (failure && failure.thread < 0 && this.trace.isParked(thread, done)) {
      state = "waits here for ever";
    } else if (active) state = "runs";
    else if (last < 0) state = "has not started";
    else if (next < 0 && !blocked) state = "has ended";
    else if (this.trace.isParked(thread, done)) state = "waits";
    else state = "paused";
    const text = active && last >= 0 && !failed ? this.trace.data.text[last] : "";
    return h(
      "article",
      {
        class: ["card", active ? "active" : "", failed || state === "waits here for ever" ? "failed" : ""]
          .filter(Boolean)
          .join(" "),
        "data-thread": thread,
        style: `--own:${threadColor(thread)}`,
      },
      h(
        "header",
        {},
        h("b", {}, this.trace.threads[thread]),
        h("span", {class: "state"}, state),
        text ? h("span", {class: "doing"}, text) : null,
        h("span", {class: "at"}, shortPlace(this.sources.places[place])),
      ),
      this.sources.excerpt(place, active ? 4 : 1),
      this.sources.callers(place),
    );
  }
}
