// A question's words in a text, and the piece around the first of them: what
// internal/ui/mark.go does on the server.

import { terms } from "./evergreen.mjs";

const SNIPPET = 280, BEFORE = 60, MIN_STEM = 4;

const lower = (s) => s.replace(/[A-Z]+/g, (m) => m.toLowerCase());
const isWord = (c) => c >= "a" && c <= "z" || c >= "0" && c <= "9";

// needles are what is looked for, longest first (in bytes, as the server does).
export function needles(question) {
  const size = (s) => new TextEncoder().encode(s).length;
  return terms(question).map(stemmed).sort((a, b) => size(b) - size(a));
}

function stemmed(t) {
  for (const end of ["ing", "ed", "es", "s", "e"]) {
    if (t.endsWith(end) && t.length - end.length >= MIN_STEM) return t.slice(0, -end.length);
  }
  return t;
}

// hitAt is the length of the hit that begins at i, 0 for none.
function hitAt(low, i, list) {
  for (const t of list) {
    if (!low.startsWith(t, i)) continue;
    if (!isWord(low[i])) return t.length;
    if (i > 0 && isWord(low[i - 1])) continue;
    let n = t.length;
    while (i + n < low.length && isWord(low[i + n])) n++;
    return n;
  }
  return 0;
}

// marked cuts a text into [piece, is it a hit].
export function marked(text, list) {
  const low = lower(text), out = [];
  let from = 0;
  for (let i = 0; i < text.length;) {
    const n = hitAt(low, i, list);
    if (!n) {
      i++;
      continue;
    }
    if (i > from) out.push([text.slice(from, i), false]);
    out.push([text.slice(i, i + n), true]);
    i += n;
    from = i;
  }
  if (from < text.length) out.push([text.slice(from), false]);
  return out;
}

// snippet is the marked piece of a body that shows why it was found.
export function snippet(body, title, list) {
  const text = plain(body, title), low = lower(text);
  let first = 0;
  for (let i = 0; i < text.length; i++) {
    if (hitAt(low, i, list)) {
      first = i;
      break;
    }
  }
  const before = [...text.slice(0, first)];
  let cut = Math.max(0, before.length - BEFORE);
  if (cut > 0) cut += before.slice(cut).indexOf(" ") + 1;
  const rest = [...before.slice(cut), ...text.slice(first)];
  let piece = rest.slice(0, SNIPPET).join("");
  if (rest.length > SNIPPET) piece = piece.replace(/ +$/, "") + "…";
  return marked((cut > 0 ? "…" : "") + piece, list);
}

function plain(body, title) {
  const lines = [];
  body.trim().split("\n").forEach((line, n) => {
    line = line.replace(/^[#>*\- \t|]+/, "");
    if (n === 0 && line.trim() === title || line.startsWith("```") || line.startsWith(":::")) return;
    lines.push(line);
  });
  return bare(lines.join(" "));
}

// bare is a line of Markdown without the marks that mean nothing to readers.
export const bare = (line) => line.replace(/```[a-zA-Z0-9+#-]*/g, " ").replace(/\]\([^()\s]*\)/g, "] ")
  .replace(/\*\*|[`[\]]/g, "").replaceAll("|", " ").split(/\s+/).filter(Boolean).join(" ");

// show puts marked pieces into an element.
export function show(element, pieces) {
  element.replaceChildren(...pieces.map(([text, hit]) => {
    if (!hit) return text;
    const mark = document.createElement("mark");
    mark.textContent = text;
    return mark;
  }));
}
