// Weighted retrieval in the browser, equal to the server's to the last digit:
// terms, scores, order, packing, citations and the bundle of /api/context over
// a knowledge base. Whole collections are offline.mjs's work.
//
// Nothing here fetches, and no text is kept here twice: entries, rules and
// prompt packs come in as data, the "knowledge" that internal/offline writes:
//   {revision, generatedAt, baseUrl, collections: [{name, version, revision}],
//    categories: [], entries: [], rules: {en, zh}, packs: {en: {chat}, zh}}
// Strings are compared by code points, lower-casing is ASCII only, numbers are
// plain IEEE doubles, and no locale has a say.

// ---- limits: those of the server

export const MIN_BUDGET = 200;
export const MAX_BUDGET = 8000;
export const DEFAULT_BUDGET = 2000;
const LARGEST_NUMBER = Number.MAX_SAFE_INTEGER; // what JSON keeps exactly
const MAX_TERMS = 1000; // of one topic
const MAX_BODY_HITS = 6; // of one term
const MAX_LEFT_OUT = 5;
const MARKER_DIGITS = 6;
const UNMATCHED_RELEVANCE = 0.17;

// AskError is a question that cannot be answered, with what to try next.
export class AskError extends Error {
  constructor(parameter, message, fix) {
    super(message);
    this.name = "AskError";
    this.parameter = parameter; // the one that is wrong
    this.fix = fix;
  }
}

// ---- text

// lower changes A to Z and nothing else.
const lower = (s) => s.replace(/[A-Z]+/g, (m) => m.toLowerCase());

// wellFormed puts U+FFFD in the place of lone surrogates, as JSON and URLs do.
const wellFormed = (s) => s.replace(/\p{Surrogate}/gu, "\uFFFD");

// compareStrings orders by code points; UTF-16 units would put U+FF01 behind
// U+1F600.
export function compareStrings(a, b) {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    let x = a.charCodeAt(i), y = b.charCodeAt(i);
    if (x === y) continue;
    if (x >= 0xD800 && x <= 0xDFFF) x += 0x10000;
    if (y >= 0xD800 && y <= 0xDFFF) y += 0x10000;
    return x - y;
  }
  return a.length - b.length;
}

// round3 rounds half away from zero to three decimals; x is not negative.
export const round3 = (x) => Math.round(x * 1000) / 1000;

// tokens estimates what the parts cost together: ceil(CJK + other x 0.28).
export function tokens(...parts) {
  let cjk = 0, other = 0;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const c = part.charCodeAt(i);
      if (c >= 0xDC00 && c <= 0xDFFF && i > 0 && part.charCodeAt(i - 1) >> 10 === 0x36) continue;
      if (isCJK(c)) cjk++;
      else other++;
    }
  }
  return Math.ceil(cjk * 1.0 + other * 0.28);
}

const isCJK = (c) => c >= 0x3000 && (c <= 0x303F || c >= 0x3040 && c <= 0x30FF || c >= 0x3400 && c <= 0x9FFF ||
  c >= 0xAC00 && c <= 0xD7AF || c >= 0xF900 && c <= 0xFAFF || c >= 0xFF00 && c <= 0xFFEF);

const STOP = new Set(("的 了 是 在 和 与 及 或 就 都 而 也 很 到 说 要 去 会 着 看 这 那 有 我 你 他 她 它 们 吗 呢 吧 啊 " +
  "什么 怎么 如何 为什么 哪些 一个 可以 我们 你们 他们 the a an of to in on for and or is are was were be been being it " +
  "its this that these those with as by at from how what why when where which who do does did can could should would " +
  "will i you we they he she my your our their not no if then than so but about into over under").split(" "));

// terms cuts a topic into words of [a-z0-9_-./] and pairs of Chinese
// characters, in first-seen order, without duplicates and stop words.
export function terms(topic) {
  const out = new Set();
  for (const [match] of lower(topic).matchAll(/[a-z0-9][a-z0-9_\-./]*|[\u3400-\u9FFF]+/g)) {
    for (const term of match < "\u3400" ? word(match) : pairs(match)) {
      if (!STOP.has(term)) out.add(term);
      if (out.size >= MAX_TERMS) return [...out];
    }
  }
  return [...out];
}

function word(match) {
  const trimmed = match.replace(/[._/-]+$/, "");
  return trimmed.length < 2 ? [] : [trimmed];
}

function pairs(run) {
  if (run.length === 1) return [run];
  const out = [];
  for (let i = 0; i + 1 < run.length; i++) out.push(run.slice(i, i + 2));
  return out;
}

// ---- ranking

// lowered remembers the lower-cased fields of entries.
const lowered = new WeakMap();

