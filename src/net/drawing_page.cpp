// One file that loads nothing. Drawings are made for white paper: in the dark they are turned round, but for the hue.
#include "net/drawing_page.h"

#include <string_view>

#include "base/xml_text.h"

namespace heddle::net {
namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --page: #ffffff; --ink: #1c1c22; --muted: #5c5c6a; --line: #d5d5dd; }
@media (prefers-color-scheme: dark) { :root { --page: #16161b; --ink: #ececf1; --muted: #a2a2b0; --line: #3b3b46; } }
body { margin: 0; padding: 16px; box-sizing: border-box; height: 100vh; height: 100dvh; display: flex; flex-direction: column;
  gap: 8px; background: var(--page); color: var(--ink); font: 15px/1.45 Helvetica, Arial, sans-serif; }
h1 { margin: 0; font-size: 1.25rem; overflow-wrap: anywhere; }
p { margin: 0; color: var(--muted); }
nav { display: flex; gap: 6px; align-items: center; }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 6px; padding: 3px 12px; }
output { min-width: 4em; text-align: right; color: var(--muted); }
.drawing { flex: 1; min-height: 0; overflow: auto; border: 1px solid var(--line); border-radius: 8px; cursor: grab; }
.drawing:active { cursor: grabbing; }
.drawing svg { display: block; }
@media (prefers-color-scheme: dark) { .drawing svg { filter: invert(.91) hue-rotate(180deg); } }
)css";

constexpr std::string_view kScript = R"js(
const box = document.querySelector(".drawing"), svg = box.querySelector("svg"), shown = document.querySelector("output");
const width = svg.viewBox.baseVal.width, height = svg.viewBox.baseVal.height;
let scale = 1;
function zoom(to, x = box.clientWidth / 2, y = box.clientHeight / 2) {
  to = Math.min(8, Math.max(0.02, to));
  const left = (box.scrollLeft + x) / scale, top = (box.scrollTop + y) / scale;
  scale = to;
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", height * scale);
  box.scrollLeft = left * scale - x;
  box.scrollTop = top * scale - y;
  shown.textContent = Math.round(scale * 100) + " %";
}
const fit = () => zoom(Math.min(box.clientWidth / width, box.clientHeight / height));
const actions = {"+": () => zoom(scale * 1.25), "-": () => zoom(scale / 1.25), "1": () => zoom(1), "0": fit};
document.querySelectorAll("button").forEach((button) => button.addEventListener("click", actions[button.value]));
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  actions[event.key === "=" ? "+" : event.key]?.();
});
box.addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const at = box.getBoundingClientRect();
  zoom(scale * Math.exp(-event.deltaY / 300), event.clientX - at.left, event.clientY - at.top);
}, {passive: false});
box.addEventListener("pointermove", (event) => {
  if (event.pointerType === "touch" || (event.buttons & 1) === 0) return;
  box.scrollLeft -= event.movementX;
  box.scrollTop -= event.movementY;
});
if (width > box.clientWidth) zoom(Math.max(0.4, box.clientWidth / width)); else zoom(1);
)js";

}  // namespace

std::string drawing_page(const std::string& title, const std::string& words, const std::string& svg) {
  std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" + xml_text(title) +
          "</title>\n<style>";
  page += kStyle;
  page += "</style></head>\n<body><h1>" + xml_text(title) + "</h1>\n<p>" + words + "</p>\n";
  page +=
      "<nav aria-label=\"Zoom\"><button value=\"-\" title=\"Smaller (-)\" aria-label=\"Smaller\">\u2212</button>"
      "<button value=\"+\" title=\"Larger (+)\" aria-label=\"Larger\">+</button>"
      "<button value=\"0\" title=\"All of it (0)\">fit</button>"
      "<button value=\"1\" title=\"Its own size (1)\">100 %</button><output></output></nav>\n";
  page += "<div class=\"drawing\">" + svg + "</div>\n<script>";
  page += kScript;
  return page + "</script></body></html>\n";
}

}  // namespace heddle::net
