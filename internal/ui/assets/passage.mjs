// The passage of a body that tells most about a question: whole Markdown blocks
// around the hits, as many as fit; only a block that alone is too large is cut.
// Equal to the server's (internal/pack), byte for byte.

import { tokens } from "./evergreen.mjs";
import { ASKING, STOP, bytesOf, lower, stem, unitsOf } from "./terms.mjs";

const MAX_TERMS = 32; // that a passage is chosen around
const PIECE = 8; // code points of the smallest units

// passageTerms are the words of a question that a passage is chosen around.
// Those that only ask count when there are no others.
export function passageTerms(topic) {
  const terms = termsWithout(topic, ASKING);
  return terms.length ? terms : termsWithout(topic, new Set());
}

function termsWithout(topic, spare) {
  const out = new Set();
  for (const unit of unitsOf(topic)) {
    let word = lower(unit.text);
    if (spare.has(word)) continue;
    const root = stem(word);
    if (word.startsWith(root)) word = root;
    if (bytesOf(word).length > 1 && !STOP.has(word)) out.add(word);
    if (out.size >= MAX_TERMS) break;
  }
  return [...out];
}

// shorten replaces a body by its best passage of at most room tokens, title
// included; null when not even a few characters fit.
export function shorten(p, terms, room) {
  const { entry } = p, { body } = entry, head = entry.title + "\n";
  const f = new Finder(body, terms, room - tokens(head), (s) => tokens(head + s) <= room);
  const found = f.find();
  if (!found) return null;
  const bytes = (from, to) => bytesOf(body.slice(from, to)).length;
  const partial = { offset: bytes(0, found.start), bytes: bytes(found.start, found.end), total: bytes(0) };
  return { ...p, entry: { ...entry, body: found.text, tokens: tokens(head + found.text) }, partial };
}

// Finder looks for the window of units, of ever smaller grain, with most hits.
class Finder {
  constructor(body, terms, budget, fits) {
    Object.assign(this, { body, terms, budget, fits });
  }

  find() {
    let scope = [0, this.body.length];
    for (const cut of [blocks, lines, sentences, pieces]) {
      this.units = cut(this.body, scope);
      if (!this.units.length) return null;
      this.measure();
      let core = this.core();
      let best = core[0];
      for (let i = core[0]; i < core[1]; i++) if (scoreOf(this.hits[i]) > scoreOf(this.hits[best])) best = i;
      if (!this.fitsWindow(core)) core = [best, best + 1];
      if (this.fitsWindow(core)) return this.passage(this.grow(core));
      scope = this.units[best];
    }
    return null;
  }

  measure() {
    this.cost = this.units.map(([from, to]) => tokens(this.body.slice(from, to)));
    this.lowered ??= lower(this.body); // as long as the body
    this.hits = this.units.map(([from, to]) => this.terms.map((term) =>
      this.lowered.slice(from, to + term.length - 1).split(term).length - 1));
  }

  // core is the smallest window around the best hits, the beginning where it
  // holds as many different terms.
  core() {
    let best = [0, 1], bestScore = 0, lead = best, leadScore = 0, sum = 0, first = 0;
    const counts = this.terms.map(() => 0);
    const add = (hits, sign) => hits.forEach((n, t) => { counts[t] += sign * n; });
    for (let i = 0; i < this.units.length; i++) {
      sum += this.cost[i];
      add(this.hits[i], 1);
      for (; sum > this.budget && first < i; first++) {
        sum -= this.cost[first];
        add(this.hits[first], -1);
      }
      const score = scoreOf(counts);
      if (score > bestScore) [best, bestScore] = [[first, i + 1], score];
      if (first === 0 && different(score) > different(leadScore)) [lead, leadScore] = [[0, i + 1], score];
    }
    if (leadScore && different(leadScore) === different(bestScore)) best = lead;
    while (best[1] - best[0] > 1 && !this.hits[best[0]].some((n) => n > 0)) best[0]++;
    return best;
  }

  grow(core) {
    let w = this.widest(core, ([a, b], k) => [a - (k >> 1), b + k - (k >> 1)]);
    w = this.widest(w, ([a, b], k) => [a, b + k]);
    return this.widest(w, ([a, b], k) => [a - k, b]);
  }

  // widest takes the most steps that still fit.
  widest(w, step) {
    const at = (k) => {
      const [a, b] = step(w, k);
      return [Math.max(0, a), Math.min(this.units.length, b)];
    };
    let low = 0, high = 2 * this.units.length;
    while (low < high) {
      const k = (low + high) >> 1;
      if (this.fitsWindow(at(k + 1))) low = k + 1;
      else high = k;
    }
    return at(low);
  }

  fitsWindow(w) { return this.fits(this.passage(w).text); }