function fieldsOf(entry) {
  let f = lowered.get(entry);
  if (!f) {
    f = {
      id: lower(entry.id), title: lower(entry.title), summary: lower(entry.summary), body: lower(entry.body),
      tags: entry.tags.map(lower),
    };
    lowered.set(entry, f);
  }
  return f;
}

function occurrences(s, term) {
  let n = 0;
  for (let i = s.indexOf(term); i >= 0 && n < MAX_BODY_HITS; i = s.indexOf(term, i + term.length)) n++;
  return n;
}

function rawScore(entry, list) {
  const f = fieldsOf(entry);
  let raw = 0;
  for (const t of list) {
    if (f.id.includes(t)) raw += 8;
    if (f.title.includes(t)) raw += 5;
    if (f.tags.some((tag) => tag.includes(t))) raw += 4;
    if (f.summary.includes(t)) raw += 3;
    raw += occurrences(f.body, t);
  }
  return raw;
}

// rank scores entries against a topic, best first. matched is false when none
// was hit and all are returned, by confidence.
export function rank(entries, topic) {
  const list = terms(topic);
  let ranked = [];
  for (const entry of entries) {
    const score = round3(rawScore(entry, list) * (0.85 + entry.confidence * 0.15));
    if (score > 0) ranked.push({ entry, score });
  }
  const matched = ranked.length > 0;
  if (!matched) {
    ranked = entries.map((entry) => (
      { entry, score: round3(entry.confidence * 0.1), relevance: UNMATCHED_RELEVANCE }));
  }
  ranked.sort((a, b) => b.score - a.score || compareStrings(a.entry.id, b.entry.id));
  if (matched) for (const p of ranked) p.relevance = round3(p.score / ranked[0].score);
  return { ranked, matched };
}

// ---- language

// chooseLang returns "en" or "zh": what was asked for, else Chinese when its
// characters outnumber the topic's Latin words, else the header's wish.
export function chooseLang(asked, topic, acceptLanguage = "") {
  if (asked === "en" || asked === "zh") return asked;
  if (asked && asked !== "auto") throw new AskError("lang", `lang "${asked}" is not known`, "Use lang=en, lang=zh or lang=auto.");
  let chinese = 0, latin = 0, inWord = false;
  for (const c of topic) {
    if (/[\u3400-\u9FFF\uF900-\uFAFF\u{20000}-\u{323AF}]/u.test(c)) {
      chinese++;
      inWord = false;
    } else if (/\p{Script=Latin}/u.test(c)) {
      if (!inWord) latin++;
      inWord = true;
    } else if (!/[\p{Nd}\p{M}'\u2019]/u.test(c)) {
      inWord = false;
    }
  }
  return chinese > latin ? "zh" : acceptedLang(acceptLanguage);
}

function acceptedLang(header) {
  let best = 0, lang = "en";
  for (const part of header.split(",")) {
    const [tag, ...params] = part.split(";");
    const primary = tag.trim().toLowerCase().split("-")[0];
    if (primary !== "en" && primary !== "zh") continue;
    const q = weight(params);
    if (q > best) [best, lang] = [q, primary];
  }
  return lang;
}

function weight(params) {
  for (const p of params) {
    const at = p.indexOf("=");
    if (p.slice(0, at < 0 ? p.length : at).trim().toLowerCase() !== "q") continue;
    const value = at < 0 ? "" : p.slice(at + 1).trim();
    const q = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : 1;
    return q < 1 && q > -Infinity ? Math.max(q, 0) : 1;
  }
  return 1;
}

// ---- citations

const WORD = { en: "Source: ", zh: "来源：" };

// oneLine is s fit to stand on one line.
const oneLine = (s) => s.replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, " ")
  .replace(/^[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]+|[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]+$/g, "");

// splitSectionID takes {collection}::{doc_path}::{slug/chain}#{level} apart;
// null for ids of other form.
export function splitSectionID(id) {
  const first = id.indexOf("::");
  if (first < 0) return null;
  const rest = id.slice(first + 2), last = rest.lastIndexOf("::");
  if (last < 0 || !rest.slice(last).includes("#")) return null;
  return { collection: id.slice(0, first), docPath: rest.slice(0, last), chain: rest.slice(last + 2) };
}

const sectionOf = (entry) => entry.curated === false ? splitSectionID(entry.id) : null;

// marker is how an answer cites an entry: [EG-201], or [react:3fa9c1] for a
// section (entries that say curated: false).
export function marker(entry, digits = MARKER_DIGITS) {
  const section = sectionOf(entry);
  if (section) return `[${section.collection}:${sha256(entry.id).slice(0, digits)}]`;
  const own = oneLine(entry.id);
  return digits > MARKER_DIGITS && entry.collection ? `[${entry.collection}:${own}]` : `[${own}]`;
}

