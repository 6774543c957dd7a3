// Search and answers over collections without a server: BM25 over two fields,
// as the server ranks, from the files that internal/offline writes. Works on
// bytes that others fetch.
//
// One difference is meant: an index holds no positions, so a quoted phrase
// stands for all of its words, wherever they are in a section.

import { AskError, ask as askKnowledge, bundle, chooseLang, citationURL, compareStrings, marker, readParams, round3, versions } from "./evergreen.mjs";
import { passageTerms, shorten } from "./passage.mjs";
import { fillShared } from "./share.mjs";
import { ASKING, EXACT, PART, REQUESTING, WHOLE, bytesOf, expand, lower, unitsOf } from "./terms.mjs";

// ---- limits and weights: those of the server

const K1 = 1.2, K1_AND_1 = 2.2, K3 = 2;
const NORMS = [{ b: 1.2, rest: 0 }, { b: 0.72, rest: 0.48 }]; // k1 x b, k1 x (1 - b) of titles (b = 1) and bodies (b = 0.6)
const EVIDENCE_SECTIONS = 5;
const PHRASE_LIFT = 1.5;
const EXACT_WEIGHT = 0.08, PART_WEIGHT = 0.15, WHOLE_WEIGHT = 0.5;
const MAX_QUERY_UNITS = 256, VERBOSE_WORDS = 4;
const FEEDBACK = { words: 8, sections: 3, candidates: 48, common: 0.1, terms: 8, weight: 0.15, longest: 1024 };
const MAX_CANDIDATES = 200, MIN_RELEVANCE = 0.25;
const FALLBACK_ENTRIES = 5, FALLBACK_RELEVANCE = 0.17;
const SUGGESTIONS = 3, MIN_SUGGEST_LENGTH = 3;

const f32 = Math.fround;

// ---- questions

// parseQuery reads a question into weighted terms and quoted phrases. Words
// that only ask count when there are no others.
function parseQuery(text) {
  const terse = readQuery(text, (word) => ASKING.has(word) || REQUESTING.has(word));
  if (terse.terms.filter((t) => t.word).length >= VERBOSE_WORDS) return terse;
  const query = readQuery(text, (word) => ASKING.has(word));
  return query.terms.length ? query : readQuery(text, () => false);
}

function readQuery(text, spare) {
  const weights = new Map(), asked = new Set(), units = [];
  const add = (term, w) => weights.set(term, f32((weights.get(term) || 0) + f32(w)));
  let onlyLone = true;
  for (const unit of unitsOf(text)) {
    if (units.length >= MAX_QUERY_UNITS) break;
    units.push({ ...unit, text: lower(unit.text) });
    onlyLone &&= Boolean(unit.lone);
    if (spare(lower(unit.text))) continue;
    const { base, extra } = expand(unit);
    for (const term of base) {
      add(term, 1);
      asked.add(term);
      if (!unit.cjk) add(PART + term, PART_WEIGHT);
    }
    for (const term of extra) {
      add(term, term[0] === EXACT ? EXACT_WEIGHT : term[0] === WHOLE ? WHOLE_WEIGHT : PART_WEIGHT);
      if (term[0] === PART) add(term.slice(1), PART_WEIGHT);
    }
  }
  const terms = [...weights].map(([term, weight]) => ({ term, weight: asked.has(term) ? saturate(weight) : weight, lone: onlyLone, word: asked.has(term) }))
    .sort((a, b) => compareStrings(a.term, b.term));
  const { phrases, rest } = readPhrases(text);
  return { terms, units, phrases, onlyPhrases: phrases.length > 0 && unitsOf(rest).next().done };
}

// saturate is the weight of a word that a question repeats.
const saturate = (weight) => f32(f32((K3 + 1) * weight) / f32(K3 + weight));

function readPhrases(text) {
  const phrases = [];
  for (const [open, close] of ['""', "“”", "「」", "『』"]) {
    let rest = text;
    text = "";
    for (;;) {
      const from = rest.indexOf(open), to = from < 0 ? -1 : rest.indexOf(close, from + open.length);
      if (to < 0) break;
      const inside = rest.slice(from + open.length, to);
      const phrase = [...unitsOf(inside)].map((u) => ({ ...u, text: lower(u.text) }));
      text += rest.slice(0, from) + " ";
      if (phrase.length > 1) phrases.push(phrase);
      else text += inside + " ";
      rest = rest.slice(to + close.length);
    }
    text += rest;
  }
  return { phrases, rest: text };
}

