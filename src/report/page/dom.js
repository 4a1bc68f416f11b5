// Elements without a framework. Text always goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Icons of the stepper; fonts differ too much in what they have.
const ICONS = {
  first: "M4 3v10M13 3L6 8l7 5z",
  previous: "M12 3L5 8l7 5z",
  next: "M4 3l7 5-7 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
  "previous-switch": "M13 4H7v8M7 12L3.5 8.5M7 12l3.5-3.5",
  "next-switch": "M3 4h6v8M9 12L5.5 8.5M9 12l3.5-3.5",
};

export function icon(name) {
  return s(
    "svg",
    {
      class: "icon" + (name.endsWith("switch") ? " stroked" : ""),
      viewBox: "0 0 16 16",
      "aria-hidden": "true",
    },
    s("path", {d: ICONS[name]}),
  );
}

export function threadColor(thread) {
  return `var(--thread-${thread % 8})`;
}

export function firstLine(text) {
  return text.split("\n", 1)[0];
}

export function plural(count, word, many = word + "s") {
  return `${count.toLocaleString("en")} ${count === 1 ? word : many}`;
}

export function seconds(value) {
  if (value < 0.001) return "under 1 ms";
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 120) return `${value.toPrecision(3)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

// "bank.cpp:14" out of "examples/bank.cpp:14:3".
export function shortPlace(place) {
  if (!place) return "";
  const [file, line, , text] = place;
  return file < 0
    ? text
    : text.slice(text.lastIndexOf("/", text.length) + 1).replace(/^(.*?:\d+)(:\d+)?$/, "$1") || `${line}`;
}
