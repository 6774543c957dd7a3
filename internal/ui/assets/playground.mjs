// The playground: asks as one types, shows the answer, its price and how to ask
// the same from elsewhere. The first answer is in the page already.

import { address, lines } from "./lines.mjs";
import { needles, show, snippet } from "./mark.mjs";
import { Gone, Refused, Source, pageOf } from "./source.mjs";
import { splitSectionID, tokens } from "./evergreen.mjs";
import { keepLang } from "./site.mjs";

const byId = (id) => document.getElementById(id);
const { words: w, static: isStatic, lang, base, given } = JSON.parse(byId("_data").textContent);
const source = new Source(isStatic);
const form = byId("_ask"), { topic, budget, collection, category } = form.elements;
const root = new URL("../", import.meta.url).href.replace(/\/$/, "");
const DEFAULT_BUDGET = 2000, MAX_BUDGET = 8000, MAX_LEFT_OUT = 5, HATCH_SHARE = 4;
const TYPING = 180, SLOW = 250; // ms: until a question is asked, and until waiting is told of

const thousands = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
const say = (text, ...figures) => figures.reduce((s, f) => s.replace("%s", f), text);
const plural = (n, one, many) => n === 1 ? one : say(many, thousands(n));

// make builds an element with text, attributes and children.
function make(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// ---- asking

let running = new AbortController(), timer, retry, shown = null;

const question = () => ({ topic: topic.value.trim(), budget: Number(budget.value), collection: collection.value, category: category.value });

// later asks when the reader pauses.
function later() {
  clearTimeout(timer);
  timer = setTimeout(ask, TYPING);
}

async function ask() {
  clearTimeout(timer);
  clearTimeout(retry);
  running.abort();
  const q = question();
  remember(q);
  if (!q.topic) {
    fault(w.EmptyTopic, false);
    return;
  }
  const mine = running = new AbortController();
  const waiting = setTimeout(() => {
    byId("_answer").setAttribute("aria-busy", "true");
    byId("_from").textContent = w.Asking;
  }, SLOW);
  try {
    const params = Object.fromEntries(Object.entries(q).filter(([name, value]) => value && (name !== "budget" || value !== DEFAULT_BUDGET)));
    const { bundle, from, ms } = await source.ask(params, lang, mine.signal);
    if (mine !== running) return;
    draw(bundle, q);
    byId("_from").textContent = from === "server" ? say(w.FromServer, ms) : from === "fallback" ? w.FromBrowser : "";
    byId("_from").classList.toggle("warn", from === "fallback");
    source.prepare();
  } catch (e) {
    if (mine.signal.aborted) return;
    byId("_from").textContent = "";
    if (e instanceof Refused && e.wait) {
      fault(say(w.SlowDown, e.wait), true);
      retry = setTimeout(ask, e.wait * 1000);
    } else if (e instanceof Refused) fault(`${w.Refused} ${e.message}`, true);
    else if (e instanceof Gone || isStatic) fault(`${isStatic ? "" : w.Gone + " "}${w.GoneNothing}`, true);
    else throw e;
  } finally {
    clearTimeout(waiting);
    if (mine === running) byId("_answer").removeAttribute("aria-busy");
  }
}

// remember keeps the question in the address, to be shared or loaded again.
function remember(q) {
  const query = new URLSearchParams(q.topic ? address(q, DEFAULT_BUDGET) : "");
  const chosen = new URLSearchParams(location.search).get("lang");
  if (chosen) query.set("lang", chosen);
  history.replaceState(null, "", query.size ? "?" + query : location.pathname);
  const other = document.querySelector(".langs a");
  if (other) {
    query.set("lang", other.lang.startsWith("zh") ? "zh" : "en");
    other.href = "?" + query;
  }
}

// fault says why there is no answer; a bad one is an error, another an
// invitation.
function fault(text, bad) {
  byId("_fault").textContent = text;
  byId("_fault").hidden = false;
  byId("_fault").classList.toggle("bad", bad);
  if (!bad) clear();
}

function clear() {
  shown = null;
  for (const id of ["_cards", "_notes", "_bar", "_out", "_citations", "_rules"]) byId(id).replaceChildren();
  for (const id of ["_sums", "_from"]) byId(id).textContent = "";
  byId("_leftout").hidden = true;
  byId("_bar").setAttribute("aria-label", w.Budget);
  view();
}

// ---- drawing

function draw(b, q) {
  byId("_fault").hidden = true;
  shown = b;
  const sums = summary(b), found = needles(b.query.topic);
  byId("_sums").textContent = sums;
  drawBar(b, sums);
  byId("_notes").replaceChildren(...notes(b));
  byId("_cards").replaceChildren(...b.entries.map((e, i) => card(e, b.citations[i], i + 1, found)));
  drawLeftOut(b, q);
  byId("_citations").replaceChildren(...b.citations.map((c) => make("li", {}, make("code", {}, c.marker), " " + c.text)));
  byId("_rules").replaceChildren(...b.rules.map((rule) => make("li", {}, rule)));
  for (const [id, text] of Object.entries(lines(q, root, DEFAULT_BUDGET))) if (byId(id)) byId(id).textContent = text;
  if (byId("_json")) byId("_json").href = `${new URL(root).pathname.replace(/\/$/, "")}/api/context?${address(q, DEFAULT_BUDGET)}`;
  view();
}

function summary(b) {
  const parts = [say(w.UsedOf, thousands(b.usedTokens), thousands(b.budget)), plural(b.entryCount, w.OneEntry, w.Entries)];
  const out = b.leftOut?.length ?? 0;
  if (out) parts.push(say(w.LeftOutN, out + (out === MAX_LEFT_OUT ? "+" : "")));
  return parts.join(" · ");
}

function drawBar(b, label) {
  const bar = byId("_bar");
  const left = (b.leftOut ?? []).reduce((sum, o) => sum + o.tokens, 0);
  const behind = Math.min(left, Math.trunc(b.budget / HATCH_SHARE)), whole = Math.max(b.budget + behind, 1);
  const percent = (n) => (n * 100 / whole).toFixed(3) + "%";
  const rect = (name, from, width, n) => {
    const r = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const attributes = { class: name, x: percent(from), width: percent(width), height: "16", ...(n && { "data-n": n }) };
    for (const [key, value] of Object.entries(attributes)) r.setAttribute(key, value);
    return r;
  };
  let used = 0;
  const rects = b.entries.map((e, i) => {
    used += e.tokens;
    return rect("used" + (i % 2 ? " next" : "") + (e.partial ? " cut" : ""), used - e.tokens, e.tokens, i + 1);
  });
  if (behind) rects.push(rect("out", b.budget, behind));
  hatch ??= bar.querySelector("defs");
  bar.replaceChildren(hatch, ...rects);
  bar.setAttribute("aria-label", label);
}

let hatch = byId("_bar").querySelector("defs");

function notes(b) {
  const out = [];
  if (!b.matched) {
    const note = make("p", { class: "notice" }, w.NoMatch + " ");
    if (b.suggestions?.length) note.append(w.DidYou + " ", ...b.suggestions.flatMap((s) => [make("a", { href: "?topic=" + encodeURIComponent(s) }, s), " "]));
    else note.append(w.NoMatchHelp);
    out.push(note);
  }
  if (!b.entryCount && b.truncated) out.push(make("p", { class: "notice" }, w.Unfit));
  return out;
}

const skeleton = byId("_card").content.firstElementChild;

function card(e, citation, n, found) {
  const c = skeleton.cloneNode(true), at = (name) => c.querySelector(`[data-f="${name}"]`);
  const title = e.title + (e.doc_title ? " · " + e.doc_title : "");
  const put = (name, text, show = true) => {
    at(name).textContent = text;
    at(name).hidden = !show;
  };
  c.dataset.n = n;
  put("title", title);
  at("title").href = pageOf(e, citation.url, isStatic, base);
  keepLang(at("title"));
  put("marker", citation.marker);
  put("tokens", thousands(e.tokens));
  put("relevance", e.relevance.toFixed(2));
  put("score", String(e.score));
  at("cut").hidden = !e.partial;
  put("confidence", say(w.ConfidenceIs, e.confidence.toFixed(2)), e.confidence < 1);
  put("updated", say(w.UpdatedOn, e.updated), Boolean(e.updated));
  show(at("snippet"), snippet(e.body, e.title, found));
  put("where", e.doc_path && splitSectionID(e.id) ? `${e.collection} / ${e.doc_path}` : e.collection ?? "");
  at("id").dataset.copy = e.id;
  at("id").setAttribute("aria-label", `${w.CopyID}: ${title}`);
  put("body", e.body);
  return c;
}

function drawLeftOut(b, q) {
  const out = b.leftOut ?? [];
  let needed = b.usedTokens;
  byId("_leftout").hidden = !out.length;
  byId("_out").replaceChildren(...out.map((o) => {
    needed += o.tokens;
    const raise = Math.trunc((needed + 99) / 100) * 100;
    const item = make("li", {}, make("code", {}, o.marker), ` ${o.title} `, make("span", { class: "quiet" }, `${thousands(o.tokens)} ${w.Tokens}`), make("br", {}));
    item.append(raise > MAX_BUDGET ? make("span", { class: "quiet" }, w.TooLarge)
      : make("a", { href: "?" + address({ ...q, budget: raise }, DEFAULT_BUDGET) }, say(w.Raise, thousands(raise))));
    return item;
  }));
}

// ---- views

const views = byId("_views");

async function view() {
  const which = views.querySelector(":checked").value;
  byId("_cards").hidden = which !== "entries";
  byId("_raw").hidden = which === "entries" || !shown;
  if (which === "entries" || !shown) return;
  const b = shown;
  let text = JSON.stringify(b, null, 2);
  byId("_rawcost").textContent = "";
  if (which === "markdown") {
    const { bundleMarkdown } = await import("./markdown.mjs");
    text = bundleMarkdown(b, /[\u3400-\u9FFF]/.test(b.citations[0]?.text.slice(0, 3) ?? "") ? "zh" : "en");
    byId("_rawcost").textContent = say(w.MarkdownCost, thousands(tokens(text)));
  }
  if (b === shown && views.querySelector(":checked").value === which) byId("_rawtext").textContent = text;
}

views.addEventListener("change", () => {
  if (shown) view();
  else ask().then(view); // the answer in the page is no data yet
});

// ---- events

form.addEventListener("submit", (e) => {
  e.preventDefault();
  ask();
});
form.addEventListener("input", (e) => {
  if (e.target === budget) byId("_spent").textContent = thousands(budget.value);
  later();
});

// Links that only change the question change it here.
document.querySelector("main").addEventListener("click", (e) => {
  const link = e.target.closest("a");
  if (!link?.getAttribute("href").startsWith("?topic=") || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  const asked = new URLSearchParams(link.search);
  topic.value = asked.get("topic");
  budget.value = asked.get("budget") ?? budget.value;
  byId("_spent").textContent = thousands(budget.value);
  ask();
  topic.focus();
});

// A segment and its entry light each other.
function light(n) {
  for (const e of document.querySelectorAll("#_bar .lit, .entry.lit")) e.classList.remove("lit");
  if (n) for (const e of document.querySelectorAll(`#_bar [data-n="${n}"], .entry[data-n="${n}"]`)) e.classList.add("lit");
}
const lit = (e) => light(e.target.closest?.("[data-n]")?.dataset.n);
for (const id of ["_bar", "_cards"]) {
  byId(id).addEventListener("pointerover", lit);
  byId(id).addEventListener("pointerleave", () => light());
  byId(id).addEventListener("focusin", lit);
}
byId("_bar").addEventListener("click", (e) => {
  const n = e.target.dataset.n;
  if (n) document.querySelector(`.entry[data-n="${n}"] a`).focus();
});

// ---- the beginning

views.hidden = false;
if (byId("_json")) byId("_json").hidden = true;
if (!matchMedia("(pointer: coarse)").matches && !location.hash) {
  topic.focus({ preventScroll: true });
  if (!given) topic.select();
}
// In an export the address is read here.
const asked = new URLSearchParams(location.search);
if (isStatic && asked.get("topic")) {
  for (const field of [topic, budget, collection, category]) if (asked.has(field.name)) field.value = asked.get(field.name);
  byId("_spent").textContent = thousands(budget.value);
  ask();
}