// ---- the index of one collection

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  uvarint() {
    for (let v = 0, scale = 1; ; scale *= 128) {
      if (this.at >= this.bytes.length) throw new Error("the offline index is cut off: load it again");
      const c = this.bytes[this.at++];
      v += (c & 0x7F) * scale;
      if (c < 0x80) return v;
    }
  }

  take(n) {
    this.at += n;
    if (this.at > this.bytes.length) throw new Error("the offline index is cut off: load it again");
    return this.bytes.subarray(this.at - n, this.at);
  }
}

// openIndex reads the bytes of index.bin. texts(n) promises the parsed
// texts-n.json; only ask needs it.
export async function openIndex(bytes, texts) {
  bytes = new Uint8Array(bytes);
  if (bytes[0] === 0x1F && bytes[1] === 0x8B) {
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes = new Uint8Array(await new Response(plain).arrayBuffer());
  }
  const decoder = new TextDecoder(), r = new Reader(bytes);
  if (decoder.decode(r.take(4)) !== "EGO1") throw new Error("this is no offline index of this version: load it again");
  const [head, lengths, terms, postings] = [0, 1, 2, 3].map(() => r.take(r.uvarint()));
  return new Index(JSON.parse(decoder.decode(head)), new Reader(lengths), new Reader(terms), postings, texts);
}

class Index {
  constructor(head, lengths, terms, postings, texts) {
    const n = head.titles.length;
    Object.assign(this, { head, postings, texts, size: n, collection: head.collection, loaded: new Map() });
    this.lengths = [0, 1].map(() => Uint32Array.from({ length: n }, () => lengths.uvarint()));
    this.totals = this.lengths.map((list) => list.reduce((a, b) => a + b, 0));
    this.document = new Uint32Array(n);
    head.documents.reduce((at, d, i) => {
      d.first = at;
      this.document.fill(i, at, at + d.sections);
      return at + d.sections;
    }, 0);
    this.readTerms(terms);
    this.curated = head.documents.length > 0 && head.documents.every((d) => d.curated);
  }