// markers tells the entries of one bundle apart: where two would share a
// marker, those get more digits, or their collection's name.
function markers(entries) {
  const key = (e) => (e.collection || "") + "\0" + e.id;
  const digits = new Map(entries.map((e) => [key(e), MARKER_DIGITS]));
  const out = [];
  for (let clash = true; clash;) {
    clash = false;
    const owner = new Map();
    entries.forEach((e, i) => {
      const own = key(e), m = marker(e, digits.get(own)), other = owner.get(m);
      out[i] = m;
      if (other !== undefined && other !== own) {
        clash ||= Math.max(digits.get(other), digits.get(own)) < 64;
        digits.set(other, digits.get(other) + 1);
        digits.set(own, digits.get(own) + 1);
      }
      owner.set(m, own);
    });
  }
  return out;
}

// citationURL is where a reader finds an entry.
export function citationURL(entry, base = "") {
  const root = base.replace(/\/$/, ""), section = sectionOf(entry);
  if (entry.url) {
    const address = entry.url.startsWith("/") ? root + entry.url : entry.url;
    return entry.anchor && !address.includes("#") ? address + fragment(entry.anchor) : address;
  }
  if (!section) return root + "/context.json" + fragment(entry.id);
  const page = section.docPath.replace(/\.[^./]*$/, "");
  return root + escape(`/docs/${section.collection}/${page}`, /[\w\-.~$&+,\/:;=@]/) + fragment(entry.anchor || "");
}

const fragment = (s) => s && "#" + escape(s, /[\w\-.~$&+,\/:;=?@!()*]/);

function escape(s, keep) {
  let out = "";
  for (const c of s) {
    if (c < "\x80" && keep.test(c)) out += c;
    else for (const b of new TextEncoder().encode(c)) out += "%" + (b + 256).toString(16).slice(1).toUpperCase();
  }
  return out;
}

// ---- packing

export const effectiveBudget = (asked) => Math.min(Math.max(asked, MIN_BUDGET), MAX_BUDGET);

// fill takes ranked entries in order while they fit and goes on to smaller
// ones.
function fill(ranked, budget, limit) {
  const f = { packed: [], leftOut: [], used: 0, truncated: false };
  let room = budget;
  for (const p of ranked) {
    if (limit > 0 && f.packed.length >= limit) break;
    const cost = costOf(p.entry);
    if (cost > room) {
      f.truncated = true;
      f.leftOut.push(p);
      continue;
    }
    room -= cost;
    f.used += cost;
    f.packed.push(p);
  }
  return f;
}

export const costOf = (e) => e.tokens > 0 ? e.tokens : tokens(e.title, "\n", e.body);

// bundle fills a budget with ranked entries: {query (as echoed), lang, ranked,
// matched, suggestions, rules, knowledgeVersion, revision, generatedAt,
// baseUrl}, and fill where it is another than ours.
export function bundle(r) {
  const budget = effectiveBudget(r.query.budget);
  const f = (r.fill || fill)(r.ranked, budget, r.query.limit || 0);
  f.leftOut.splice(MAX_LEFT_OUT);
  const names = markers([...f.packed, ...f.leftOut].map((p) => p.entry));
  const out = {
    query: r.query, knowledgeVersion: r.knowledgeVersion, revision: r.revision, usedTokens: f.used, budget,
    truncated: f.truncated, matched: r.matched, entryCount: f.packed.length, entries: f.packed.map(packedEntry),
    citations: f.packed.map(({ entry }, i) => ({
      marker: names[i], entryId: entry.id, url: citationURL(entry, r.baseUrl), text: WORD[r.lang] + oneLine(entry.title),
      confidence: entry.confidence,
    })),
    rules: [...r.rules],
  };
  if (f.leftOut.length) {
    out.leftOut = f.leftOut.map(({ entry, score }, i) => (
      { id: entry.id, title: entry.title, marker: names[f.packed.length + i], tokens: costOf(entry), score }));
  }
  if (r.suggestions?.length) out.suggestions = r.suggestions;
  out.generatedAt = r.generatedAt;
  out.source = "local-fallback";
  return out;
}

function packedEntry({ entry: e, score, relevance, partial }) {
  const out = {
    id: e.id, category: e.category, title: e.title, summary: e.summary, body: e.body, tags: [...e.tags],
    confidence: e.confidence, tokens: costOf(e),
  };
  for (const name of ["updated", "collection", "doc_path", "doc_title", "url", "anchor"]) if (e[name]) out[name] = e[name];
  out.score = score;
  out.relevance = relevance;
  if (partial) out.partial = partial;
  return out;
}

// bundleText is a bundle as /api/context writes it.
export const bundleText = (b) => JSON.stringify(b)
  .replace(/[\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16)) + "\n";

// ---- questions

