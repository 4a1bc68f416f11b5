// Enough colour to read C, C++ and models by: comments, literals, keywords. Line by line, so that any line can be shown
// without those before it; a block comment that spans lines keeps its colour only on lines that begin with a star.

const KEYWORDS = new Set(
  (
    "alignas alignof assert assume atomic auto bool break case catch char class co_await co_return " +
    "co_yield concept cond const constexpr continue decltype default delete do double else enum explicit extern false " +
    "final float for friend goto if inline input int int64_t join lock long mutable namespace new noexcept nullptr operator " +
    "override private protected public requires return shared short signal signed sizeof spawn static static_assert " +
    "struct switch template this thread throw true try typedef typename union unlock unsigned using virtual void " +
    "volatile wait while"
  ).split(" "),
);
const TOKEN =
  /(\/\/.*$|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(^\s*#\s*\w+)|(\b\d[\w.']*\b)|([A-Za-z_]\w*)|(\s+|.)/g;
const CLASSES = [null, "comment", "string", "directive", "number"];

// [class or null, text] pieces of a line.
export function tokens(line) {
  if (/^\s*\*/.test(line)) return [["comment", line]];
  const pieces = [];
  for (const match of line.matchAll(TOKEN)) {
    const group = match.slice(1).findIndex((part) => part !== undefined) + 1;
    const kind = group === 5 ? (KEYWORDS.has(match[0]) ? "keyword" : null) : (CLASSES[group] ?? null);
    const last = pieces.at(-1);
    if (last && last[0] === kind) last[1] += match[0];
    else pieces.push([kind, match[0]]);
  }
  return pieces;
}