  // readTerms makes the dictionary: terms in order of bytes, by number.
  readTerms(r) {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true }), before = new Uint8Array(4096);
    const postings = new Reader(this.postings);
    this.terms = [];
    this.isWord = [];
    this.offsets = [];
    this.numbers = new Map();
    while (r.at < r.bytes.length) {
      const head = r.uvarint(), shared = head >>> 1, rest = r.take(r.uvarint());
      before.set(rest, shared);
      const term = decoder.decode(before.subarray(0, shared + rest.length));
      this.numbers.set(term, this.terms.length);
      this.terms.push(term);
      this.isWord.push(head & 1);
      this.offsets.push(postings.at);
      for (let field = 0; field < 2; field++) {
        postings.uvarint();
        postings.take(postings.uvarint());
      }
    }
  }

  // lists returns a term's postings for titles and bodies: pairs of section
  // and frequency.
  lists(number) {
    const r = new Reader(this.postings);
    r.at = this.offsets[number];
    return [0, 1].map(() => {
      const count = r.uvarint(), size = r.uvarint(), end = r.at + size, out = [];
      let section = -1;
      while (r.at < end) {
        const v = r.uvarint();
        section += Math.floor(v / 2);
        out.push(section, v % 2 ? 1 : r.uvarint());
      }
      return { count, pairs: out };
    });
  }

  // bodyTerms returns [term, frequency] of the words of a section's body.
  bodyTerms(section) {
    const out = [], r = new Reader(this.postings);
    this.terms.forEach((term, number) => {
      if (term[0] <= PART || term.length < 2 && term < "\x80") return; // no word, or one letter
      r.at = this.offsets[number];
      r.uvarint();
      r.take(r.uvarint());
      r.uvarint();
      const size = r.uvarint(), end = r.at + size;
      for (let at = -1; r.at < end && at < section;) {
        const v = r.uvarint(), frequency = v % 2 ? 1 : r.uvarint();
        at += Math.floor(v / 2);
        if (at === section) out.push([term, frequency]);
      }
    });
    return out;
  }

  // matching returns the numbers of the terms that a query term stands for.
  matching({ term, lone }) {
    if (!lone) return this.numbers.has(term) ? [this.numbers.get(term)] : [];
    const out = [];
    this.terms.forEach((t, i) => { if (t >= "\u3005" && t.includes(term)) out.push(i); });
    return out;
  }

  // words are the terms that stand as they were written.
  words() {
    this.written ??= this.terms.flatMap((term, number) => {
      if (term[0] !== EXACT && !this.isWord[number]) return [];
      const word = term[0] === EXACT ? term.slice(1) : term;
      return [{ word, number, letters: letterSet(word) }];
    });
    return this.written;
  }

  chain(i) {
    const leaf = this.leaf(i), up = this.head.parents[i];
    return up ? this.chain(i - up) + "/" + leaf : leaf;
  }

  leaf(i) { return this.head.leaves[i] ?? slug(this.head.titles[i]); }

  id(i) {
    const d = this.head.documents[this.document[i]];
    return d.curated ? this.leaf(i) : `${this.collection}::${d.path}::${this.chain(i)}#${this.head.levels[i]}`;
  }

  category(i) { return this.head.documents[this.document[i]].category || "doc"; }

  categories() { return this.head.documents.map((d) => d.category || "doc"); }

  // entry is section i as evergreen.mjs packs it, without its body.
  entry(i) {
    const { head } = this, d = head.documents[this.document[i]];
    return {
      id: this.id(i), category: this.category(i), title: head.titles[i], summary: head.summaries[i], body: "",
      tags: d.tags || [], confidence: d.confidence, tokens: Math.abs(head.tokens[i]), updated: d.updated || "",
      collection: this.collection, doc_path: d.path, doc_title: d.title && d.title !== head.titles[i] ? d.title : "",
      url: d.url || "", anchor: head.anchors[i] ?? this.leaf(i),
      curated: Boolean(d.curated),
    };
  }

  // load completes an entry that entry(i) made.
  async load(i, entry) {
    const { shards } = this.head;
    let n = shards.length - 1;
    while (shards[n] > i) n--;
    [entry.summary, entry.body] = (await this.shard(n))[i - shards[n]];
  }

  // loadAll brings all texts, for the time when they cannot be had.
  async loadAll() {
    for (let n = 0; n < this.head.shards.length; n++) await this.shard(n);
  }

  async shard(n) {
    if (!this.loaded.has(n)) this.loaded.set(n, this.texts(n));
    try {
      return await this.loaded.get(n);
    } catch (e) {
      this.loaded.delete(n); // to be tried again
      throw e;
    }
  }
}

// slug is what the server makes of a title of ASCII and Chinese characters.
function slug(title) {
  return lower(title).replace(/[\s_-]+/g, "-").replace(/[^a-z0-9\u3400-\u9FFF-]/g, "").replace(/-+/g, "-").replace(/^-|-$/g, "");
}

// ---- ranking

// rankSections returns {index, section, score} of all hits, best first.
function rankSections(indexes, query, allow) {
  const st = statistics(indexes), out = [];
  const scores = indexes.map((index) => new Float32Array(index.size)); // hits alone have one
  const id = (s) => s.id ??= s.index.id(s.section);
  const byScore = (a, b) => b.score - a.score || compareStrings(id(a), id(b));
  addTerms(indexes, query.terms.map((t) => lookUp(indexes, t, st)).filter(Boolean), st, scores, false);
  addTerms(indexes, feedback(indexes, query, st, scores, byScore), st, scores, true);
  indexes.forEach((index, v) => {
    const phrase = phraseFilter(index, query.phrases);
    for (const d of index.head.documents) {
      const own = scores[v].subarray(d.first, d.first + d.sections), evidence = evidenceOf(own);
      own.forEach((score, k) => {
        const i = d.first + k, holds = phrase && phrase[i];
        if (!score || allow && !allow(index, i) || phrase && !holds && query.onlyPhrases) return;
        const mixed = f32((2 * score + evidence) / 3);
        out.push({ index, section: i, score: holds ? f32(mixed * PHRASE_LIFT) : mixed });
      });
    }
  });
  return out.sort(byScore);
}

// evidenceOf is the mean score of a document's best sections.
function evidenceOf(scores) {
  const n = Math.min(scores.length, EVIDENCE_SECTIONS);
  return Float32Array.from(scores).sort().reverse().slice(0, n).reduce((sum, score) => sum + score, 0) / n;
}