// readParams checks the parameters of /api/context, numbers also as text.
export function readParams(p) {
  const out = { topic: wellFormed(p.topic ?? "") };
  const budget = number(p.budget, "budget", "a whole number of tokens between 200 and 8000, for example budget=2000");
  out.budget = budget ?? DEFAULT_BUDGET;
  out.category = p.category ? wellFormed(p.category) : null;
  if (p.collection) out.collection = wellFormed(p.collection);
  const mode = (p.mode ?? "").trim(), lang = (p.lang ?? "").trim();
  choice("mode", mode, ["auto", "bm25", "weighted"]);
  if (mode) out.mode = mode;
  const limit = number(p.limit, "limit", "a whole number of entries above 0, for example limit=5");
  if (limit !== undefined && limit < 1) {
    throw new AskError("limit", "limit must be a whole number of entries above 0, for example limit=5.");
  }
  if (limit) out.limit = limit;
  choice("lang", lang, ["auto", "en", "zh"]);
  if (lang) out.lang = lang;
  return out;
}

function number(value, name, example) {
  if (value === undefined || value === null) return undefined;
  const text = String(value).trim();
  if (!/^[+-]?\d+$/.test(text)) throw new AskError(name, `${name} must be ${example}.`);
  return Math.max(Math.min(Number(text), LARGEST_NUMBER), -LARGEST_NUMBER) + 0; // never -0
}

function choice(name, value, allowed) {
  if (value && !allowed.includes(value)) throw new AskError(name, `${name} must be one of ${allowed.join(", ")}.`);
}

// versions are what the knowledge bases in scope say of themselves.
export function versions(knowledge, collection) {
  const scope = knowledge.collections.filter((c) => !collection || c.name === collection);
  const first = scope.find((c) => c.version);
  return {
    knowledgeVersion: first ? first.version : knowledge.revision,
    revision: first?.revision || knowledge.revision,
  };
}

// ask answers a question from a knowledge base with the bundle that
// /api/context would give, but for its source. Throws AskError.
export function ask(knowledge, params) {
  const query = readParams(params);
  const lang = chooseLang(query.lang, query.topic, params.acceptLanguage);
  const names = knowledge.collections.map((c) => c.name);
  if (query.collection && !names.includes(query.collection)) {
    throw new AskError("collection", `no collection is named "${query.collection}"`, `The collections are ${names.join(", ")}.`);
  }
  if (query.category && !knowledge.categories.includes(query.category)) {
    throw new AskError("category", `no entry has the category "${query.category}"`,
      `The categories are ${knowledge.categories.join(", ")}.`);
  }
  if (query.mode === "bm25") throw new AskError("mode", "a knowledge base alone is ranked by weights", "Use mode=weighted or mode=auto.");
  const scope = knowledge.entries.filter((e) =>
    (!query.collection || e.collection === query.collection) && (!query.category || e.category === query.category));
  return bundle({
    query, lang, ...rank(scope, query.topic), rules: knowledge.rules[lang], ...versions(knowledge, query.collection),
    generatedAt: knowledge.generatedAt, baseUrl: knowledge.baseUrl,
  });
}

// promptPack returns the text of a scenario ("" is chat).
export function promptPack(knowledge, scenario, lang, acceptLanguage = "") {
  const packs = knowledge.packs[chooseLang(lang, "", acceptLanguage)], name = scenario || "chat";
  if (!Object.hasOwn(packs, name)) {
    throw new AskError("scenario", `scenario "${name}" is not known`, `Use one of ${Object.keys(packs).join(", ")}.`);
  }
  return packs[name];
}

// ---- SHA-256 (FIPS 180-4)

const ROUND = fractions(64, 1 / 3), START = fractions(8, 1 / 2);

// fractions are the first 32 bits of the fractional parts of roots of primes.
function fractions(count, power) {
  const out = [];
  for (let n = 2; out.length < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) prime &&= n % d !== 0;
    if (prime) out.push((n ** power % 1) * 2 ** 32 | 0);
  }
  return out;
}

// sha256 returns the digest of a string's UTF-8 as lower-case hex.
export function sha256(s) {
  const text = new TextEncoder().encode(s);
  const data = new Uint8Array((text.length + 72) & ~63);
  data.set(text);
  data[text.length] = 0x80;
  const view = new DataView(data.buffer);
  view.setUint32(data.length - 8, Math.floor(text.length / 2 ** 29));
  view.setUint32(data.length - 4, text.length << 3);
  const hash = START.slice(), w = new Int32Array(64);
  const turn = (x, n) => x >>> n | x << 32 - n;
  for (let at = 0; at < data.length; at += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        w[i] = view.getInt32(at + 4 * i);
        continue;
      }
      const x = w[i - 15], y = w[i - 2];
      w[i] = w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ x >>> 3) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ y >>> 10);
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const t = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + ROUND[i] + w[i] | 0;
      const u = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, d + t | 0, c, b, a, t + u | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { hash[i] = hash[i] + x | 0; });
  }
  return hash.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}
