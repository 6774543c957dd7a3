// Where answers come from: the server, and this browser when the server is gone
// or there is none.

import { AskError, ask as askKnowledge, splitSectionID } from "./evergreen.mjs";

const root = new URL("../", import.meta.url); // of the site: this file lies in assets/
const PATIENCE = 15_000; // ms for one answer of the server
const PREPARED = 4 << 20; // bytes that are loaded for the case that the server goes away

// Refused is an answer that there is none, with what to do; wait is how many
// seconds to wait first, 0 for none.
export class Refused extends Error {
  constructor(message, wait = 0) {
    super(message);
    this.wait = wait;
  }
}

// Gone says that nothing answers.
export class Gone extends Error {}

// Source answers questions. isStatic says that there is no server.
export class Source {
  constructor(isStatic) {
    this.isStatic = isStatic;
  }

  // ask returns {bundle, from, ms} for the parameters of /api/context.
  async ask(params, lang, signal) {
    const began = performance.now();
    const by = (from, bundle) => ({ bundle, from, ms: Math.round(performance.now() - began) });
    if (this.isStatic) return by("browser", await this.here(params, lang));
    let answer;
    try {
      answer = await fetch(new URL("api/context?" + new URLSearchParams(params), root), {
        headers: { "Accept-Language": lang }, signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
      });
      if (answer.ok) return by("server", await answer.json());
    } catch (e) {
      if (signal.aborted) throw e;
    }
    if (answer && answer.status < 500) throw await refusal(answer);
    try {
      return by("fallback", await this.here(params, lang));
    } catch (e) {
      throw e instanceof Refused ? e : new Gone();
    }
  }

  // here answers without a server.
  async here(params, lang) {
    const data = await this.load();
    const asked = { ...params, acceptLanguage: lang };
    try {
      if (!data.indexes.length) return askKnowledge(data.knowledge, asked);
      return await data.offline.ask(data.indexes, data.knowledge, asked);
    } catch (e) {
      if (e instanceof AskError) throw new Refused([e.message, e.fix].filter(Boolean).join(". "));
      throw e;
    }
  }

  // search returns hits as offline.mjs gives them.
  async search(query, options) {
    const data = await this.load();
    return data.offline.search(data.indexes, query, options);
  }

  // load loads what answers here, once.
  load() {
    this.data ??= load().catch((e) => {
      this.data = undefined; // to be tried again
      throw e;
    });
    return this.data;
  }

  // prepare loads all of it while the server is there, where that is little.
  async prepare() {
    if (this.isStatic || this.prepared) return;
    this.prepared = true;
    try {
      const { bytes } = await get("manifest.json");
      if (bytes > PREPARED) return;
      const data = await this.load();
      for (const index of data.indexes) await index.loadAll();
      await import("./markdown.mjs");
    } catch {
      this.prepared = false; // later, perhaps
    }
  }
}

async function load() {
  const [manifest, knowledge, offline] = await Promise.all([get("manifest.json"), get("knowledge.json"), import("./offline.mjs")]);
  const indexes = await Promise.all(manifest.collections.map(async ({ path }) => (
    offline.openIndex(await (await file(path + "index.bin")).arrayBuffer(), (n) => get(`${path}texts-${n}.json`)))));
  return { knowledge, offline, indexes };
}

const get = async (path) => (await file(path)).json();

async function file(path) {
  const answer = await fetch(new URL("offline/" + path, root));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

async function refusal(answer) {
  const wait = answer.status === 429 ? Math.max(1, Number(answer.headers.get("Retry-After")) || 1) : 0;
  try {
    const problem = await answer.json();
    return new Refused(problem.detail || problem.title, wait);
  } catch {
    return new Refused(`${answer.status} ${answer.statusText}`, wait);
  }
}

// pageOf is where people read an entry: a section where it is cited, a curated
// entry on the page of its collection. Exports are files: pages have their
// .html, and the site may lie below any path.
export function pageOf(entry, cited, isStatic, base) {
  let url = cited;
  if ((!entry.url || entry.url.includes("/context.json#")) && entry.collection && !splitSectionID(entry.id)) {
    url = `${isStatic ? "" : root.pathname.replace(/\/$/, "")}/docs/${encodeURIComponent(entry.collection)}#${/[\s[\]<>&"]/.test(entry.id) ? "" : encodeURIComponent(entry.id)}`;
  }
  if (!isStatic) return url;
  const path = base && url.startsWith(base) ? url.slice(base.length) : url;
  if (!path.startsWith("/")) return url;
  const [, page, rest] = /^([^?#]*)(.*)$/.exec(path);
  const file = page.endsWith("/") ? page + "index.html" : /\.(html?|json)$/.test(page) ? page : page + ".html";
  return new URL(file.slice(1) + rest, root).href;
}