// addTerms adds the shares of terms, with scored only to sections with a score.
function addTerms(indexes, scorables, st, scores, scored) {
  indexes.forEach((index, v) => {
    for (const s of scorables) {
      for (const field of [0, 1]) {
        for (const { pairs } of s.lists[v].map((l) => l[field])) addShares(pairs, s.share, st.norms[field], index.lengths[field], scores[v], scored);
      }
    }
  });
}

// addShares adds one field's BM25 share of a term, in single precision as the
// server does.
function addShares(pairs, weight, norms, lengths, score, scored) {
  for (let k = 0; k < pairs.length; k += 2) {
    const i = pairs[k], frequency = pairs[k + 1], norm = normOf(norms, lengths[i]);
    if (scored && !score[i]) continue;
    score[i] += frequency === 1 && lengths[i] < 1024
      ? f32(weight * f32(1 / f32(1 + norm)))
      : f32(f32(weight * frequency) / f32(frequency + norm));
  }
}

const normOf = ([c0, c1], length) => f32(c0 + f32(c1 * length));

function statistics(indexes) {
  const n = indexes.reduce((sum, x) => sum + x.size, 0);
  const norms = NORMS.map(({ b, rest }, field) => {
    const average = n ? indexes.reduce((sum, x) => sum + x.totals[field], 0) / n : 0;
    return average ? [f32(rest), f32(b / average)] : [f32(K1), 0];
  });
  return { n, norms };
}

function lookUp(indexes, t, st) {
  const lists = indexes.map((index) => index.matching(t).map((number) => index.lists(number)));
  if (lists.every((l) => !l.length)) return null;
  const df = Math.max(...[0, 1].map((field) => lists.reduce((sum, l) => sum + frequency(l.map((both) => both[field])), 0)));
  const idf = f32(Math.log(1 + (st.n - df + 0.5) / (df + 0.5)) * K1_AND_1);
  return { term: t.term, lists, df, idf, share: f32(t.weight * idf) };
}

// frequency counts the sections that the lists name together.
function frequency(lists) {
  if (lists.length < 2) return lists.length ? lists[0].count : 0;
  const seen = new Set();
  for (const { pairs } of lists) for (let k = 0; k < pairs.length; k += 2) seen.add(pairs[k]);
  return seen.size;
}

// ---- feedback: what the best sections of a long question have in common

function feedback(indexes, query, st, scores, byScore) {
  const words = query.terms.filter((t) => t.word);
  if (words.length < FEEDBACK.words || query.phrases.length || query.terms.some((t) => t.term > "\x7F")) return [];
  const asked = words.reduce((sum, t) => sum + t.weight, 0);
  const sources = bestOf(indexes, scores, byScore), total = sources.reduce((sum, s) => sum + s.score, 0);
  const candidates = new Map();
  for (const s of sources) {
    const norm = normOf(st.norms[1], s.index.lengths[1][s.section]);
    for (const [term, n] of s.index.bodyTerms(s.section)) {
      const c = candidates.get(term) || { term, sections: 0, weight: 0 };
      candidates.set(term, c);
      c.sections++;
      c.weight += s.score / total * (n / (n + norm));
    }
  }
  const heaviest = (worth) => (a, b) => worth(b) - worth(a) || compareStrings(a.term, b.term);
  const shared = [...candidates.values()].filter((c) => c.sections > 1).sort(heaviest((c) => c.weight)).slice(0, FEEDBACK.candidates);
  const worth = (s) => candidates.get(s.term).weight * s.idf;
  const found = shared.map((c) => lookUp(indexes, { term: c.term, weight: 0 }, st))
    .filter((s) => s.df <= FEEDBACK.common * st.n).sort(heaviest(worth)).slice(0, FEEDBACK.terms);
  const sum = found.reduce((all, s) => all + worth(s), 0);
  return found.map((s) => ({ ...s, share: f32(f32(worth(s) / sum * asked * FEEDBACK.weight) * s.idf) }));
}

// bestOf are the best sections by their own words.
function bestOf(indexes, scores, byScore) {
  const best = [];
  indexes.forEach((index, v) => scores[v].forEach((score, section) => {
    if (!score || index.lengths[1][section] > FEEDBACK.longest) return;
    if (best.length === FEEDBACK.sections && score < best[best.length - 1].score) return;
    best.push({ index, section, score });
    best.sort(byScore).splice(FEEDBACK.sections);
  }));
  return best;
}

