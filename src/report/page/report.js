// The page as a whole: verdict, choice of finding, keyboard, theme.
import {Sources} from "./source.js";
import {FindingView} from "./finding.js";
import {statistics} from "./charts.js";
import {executionTree} from "./tree.js";
import {firstLine, h, s, plural, seconds, shortPlace} from "./dom.js";

const THEMES = ["auto", "light", "dark"];

function remembered() {
  try {
    return localStorage.getItem("heddle-theme") ?? "auto";
  } catch {
    return "auto"; // pages opened from disk may have no storage
  }
}

function themeButton() {
  const icons = {auto: "◐", light: "☀", dark: "☾"};
  const button = h("button", {class: "plain theme"});
  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = icons[theme];
    button.setAttribute("aria-label", `Colours: ${theme}`);
    button.title = `Colours: ${theme}`;
    try {
      localStorage.setItem("heddle-theme", theme);
    } catch {
      // not remembered, then
    }
    dispatchEvent(new Event("themechange"));
  };
  button.addEventListener("click", () =>
    apply(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % 3]),
  );
  apply(THEMES.includes(remembered()) ? remembered() : "auto");
  return button;
}

function logo() {
  return s(
    "svg",
    {class: "logo", viewBox: "0 0 32 32", "aria-hidden": "true"},
    s("path", {d: "M7 4v24M16 4v24M25 4v24"}),
    s("path", {class: "weft", d: "M3 12h9M20 12h9M12 20h8M3 20h1M28 20h1"}),
  );
}

function verdict(data) {
  const count = data.findings.length;
  const [kind, title] =
    data.verdict === "bug"
      ? ["bad", `${plural(count, "bug")} found`]
      : data.verdict === "no bug"
        ? ["good", "No bug"]
        : ["warn", "Inconclusive"];
  const extent = data.exhausted
    ? "Everything within the stated bounds was explored" + (data.reason ? `: ${data.reason}.` : ".")
    : `Not everything was explored: ${data.reason || "a budget was used up"}.`;
  const tile = (value, label) => h("div", {class: "tile"}, h("b", {}, value), h("span", {}, label));
  return h(
    "section",
    {class: `verdict ${kind}`, "aria-label": "Verdict"},
    h(
      "div",
      {},
      h("h1", {}, title),
      h("p", {class: "mono program"}, data.program),
      h("p", {}, extent),
      ...data.assumptions.map((text) => h("p", {class: "assumption"}, `Assuming ${text}.`)),
    ),
    h(
      "div",
      {class: "tiles"},
      tile(data.executions.toLocaleString("en"), data.executions === 1 ? "execution" : "executions"),
      tile(data.classes.toLocaleString("en"), data.classes === 1 ? "class" : "classes"),
      tile(seconds(data.seconds), "time"),
      tile(data.algorithm, "algorithm"),
    ),
  );
}

// The address says where the reader is, so that it can be passed on.
function remember(place) {
  try {
    history.replaceState(null, "", "#" + place);
  } catch {
    // some viewers forbid it
  }
}

const FEW = 6; // findings; more make a list with a search

// Shows the tabs with these words in them.
function search(tabs) {
  const count = h("span", {class: "muted", "aria-live": "polite"}, plural(tabs.children.length, "finding"));
  const field = h("input", {
    type: "search",
    placeholder: "Find by kind, variable or file",
    "aria-label": "Find among the findings",
    oninput: () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const tab of tabs.children) {
        const text = tab.textContent.toLowerCase();
        tab.hidden = !words.every((word) => text.includes(word));
        if (!tab.hidden) ++shown;
      }
      count.textContent = plural(shown, "finding");
    },
  });
  return h("p", {class: "search"}, field, count);
}

export function start(data) {
  const sources = new Sources(data.files, data.places);
  const stage = h("main", {});
  const views = new Map();
  let current = null;
  const tabs = h("div", {class: "tabs", role: "tablist", "aria-label": "Findings"});
  const open = (index, place) => {
    if (!views.has(index))
      views.set(index, new FindingView(data.findings[index], data, sources, index + 1, remember));
    current = views.get(index);
    stage.replaceChildren(current.element);
    tabs.querySelectorAll("button").forEach((tab, i) => {
      tab.setAttribute("aria-selected", i === index ? "true" : "false");
      tab.tabIndex = i === index ? 0 : -1;
    });
    current.shown(place);
  };
  const linked = () => {
    const found = location.hash.match(/^#finding-(\d+)(?:-(step-\d+|failure))?$/);
    const index = found ? Number(found[1]) - 1 : -1;
    if (index < 0 || index >= data.findings.length) return false;
    open(index, found[2]);
    return true;
  };
  if (data.findings.length > 1)
    tabs.append(
      ...data.findings.map((finding, i) =>
        h(
          "button",
          {
            role: "tab",
            onclick: () => {
              remember(`finding-${i + 1}`);
              open(i);
            },
          },
          h("b", {}, `${i + 1}`),
          ` ${finding.kind}`,
          h("small", {}, firstLine(finding.message)),
          data.places[finding.place] ? h("small", {}, shortPlace(data.places[finding.place])) : null,
        ),
      ),
    );
  tabs.classList.toggle("many", data.findings.length > FEW);
  document
    .getElementById("app")
    .append(
      h(
        "header",
        {class: "top"},
        logo(),
        h("span", {class: "brand"}, "Heddle"),
        h("span", {class: "muted version"}, data.version),
        h(
          "nav",
          {"aria-label": "Sections"},
          data.findings.length ? h("a", {href: "#findings"}, "Findings") : null,
          h("a", {href: "#statistics"}, "Exploration"),
          data.tree.length > 1 ? h("a", {href: "#tree"}, "Tree") : null,
        ),
        themeButton(),
      ),
      verdict(data),
      data.note ? h("p", {class: "panel note"}, data.note) : "",
      h(
        "div",
        {id: "findings"},
        data.findings.length > FEW ? search(tabs) : "",
        data.findings.length > 1 ? tabs : "",
        stage,
      ),
      data.output
        ? h(
            "details",
            {class: "panel"},
            h("summary", {}, "Output of the failing execution"),
            h("pre", {class: "schedule"}, data.output),
          )
        : "",
      statistics(data),
      executionTree(data, data.findings[0]?.trace.threads ?? []) ?? "",
      h("footer", {class: "muted"}, `Written by heddle ${data.version}. This file needs no network.`),
    );
  if (!data.findings.length) stage.remove();
  else if (!linked()) open(0);
  addEventListener("hashchange", linked);
  document.addEventListener("keydown", (event) => {
    if (!current || event.ctrlKey || event.altKey || event.metaKey) return;
    // Keys that scroll a page do so unless the stepper has the focus.
    const scrolls = /^(ArrowUp|ArrowDown|Home|End|Page.*)$/.test(event.key);
    const focus = event.target.closest ? event.target : document.body;
    if (scrolls && !focus.closest(".workbench, .stepper")) return;
    if (event.key.startsWith("Arrow") && focus.closest("input, .tree-box, [role=tab]")) return;
    if (focus.closest("input[type=search]")) return;
    if (current.key(event)) event.preventDefault();
  });
  addEventListener("themechange", () => current?.lanes.draw());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => current?.lanes.draw());
}