  passage([first, last]) {
    const start = this.units[first][0];
    let text = this.body.slice(start, this.units[last - 1][1]).replace(/[ \t\r\n]+$/, "");
    const end = start + text.length, opened = fenceAt(this.body, start);
    if (opened) text = opened.opener + "\n" + text;
    return { start, end, text: closeFence(text) };
  }
}

// closeFence ends a block that a text leaves open and that would swallow what
// follows.
export function closeFence(text) {
  const open = fenceAt(text + "\n", text.length + 1);
  return open ? text.replace(/[\r\n]+$/, "") + "\n" + " ".repeat(open.indent) + open.mark : text;
}

const scoreOf = (counts) => counts.reduce((sum, n) => sum + (n > 0 ? 1000 : 0) + Math.min(n, 9), 0);

const different = (score) => Math.floor(score / 1000);

// Scanner walks lines and knows whether the next one lies within a block that
// must not be cut: fenced code, raw HTML, list items.
class Scanner {
  fence = null;
  inList = false;
  blank = false;

  // line takes one line and tells whether a block begins with it.
  line(line) {
    const bare = line.replace(/[ \t\r\n]+$/, ""), indent = bare.length - bare.replace(/^[ \t]+/, "").length;
    let afterBlank = this.blank;
    this.blank = bare === "";
    if (this.fence) {
      const f = this.fence;
      if (!(f.inList && f.indent >= 2 && bare && indent === 0)) {
        if (closes(f, bare, indent)) this.fence = null;
        return false;
      }
      this.fence = null;
      afterBlank = true;
    }
    if (!bare) return false;
    const text = bare.slice(indent), item = /^([-*+]|\d{1,9}[.)])([ \t]|$)/.test(text);
    if (this.inList && !item && indent === 0 && afterBlank) this.inList = false;
    const continued = this.inList && indent >= 2 || indent >= 4;
    if (item && indent < 4) this.inList = true;
    if (indent < 4 || this.inList) {
      this.fence = opens(text, indent);
      if (this.fence) {
        this.fence.inList = this.inList;
        return !continued;
      }
    }
    return afterBlank && !continued || indent < 4 && /^#{1,6}([ \t]|$)/.test(text);
  }
}

function closes(f, bare, indent) {
  if (f.raw) return lower(bare).includes(f.mark);
  if (indent >= 4 && !f.inList) return false;
  const run = bare.slice(indent);
  return run.length >= f.mark.length && [...run].every((c) => c === f.mark[0]);
}

// opens is the fence that a line opens and does not close, or null.
function opens(text, indent) {
  const mark = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(text)?.[0];
  if (mark) {
    const language = text.slice(mark.length).replace(/^[ \t]+/, "").split(" ")[0];
    return { opener: mark + language, mark, indent };
  }
  const small = lower(text);
  if (small.startsWith("<!--") && !text.includes("-->")) return { opener: "<!--", mark: "-->", raw: true, indent };
  const tag = /^<(pre|script|style|textarea)(?=[ \t>]|$)/.exec(small)?.[1];
  return tag && !small.includes(`</${tag}>`) ? { opener: `<${tag}>`, mark: `</${tag}>`, raw: true, indent } : null;
}

function fenceAt(body, offset) {
  const scanner = new Scanner();
  for (let start = 0; start < offset;) {
    const end = lineEnd(body, start);
    if (end > offset) break;
    scanner.line(body.slice(start, end));
    start = end;
  }
  return scanner.fence;
}

const lineEnd = (body, at) => body.indexOf("\n", at) < 0 ? body.length : body.indexOf("\n", at) + 1;

function blocks(body, whole) {
  const out = [], scanner = new Scanner();
  for (const [from, to] of lines(body, whole)) {
    if (scanner.line(body.slice(from, to)) || !out.length) out.push([from, to]);
    else out.at(-1)[1] = to;
  }
  return out;
}

function lines(body, [start, stop]) {
  const out = [];
  for (let at = start; at < stop;) {
    const end = Math.min(lineEnd(body, at), stop);
    out.push([at, end]);
    at = end;
  }
  return out;
}

function sentences(body, [start, stop]) {
  const out = [];
  let from = start;
  for (const m of body.slice(start, stop).matchAll(/[。！？；]|[.!?;] +/g)) {
    const to = start + m.index + m[0].length;
    out.push([from, to]);
    from = to;
  }
  if (from < stop) out.push([from, stop]);
  return out;
}

function pieces(body, [start, stop]) {
  const out = [], runes = [...body.slice(start, stop)];
  for (let i = 0, at = start; i < runes.length; i += PIECE) {
    const end = at + runes.slice(i, i + PIECE).join("").length;
    out.push([at, end]);
    at = end;
  }
  return out;
}