// phraseFilter marks the sections that hold every word of every phrase.
function phraseFilter(index, phrases) {
  if (!phrases.length) return null;
  const holds = new Uint8Array(index.size).fill(1);
  for (const unit of phrases.flat()) {
    for (const term of expand(unit).base) {
      const here = new Uint8Array(index.size);
      const number = index.numbers.get(term);
      if (number !== undefined) {
        for (const { pairs } of index.lists(number)) for (let k = 0; k < pairs.length; k += 2) here[pairs[k]] = 1;
      }
      here.forEach((h, i) => { holds[i] &= h; });
    }
  }
  return holds;
}

// search returns one page of hits: options are limit, offset, collection and
// category.
export function search(indexes, text, { limit = 10, offset = 0, collection = "", category = "" } = {}) {
  const scope = indexes.filter((x) => !collection || x.collection === collection);
  const query = parseQuery(text);
  const found = rankSections(scope, query, category && ((x, i) => x.category(i) === category));
  const out = { query: text, mode: "bm25", total: found.length, matched: found.length > 0, hits: [] };
  for (const { index, section, score } of found.slice(offset, offset + limit)) {
    const e = index.entry(section);
    out.hits.push({
      id: e.id, collection: e.collection, doc_path: e.doc_path, title: e.title, ...(e.doc_title && { doc_title: e.doc_title }),
      score: round3(score), snippet: e.summary, tokens: e.tokens, marker: marker(e).slice(1, -1), url: citationURL(e),
    });
  }
  if (!out.matched) {
    const near = suggest(scope, query);
    if (near.length) out.suggestions = near;
  }
  return out;
}

// ---- spellings

// suggest returns words of the sections near to words that none holds.
function suggest(indexes, query) {
  const found = [], seen = new Set();
  for (const { text, cjk } of query.units) {
    const length = bytesOf(text).length, letters = letterSet(text);
    if ([...text].length < MIN_SUGGEST_LENGTH || cjk || known(indexes, text)) continue;
    const allowed = length > 5 ? 2 : 1;
    for (const index of indexes) {
      for (const { word, number, letters: its } of index.words()) {
        if (Math.abs(word.length - length) > allowed || unlike(letters, its) > 2 * allowed || seen.has(word)) continue;
        const d = distance([...text], word);
        if (d === 0 || d > allowed) continue;
        seen.add(word);
        found.push({ word, d, count: index.lists(number)[1].count });
      }
    }
  }
  found.sort((a, b) => a.d - b.d || b.count - a.count || compareStrings(a.word, b.word));
  return found.slice(0, SUGGESTIONS).map((f) => f.word);
}

// letterSet has a bit for every letter of a word's UTF-8; unlike counts those
// that two words do not share.
function letterSet(word) {
  const set = [0, 0];
  for (const b of bytesOf(word)) set[b >> 5 & 1] |= 1 << (b & 31);
  return set;
}

function unlike(a, b) {
  let n = 0;
  for (const half of [0, 1]) for (let x = a[half] ^ b[half]; x; x &= x - 1) n++;
  return n;
}

const known = (indexes, text) => expand({ text, cjk: false }).base.some((term) => indexes.some((x) => x.numbers.has(term)));

