// What is shown while it happens. Pages are whole without this: it asks for the
// same page again and puts the parts that changed in place.
//
// In markup: a form with data-live="ID" is sent as it is typed, and the element
// ID is taken from the answer; data-fill="ID" with data-text puts a text into a
// field; a part with data-part and an id follows the server while an element
// with data-poll is there; data-again asks again until it is gone.

import { keepLang } from "./site.mjs";

const parse = (text) => new DOMParser().parseFromString(text, "text/html");

// busy tells whether somebody is at work in a part: it stays as it is.
const busy = (part) => part.querySelector("details[open]") || part.contains(document.activeElement) && document.activeElement.matches("input:not([type=checkbox]), textarea, select");

// replace puts a part of the new page in place of the old one and keeps focus.
function replace(old, fresh) {
  if (!fresh || old.outerHTML === fresh.outerHTML || busy(old)) return;
  const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
  old.replaceWith(fresh);
  for (const link of fresh.querySelectorAll("a[href]")) keepLang(link);
  if (focused) (document.getElementById(focused) ?? document.getElementById("_main")).focus();
}

// ---- forms that are sent as they are typed

const typedPause = 300;

for (const form of document.querySelectorAll("form[data-live]")) {
  for (const note of form.querySelectorAll("[data-live-only]")) note.hidden = false;
  let timer, asked;
  const ask = async () => {
    asked?.abort();
    asked = new AbortController();
    const body = new URLSearchParams(new FormData(form));
    try {
      const answer = await fetch(form.action + location.search.replace(/[?&](call|tools)=[^&]*/g, "").replace(/^&/, "?"), { method: "POST", body, signal: asked.signal });
      if (!answer.ok) throw new Error(answer.status);
      const fresh = parse(await answer.text()).getElementById(form.dataset.live);
      if (fresh) document.getElementById(form.dataset.live).replaceChildren(...fresh.childNodes);
    } catch (fault) {
      if (fault.name !== "AbortError") document.getElementById(form.dataset.live).dataset.stale = "";
      return;
    }
    delete document.getElementById(form.dataset.live).dataset.stale;
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, typedPause);
  });
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    clearTimeout(timer);
    ask();
  });
  form.addEventListener("click", (e) => {
    const link = e.target.closest("[data-fill]");
    if (!link) return;
    e.preventDefault();
    document.getElementById(link.dataset.fill).value = link.dataset.text;
    ask();
  });
}

// ---- pages that follow the server

const fast = 1000, slow = 5000;
const page = document.querySelector("[data-poll], main:has([data-again])");

async function look() {
  if (document.hidden) return slow;
  const lost = document.getElementById("_lost");
  try {
    const answer = await fetch(location.href.replace(/#.*/, ""), { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.status);
    const fresh = parse(await answer.text());
    lost?.remove();
    if (page.querySelector("[data-again]")) {
      page.replaceChildren(...fresh.querySelector("main").childNodes);
      return page.querySelector("[data-again]") ? fast : 0;
    }
    for (const part of document.querySelectorAll("[data-part]")) replace(part, fresh.getElementById(part.id));
  } catch {
    if (!lost && page.dataset.lost) {
      const note = document.createElement("p");
      Object.assign(note, { id: "_lost", className: "notice bad", textContent: page.dataset.lost });
      document.getElementById("_notice").append(note);
    }
    return slow;
  }
  return document.querySelector("[data-running]") ? fast : slow;
}

async function follow() {
  const pause = await look();
  if (pause) setTimeout(follow, pause);
}

if (page) setTimeout(follow, document.querySelector("[data-running], [data-again]") ? fast : slow);
