// An execution, indexed for questions that a view asks: who ran, what a variable held, who held a lock.

const READS = new Set(["read", "update", "cas", "cas-failed"]);
const WRITES = new Set(["write", "update", "cas"]);
const ACQUIRES = new Set(["lock", "try-lock", "shared-lock", "try-shared-lock"]);
const RELEASES = new Set(["unlock", "shared-unlock", "wait-unlock"]);

// What a mark looks like, by the word of the operation.
const FAMILIES = {
  read: "read",
  write: "write",
  update: "update",
  cas: "update",
  "cas-failed": "update-failed",
  lock: "lock",
  "try-lock": "lock",
  "shared-lock": "lock",
  "try-shared-lock": "lock",
  "try-lock-failed": "lock-failed",
  "try-shared-lock-failed": "lock-failed",
  unlock: "unlock",
  "shared-unlock": "unlock",
  "wait-unlock": "unlock",
  spawn: "thread",
  join: "thread",
  terminate: "thread",
};

export function familyOf(word) {
  return FAMILIES[word] ?? "signal";
}

// The last entry of a sorted array of numbers that is <= limit: its index, or -1.
export function lastAtMost(sorted, limit) {
  let low = 0,
    high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export class Trace {
  constructor(data, operations) {
    this.data = data;
    this.length = data.thread.length;
    this.threads = data.threads;
    this.objects = data.objects;
    this.words = data.op.map((index) => operations[index]);
    this.operations = operations;
    this.preempts = new Set(data.preempts);
    this.indexThreads();
    this.indexEdges();
    this.indexObjects();
  }

  indexThreads() {
    this.stepsOf = this.threads.map(() => []);
    this.switches = [];
    this.data.thread.forEach((thread, step) => {
      this.stepsOf[thread].push(step);
      if (step > 0 && this.data.thread[step - 1] !== thread) this.switches.push(step);
    });
    this.spawnedAt = this.threads.map(() => -1);
    for (const [step, thread] of Object.entries(this.data.peer))
      if (this.words[step] === "spawn") this.spawnedAt[thread] = Number(step);
  }

  indexEdges() {
    this.causes = new Map();
    this.effects = new Map();
    const add = (map, key, value) => (map.has(key) ? map.get(key).push(value) : map.set(key, [value]));
    for (let i = 0; i < this.data.edges.length; i += 2) {
      add(this.effects, this.data.edges[i], this.data.edges[i + 1]);
      add(this.causes, this.data.edges[i + 1], this.data.edges[i]);
    }
  }

  indexObjects() {
    this.readsFrom = new Int32Array(this.length).fill(-1);
    this.readers = new Map();
    this.histories = this.objects.map(() => ({
      steps: [],
      values: [],
      initial: undefined,
      users: new Set(),
      kind: "memory",
    }));
    this.spans = [];
    const lastWrite = new Int32Array(this.objects.length).fill(-1);
    const open = new Map();
    for (let step = 0; step < this.length; ++step) {
      const object = this.data.object[step];
      if (object < 0) continue;
      const word = this.words[step],
        history = this.histories[object];
      history.users.add(this.data.thread[step]);
      const stale = this.data.stale[step];
      if (READS.has(word)) this.noteRead(step, stale ? stale[0] : lastWrite[object]);
      if (READS.has(word) || WRITES.has(word)) {
        if (history.initial === undefined && (!stale || stale[0] < 0)) history.initial = this.data.before[step];
        // A write that others have overtaken leaves the newest one where it is.
        if (WRITES.has(word) && !stale) {
          history.steps.push(step);
          history.values.push(this.data.after[step]);
          lastWrite[object] = step;
        }
      } else if (word.startsWith("sem")) this.noteSemaphore(history, word, step);
      else this.noteSynchronisation(history, object, word, step, open);
    }
    for (const span of open.values()) this.spans.push({...span, to: this.length});
    this.placeSpans();
  }

  noteRead(step, write) {
    this.readsFrom[step] = write;
    if (write < 0) return;
    if (this.readers.has(write)) this.readers.get(write).push(step);
    else this.readers.set(write, [step]);
  }

  noteSemaphore(history, word, step) {
    history.kind = "semaphore";
    const found = this.data.before[step];
    if (history.initial === undefined) history.initial = found;
    const change = word === "sem-post" ? 1 : word.endsWith("failed") ? 0 : -1;
    if (change === 0) return;
    history.steps.push(step);
    history.values.push(typeof found === "number" ? found + change : found);
  }

  noteSynchronisation(history, object, word, step, open) {
    const thread = this.data.thread[step],
      key = object + ":" + thread;
    if (ACQUIRES.has(word) || RELEASES.has(word) || familyOf(word) === "lock-failed") history.kind = "lock";
    else history.kind = "condition";
    if (ACQUIRES.has(word)) {
      open.set(key, {object, thread, from: step, shared: word.endsWith("shared-lock")});
      history.steps.push(step);
      history.values.push(thread);
    } else if (RELEASES.has(word)) {
      if (open.has(key)) this.spans.push({...open.get(key), to: step});
      open.delete(key);
      history.steps.push(step);
      history.values.push(-1);
    }
  }

  // Locks held at the same time by one thread stand side by side.
  placeSpans() {
    this.spans.sort((a, b) => a.from - b.from);
    const busy = this.threads.map(() => []);
    this.longestSpan = 0;
    for (const span of this.spans) {
      const slots = busy[span.thread];
      let slot = slots.findIndex((until) => until <= span.from);
      if (slot < 0) slot = slots.length;
      slots[slot] = span.to;
      span.slot = slot;
      this.longestSpan = Math.max(this.longestSpan, span.to - span.from);
    }
  }

  // Spans that touch the steps from..to.
  spansBetween(from, to) {
    const starts = (this.spanStarts ??= this.spans.map((span) => span.from));
    const last = lastAtMost(starts, to),
      first = lastAtMost(starts, from - this.longestSpan - 1) + 1;
    return this.spans.slice(first, last + 1).filter((span) => span.to >= from);
  }

  // The last step of a thread among the first `done` steps, or -1.
  lastStepOf(thread, done) {
    const at = lastAtMost(this.stepsOf[thread], done - 1);
    return at < 0 ? -1 : this.stepsOf[thread][at];
  }

  nextStepOf(thread, done) {
    return this.stepsOf[thread][lastAtMost(this.stepsOf[thread], done - 1) + 1] ?? -1;
  }

  // What an object holds after `done` steps, and the step that made it so (-1: from the start).
  valueAfter(object, done) {
    const history = this.histories[object];
    const at = lastAtMost(history.steps, done - 1);
    if (at < 0) return {value: history.kind === "lock" ? -1 : history.initial, since: -1};
    return {value: history.values[at], since: history.steps[at]};
  }

  // Threads parked at a condition variable or barrier after `done` steps cannot be told from values; the trace's own
  // words can: a thread whose last step was a wait, and that nobody has woken since.
  isParked(thread, done) {
    const last = this.lastStepOf(thread, done);
    if (last < 0) return false;
    const word = this.words[last];
    if (word !== "wait" && word !== "sleep" && word !== "wait-unlock" && word !== "arrive") return false;
    if (word === "arrive" && this.data.woken[last]) return false;
    const from =
      word === "wait-unlock"
        ? (this.stepsOf[thread][lastAtMost(this.stepsOf[thread], last) - 1] ?? last)
        : last;
    for (let step = from + 1; step < done; ++step) if (this.data.woken[step]?.includes(thread)) return false;
    return true;
  }

  hasStaleReads() {
    return Object.keys(this.data.stale).some((step) => this.reads(step));
  }

  reads(step) {
    return READS.has(this.words[step]);
  }

  placeOf(step) {
    return this.data.place[step];
  }

  // The step of another execution of the same program that corresponds to an event ({thread, word, place, step}; step -1:
  // still pending) of this one: same thread, operation and place, the same time round. -1 if there is none.
  counterpart({thread, word, place, step}, other) {
    const same = (trace, s) => trace.words[s] === word && trace.placeOf(s) === place;
    const round = this.stepsOf[thread].filter((s) => (step < 0 || s < step) && same(this, s)).length;
    return (other.stepsOf[thread] ?? []).filter((s) => same(other, s))[round] ?? -1;
  }
}