// distance counts edits, a swap of neighbours as one.
function distance(s, t) {
  let before2 = [], before = [...Array(s.length + 1).keys()];
  for (let j = 1; j <= t.length; j++) {
    const row = [j];
    for (let i = 1; i <= s.length; i++) {
      row[i] = Math.min(before[i] + 1, row[i - 1] + 1, before[i - 1] + (s[i - 1] === t[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && s[i - 1] === t[j - 2] && s[i - 2] === t[j - 1]) row[i] = Math.min(row[i], before2[i - 2] + 1);
    }
    [before2, before] = [before, row];
  }
  return before[s.length];
}

// ---- answers

// ask answers a question over collections with the bundle that /api/context
// would give, but for its source. indexes are those of all collections in order
// of name, knowledge is what evergreen.mjs takes: where only curated entries are
// in scope that answers.
export async function ask(indexes, knowledge, params) {
  const query = readParams(params);
  const scope = indexes.filter((x) => !query.collection || x.collection === query.collection);
  const categories = [...new Set([...knowledge.categories, ...indexes.flatMap((x) => x.categories())])].sort(compareStrings);
  if (query.mode !== "bm25" && scope.every((x) => x.curated)) return askKnowledge({ ...knowledge, categories }, params);
  if (query.mode === "weighted") {
    throw new AskError("mode", "weights rank knowledge bases only when there is no server", "Use mode=bm25 or mode=auto.");
  }
  checkScope(indexes, query, scope, categories);
  const lang = chooseLang(query.lang, query.topic, params.acceptLanguage);
  const parsed = parseQuery(query.topic), around = passageTerms(query.topic);
  const allow = query.category && ((x, i) => x.category(i) === query.category);
  const ranked = candidates(rankSections(scope, parsed, allow));
  const { knowledgeVersion, revision } = versions(knowledge, query.collection);
  const request = {
    query, lang, ranked, matched: ranked.length > 0, rules: knowledge.rules[lang], knowledgeVersion,
    revision: scope.every((x) => x.curated) ? revision : knowledge.revision,
    generatedAt: knowledge.generatedAt, baseUrl: knowledge.baseUrl,
  };
  if (!request.matched) {
    request.suggestions = suggest(scope, parsed);
    request.ranked = fallback(scope, allow);
  }
  return pack(request, around);
}

function checkScope(indexes, query, scope, categories) {
  if (!scope.length) {
    throw new AskError("collection", `no collection is named "${query.collection}"`,
      `The collections are ${indexes.map((x) => x.collection).join(", ")}.`);
  }
  if (query.category && !categories.includes(query.category)) {
    throw new AskError("category", `no entry has the category "${query.category}"`,
      `The categories are ${categories.join(", ")}.`);
  }
}

// candidates are the hits near enough to the best.
function candidates(found) {
  const out = [], best = found.length ? round3(found[0].score) : 0;
  for (const f of found.slice(0, MAX_CANDIDATES)) {
    const score = round3(f.score);
    if (score < MIN_RELEVANCE * best) break;
    if (f.index.head.tokens[f.section] < 0) continue; // nothing but a heading
    out.push({ entry: f.index.entry(f.section), score, relevance: round3(score / best), place: f });
  }
  return out;
}

// pack loads the texts of what a bundle takes, first of what it must cut, until
// it takes nothing else.
async function pack(request, around) {
  const loaded = new Set();
  const load = (p) => {
    loaded.add(p);
    return p.place.index.load(p.place.section, p.entry);
  };
  for (;;) {
    const taken = new Set();
    request.fill = (ranked, budget, limit) => {
      const f = fillShared(ranked, budget, limit, (p, room) => {
        taken.add(p);
        return loaded.has(p) ? shorten(p, around, room) : p;
      });
      for (const p of f.packed) if (!p.partial) taken.add(p);
      return f;
    };
    const out = bundle(request), missing = [...taken].filter((p) => !loaded.has(p));
    if (!missing.length) return out;
    await Promise.all(missing.map(load));
  }
}

// fallback stands in when nothing matches: curated entries by confidence, then
// where a reader starts.
function fallback(scope, allow) {
  const places = [];
  for (const index of scope) {
    for (const d of index.head.documents) if (d.curated) places.push({ index, section: d.first, d });
  }
  const passes = ({ index, section }) => !allow || allow(index, section);
  const list = places.filter(passes).sort((a, b) => Math.trunc((b.d.confidence - a.d.confidence) * 1e6) ||
    (a.d.confidence === b.d.confidence ? compareStrings(a.index.id(a.section), b.index.id(b.section)) : 0));
  for (const index of scope.filter((x) => !x.curated)) {
    for (const d of homes(index)) {
      const own = Array.from({ length: d.sections }, (_, k) => ({ index, section: d.first + k }));
      const first = own.find((p) => index.head.tokens[p.section] > 0 && passes(p));
      if (first) list.push(first);
    }
  }
  return list.slice(0, FALLBACK_ENTRIES).map((place) => {
    const entry = place.index.entry(place.section);
    return { entry, score: round3(entry.confidence * 0.1), relevance: FALLBACK_RELEVANCE, place };
  });
}

// homes are the documents at the top that are named so, else the first of the
// least deep.
function homes(index) {
  const key = (d) => d.path + (d.curated ? "#" + index.id(d.first) : "") + "::";
  const docs = [...index.head.documents].sort((a, b) => compareStrings(key(a), key(b)));
  const named = docs.filter((d) => /^(index|_index|readme|home|introduction|summary)(\.[^.]*)?$/i.test(d.path));
  if (named.length) return named;
  const depth = (d) => key(d).split("/").length, least = Math.min(...docs.map(depth));
  return docs.filter((d) => depth(d) === least).slice(0, 1);
}
