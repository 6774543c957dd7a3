// The search page: hits as one types, taken from the page that the server would
// send, or found here when there is no server. Keys: arrows walk through the
// hits, Enter opens one, Shift+Enter its Markdown.

import { keepLang } from "./site.mjs";
import { bare, marked, needles, show } from "./mark.mjs";
import { Source, pageOf } from "./source.mjs";

const byId = (id) => document.getElementById(id);
const { words: w, static: isStatic, title } = JSON.parse(byId("_data").textContent);
const source = new Source(isStatic);
const form = byId("_search"), { q } = form.elements, results = byId("_results");
const TYPING = 180, SHOWN = 30; // ms; hits

const say = (text, ...figures) => figures.reduce((s, f) => s.replace("%s", () => f), text);
const thousands = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

// ---- searching

let running = new AbortController(), timer;

function address() {
  const query = new URLSearchParams();
  for (const field of form.elements) if (field.name && field.value.trim()) query.set(field.name, field.value.trim());
  return "?" + query;
}

async function search() {
  clearTimeout(timer);
  running.abort();
  const mine = running = new AbortController(), at = address();
  history.replaceState(null, "", at);
  document.title = q.value.trim() ? `${q.value.trim()} · ${title}` : title;
  try {
    if (!isStatic) {
      const answer = await fetch(form.action + at, { headers: { Accept: "text/html" }, signal: mine.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.getElementById("_results");
      if (found) {
        results.replaceChildren(...found.childNodes);
        results.querySelectorAll("a").forEach(keepLang);
        source.prepare();
        return;
      }
    }
    await here(mine);
  } catch (e) {
    if (mine.signal.aborted) return;
    await here(mine).catch(() => {
      results.innerHTML = "";
      results.append(note((isStatic ? "" : w.Gone + " ") + w.GoneNothing, "notice bad"));
    });
  }
}

// here searches in this browser.
async function here(mine) {
  const query = q.value.trim(), collection = form.elements.collection?.value ?? "";
  if (!query) {
    results.replaceChildren();
    return;
  }
  const found = await source.search(query, { limit: SHOWN, collection });
  if (mine !== running) return;
  const words = needles(query), list = document.createElement("ol");
  list.className = "hits";
  list.append(...found.hits.map((h) => hit(h, words)));
  const head = found.total === 1 ? say(w.OneHit, query) : found.total ? say(w.Hits, query, thousands(found.total)) : say(w.NoHit, query);
  results.replaceChildren(note(head, found.total ? "" : "notice"), list);
  if (!isStatic) results.prepend(note(w.FromBrowser, "warn"));
  if (!found.total && found.suggestions) results.append(suggestions(found.suggestions));
  else if (!found.total) results.append(note(w.NoHitHelp, "quiet"));
}

function note(text, kind) {
  const p = document.createElement("p");
  p.className = kind;
  p.setAttribute("role", "status");
  p.textContent = text;
  return p;
}

function suggestions(list) {
  const p = note(w.DidYou + " ", "");
  for (const word of list) {
    const link = document.createElement("a");
    link.href = "?q=" + encodeURIComponent(word);
    link.textContent = word;
    p.append(link, " ");
  }
  return p;
}

function hit(h, words) {
  const item = byId("_hit").content.firstElementChild.cloneNode(true);
  const at = (name) => item.querySelector(`[data-f="${name}"]`);
  at("title").textContent = h.title + (h.doc_title ? " · " + h.doc_title : "");
  at("title").href = pageOf(h, h.url, isStatic, "");
  at("title").dataset.markdown = at("title").href.replace(/(\.html)?(#.*)?$/, ".md");
  show(at("snippet"), marked(bare(h.snippet), words));
  at("where").textContent = h.doc_path && h.id.includes("::") ? `${h.collection} / ${h.doc_path}` : h.collection;
  at("tokens").textContent = thousands(h.tokens);
  at("tokens").parentElement.append(` · ${h.marker}`);
  return item;
}

// ---- events

form.addEventListener("submit", (e) => {
  e.preventDefault();
  search();
});
form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(search, TYPING);
});

addEventListener("keydown", (e) => {
  const titles = [...results.querySelectorAll(".hit a[data-f=title]")], at = titles.indexOf(document.activeElement);
  if ((e.key === "ArrowDown" || e.key === "ArrowUp") && titles.length && (at >= 0 || document.activeElement === q)) {
    e.preventDefault();
    const next = at + (e.key === "ArrowDown" ? 1 : -1);
    if (next < 0) q.focus();
    else titles[Math.min(next, titles.length - 1)].focus();
  } else if (e.key === "Enter" && e.shiftKey && at >= 0 && titles[at].dataset.markdown) {
    e.preventDefault();
    location.href = titles[at].dataset.markdown;
  }
});

// ---- the beginning

byId("_keyhint").hidden = false;
if (!matchMedia("(pointer: coarse)").matches) q.focus({ preventScroll: true });
const asked = new URLSearchParams(location.search).get("q");
if (isStatic && asked) {
  q.value = asked;
  search();
}
