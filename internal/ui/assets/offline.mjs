// Search over collections without a server: BM25 over two fields, as the
// server ranks, from the files that internal/offline writes. Works on bytes
// that others fetch; evergreen.mjs packs what is found into a bundle.
//
// One difference is meant: an index holds no positions, so a quoted phrase
// stands for all of its words, wherever they are in a section.

// ---- limits and weights: those of the server

const K1 = 1.2, K1_B = 0.9, K1_REST = 0.3, K1_AND_1 = 2.2; // k1, k1 x b, k1 x (1 - b), with b = 0.75
const PHRASE_LIFT = 1.5;
const EXACT_WEIGHT = 0.08, PART_WEIGHT = 0.15, WHOLE_WEIGHT = 0.5;
const MAX_QUERY_UNITS = 256;
const MAX_TERM_BYTES = 64;
const MAX_CANDIDATES = 200, MIN_RELEVANCE = 0.25;
const FALLBACK_ENTRIES = 5, FALLBACK_RELEVANCE = 0.17;
const SUGGESTIONS = 3, MIN_SUGGEST_LENGTH = 3;
const EXACT = "\x01", WHOLE = "\x02", PART = "\x03";

const f32 = Math.fround;
const words = (s) => new Set(s.split(" "));
const bytesOf = (s) => new TextEncoder().encode(s);

function compareStrings(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    let x = a.charCodeAt(i), y = b.charCodeAt(i);
    if (x === y) continue;
    if (x >= 0xD800 && x <= 0xDFFF) x += 0x10000;
    if (y >= 0xD800 && y <= 0xDFFF) y += 0x10000;
    return x - y;
  }
  return a.length - b.length;
}

// ---- analysis: what a text says in terms of an index

const STOP = words("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with");
const ASKING = words("about am any been being can could did do does doing from had has have he her his how i im its me my our she should so some them us we were what when where which who why would you your");

const IDEOGRAPH = "\\u3005\\u3007\\u3040-\\u30FA\\u30FC-\\u30FF\\u3400-\\u9FFF\\uAC00-\\uD7AF\\uF900-\\uFAFF\\u{20000}-\\u{323AF}";
const BEGIN = `(?![${IDEOGRAPH}])[\\p{L}\\p{Nd}]`, GO_ON = `(?:(?![${IDEOGRAPH}])[\\p{L}\\p{Nd}\\p{M}])*`;
const UNITS = new RegExp(`(${BEGIN}${GO_ON}(?:(?:_+|['\u2019])${BEGIN}${GO_ON})*)|[${IDEOGRAPH}]+`, "gu");

// unitsOf yields the words of a text and the overlapping pairs of its CJK runs.
export function* unitsOf(text) {
  for (const [match, word] of text.matchAll(UNITS)) {
    if (word !== undefined) {
      yield { text: word, cjk: false };
      continue;
    }
    const run = [...match];
    if (run.length === 1) yield { text: match, cjk: true, lone: true };
    for (let i = 0; i + 1 < run.length; i++) yield { text: run[i] + run[i + 1], cjk: true };
  }
}

// lower maps each code point by itself: no locale, no final sigma.
function lower(s) {
  if (/^[\x00-\x7F]*$/.test(s)) return s.toLowerCase();
  let out = "";
  for (const c of s) out += String.fromCodePoint(c.toLowerCase().codePointAt(0));
  return out;
}

// expand turns a unit into terms: base ones count towards a field's length.
export function expand({ text, cjk }) {
  const base = [], extra = [];
  if (cjk) return { base: [text], extra };
  const folded = text.replace(/[\uFF01-\uFF5E]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xFEE0));
  const pieces = folded.split("_").filter(Boolean);
  for (const piece of pieces) {
    const word = lower(piece).replaceAll("\u2019", "'").replace(/'s$/, "");
    if (bytesOf(word).length > MAX_TERM_BYTES || STOP.has(word)) continue;
    const root = stem(word);
    base.push(root);
    if (root !== word) extra.push(EXACT + word);
    for (const part of camelParts(piece)) {
      const small = lower(part);
      if (bytesOf(small).length >= 2 && !STOP.has(small)) extra.push(PART + stem(small));
    }
  }
  if (pieces.length > 1 && bytesOf(folded).length <= MAX_TERM_BYTES) extra.push(WHOLE + lower(folded));
  return { base, extra };
}

// camelParts cuts useEffect into use, Effect; XMLHttpRequest into three.
function camelParts(s) {
  const parts = s.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  return parts.length > 1 ? parts : [];
}

// ---- the English stemmer of the Snowball project (Porter2)

const IRREGULAR = new Map(Object.entries({
  andes: "andes", atlas: "atlas", bias: "bias", cosmos: "cosmos", dying: "die", early: "earli", gently: "gentl",
  howe: "howe", idly: "idl", lying: "lie", news: "news", only: "onli", singly: "singl", skies: "sky", skis: "ski",
  sky: "sky", tying: "tie", ugly: "ugli",
}));
const INVARIANT = words("succeed proceed exceed canning inning earring herring outing");
const STEP2 = Object.entries({
  ational: "ate", ization: "ize", iveness: "ive", fulness: "ful", ousness: "ous", tional: "tion", biliti: "ble",
  lessli: "less", fulli: "ful", ousli: "ous", entli: "ent", aliti: "al", iviti: "ive", alism: "al", ation: "ate",
  abli: "able", alli: "al", anci: "ance", enci: "ence", izer: "ize", ator: "ate", bli: "ble", ogi: "og", li: "",
});
const STEP3 = Object.entries({
  ational: "ate", tional: "tion", icate: "ic", ative: "", alize: "al", iciti: "ic", ical: "ic", ness: "", ful: "",
});
const STEP4 = "ement ance ence able ible ment ate ive ize iti ism ion ous ant ent ic al er".split(" ").map((s) => [s, ""]);

// stem returns the stem of a lower-cased ASCII word, others as they are.
export function stem(word) {
  if (!/^[\x00-\x7F]*$/.test(word)) return word;
  if (IRREGULAR.has(word)) return IRREGULAR.get(word);
  if (word.length < 3) return word;
  let w = word.replace(/^'/, "").replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
  const [p1, p2] = regions(w);
  w = plural(w);
  if (!INVARIANT.has(w)) {
    w = participle(w, p1);
    w = w.replace(/(?<=.[^aeiouy])[yY]$/s, "i");
    w = suffix(w, STEP2, (rest, end) => rest.length >= p1 &&
      (end !== "ogi" || rest.endsWith("l")) && (end !== "li" || /[cdeghkmnrt]$/.test(rest)));
    w = suffix(w, STEP3, (rest, end) => rest.length >= (end === "ative" ? Math.max(p1, p2) : p1));
    w = suffix(w, STEP4, (rest, end) => rest.length >= p2 && (end !== "ion" || /[st]$/.test(rest)));
    const rest = w.slice(0, -1);
    if (w.endsWith("e") && (rest.length >= p2 || rest.length >= p1 && !shortSyllable(rest)) ||
      w.endsWith("ll") && rest.length >= p2) w = rest;
  }
  return w.replaceAll("Y", "y");
}

// regions are where the first and the second syllable end.
function regions(w) {
  const past = (from) => {
    const m = /[aeiouy][^aeiouy]/s.exec(w.slice(from));
    return m ? from + m.index + 2 : w.length;
  };
  const prefix = /^(arsen|commun|gener)/.exec(w);
  const p1 = prefix ? prefix[0].length : past(0);
  return [p1, past(p1)];
}

const shortSyllable = (w) => /[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$/s.test(w);

function plural(word) {
  const w = word.replace(/('s'|'s|')$/, "");
  if (w.endsWith("sses")) return w.slice(0, -2);
  if (/ie[ds]$/.test(w)) return w.slice(0, w.length >= 5 ? -2 : -1);
  if (/(ss|us)$/.test(w) || !w.endsWith("s")) return w;
  return /[aeiouy].+s$/s.test(w) ? w.slice(0, -1) : w;
}

function participle(w, p1) {
  const end = /(eedly|ingly|edly|eed|ing|ed)$/.exec(w)?.[0];
  if (!end) return w;
  const rest = w.slice(0, -end.length);
  if (end.startsWith("eed")) return rest.length >= p1 ? rest + "ee" : w;
  if (!/[aeiouy]/.test(rest)) return w;
  if (/(at|bl|iz)$/.test(rest)) return rest + "e";
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest.slice(0, -1);
  return rest.length === p1 && shortSyllable(rest) ? rest + "e" : rest;
}

// suffix replaces the longest of the endings if it may be.
function suffix(w, endings, may) {
  for (const [end, by] of endings) {
    if (!w.endsWith(end)) continue;
    const rest = w.slice(0, w.length - end.length);
    return may(rest, end) ? rest + by : w;
  }
  return w;
}

// ---- questions

// parseQuery reads a question into weighted terms and quoted phrases. Words
// that only ask count when there are no others.
function parseQuery(text) {
  const query = readQuery(text, true);
  return query.terms.length ? query : readQuery(text, false);
}

function readQuery(text, spare) {
  const weights = new Map(), units = [];
  const add = (term, w) => weights.set(term, f32((weights.get(term) || 0) + f32(w)));
  let onlyLone = true;
  for (const unit of unitsOf(text)) {
    if (units.length >= MAX_QUERY_UNITS) break;
    units.push({ ...unit, text: lower(unit.text) });
    onlyLone &&= Boolean(unit.lone);
    if (spare && ASKING.has(lower(unit.text))) continue;
    const { base, extra } = expand(unit);
    for (const term of base) {
      add(term, 1);
      if (!unit.cjk) add(PART + term, PART_WEIGHT);
    }
    for (const term of extra) {
      add(term, term[0] === EXACT ? EXACT_WEIGHT : term[0] === WHOLE ? WHOLE_WEIGHT : PART_WEIGHT);
      if (term[0] === PART) add(term.slice(1), PART_WEIGHT);
    }
  }
  const terms = [...weights].map(([term, weight]) => ({ term, weight, lone: onlyLone }))
    .sort((a, b) => compareStrings(a.term, b.term));
  const { phrases, rest } = readPhrases(text);
  return { terms, units, phrases, onlyPhrases: phrases.length > 0 && unitsOf(rest).next().done };
}

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
    Object.assign(this, { head, postings, texts, size: n, collection: head.collection });
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
    [entry.summary, entry.body] = (await this.texts(n))[i - shards[n]];
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
  const scorables = query.terms.map((t) => lookUp(indexes, t, st)).filter(Boolean);
  indexes.forEach((index, v) => {
    const score = new Float32Array(index.size), hit = new Uint8Array(index.size);
    for (const s of scorables) {
      for (const field of [0, 1]) {
        for (const { pairs } of s.lists[v].map((l) => l[field])) addShares(pairs, s.weights[field], st.norms[field], index.lengths[field], score, hit);
      }
    }
    const phrase = phraseFilter(index, query.phrases);
    for (let i = 0; i < index.size; i++) {
      if (!hit[i] || allow && !allow(index, i)) continue;
      const holds = phrase && phrase[i];
      if (phrase && !holds && query.onlyPhrases) continue;
      out.push({ index, section: i, score: holds ? f32(score[i] * PHRASE_LIFT) : score[i] });
    }
  });
  const id = (s) => s.id ??= s.index.id(s.section);
  return out.sort((a, b) => b.score - a.score || compareStrings(id(a), id(b)));
}

// addShares adds one field's BM25 share of a term, in single precision as the
// server does.
function addShares(pairs, weight, [c0, c1], lengths, score, hit) {
  for (let k = 0; k < pairs.length; k += 2) {
    const i = pairs[k], frequency = pairs[k + 1], norm = f32(c0 + f32(c1 * lengths[i]));
    score[i] += frequency === 1 && lengths[i] < 1024
      ? f32(weight * f32(1 / f32(1 + norm)))
      : f32(f32(weight * frequency) / f32(frequency + norm));
    hit[i] = 1;
  }
}

function statistics(indexes) {
  const n = indexes.reduce((sum, x) => sum + x.size, 0);
  const norms = [0, 1].map((field) => {
    const average = n ? indexes.reduce((sum, x) => sum + x.totals[field], 0) / n : 0;
    return average ? [f32(K1_REST), f32(K1_B / average)] : [f32(K1), 0];
  });
  return { n, norms };
}

function lookUp(indexes, t, st) {
  const lists = indexes.map((index) => index.matching(t).map((number) => index.lists(number)));
  if (lists.every((l) => !l.length)) return null;
  const weights = [0, 1].map((field) => {
    const df = lists.reduce((sum, l) => sum + frequency(l.map((both) => both[field])), 0);
    const idf = f32(Math.log(1 + (st.n - df + 0.5) / (df + 0.5)) * K1_AND_1);
    return f32(t.weight * idf);
  });
  return { lists, weights };
}

// frequency counts the sections that the lists name together.
function frequency(lists) {
  if (lists.length < 2) return lists.length ? lists[0].count : 0;
  const seen = new Set();
  for (const { pairs } of lists) for (let k = 0; k < pairs.length; k += 2) seen.add(pairs[k]);
  return seen.size;
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

const round3 = (x) => Math.round(x * 1000) / 1000;

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
      score: round3(score), snippet: e.summary, tokens: e.tokens, curated: e.curated, url: e.anchor && !e.url.includes("#") ? e.url + "#" + encodeURI(e.anchor) : e.url,
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
// would give, but for its source. evergreen is the module evergreen.mjs, indexes
// are those of all collections in order of name, and knowledge is what
// evergreen.ask takes: where only curated entries are in scope that answers.
export async function ask(evergreen, indexes, knowledge, params) {
  const query = evergreen.readParams(params);
  const scope = indexes.filter((x) => !query.collection || x.collection === query.collection);
  const categories = [...new Set([...knowledge.categories, ...indexes.flatMap((x) => x.categories())])].sort(compareStrings);
  if (query.mode !== "bm25" && scope.every((x) => x.curated)) return evergreen.ask({ ...knowledge, categories }, params);
  if (query.mode === "weighted") {
    throw new evergreen.AskError("mode", "weights rank knowledge bases only when there is no server", "Use mode=bm25 or mode=auto.");
  }
  checkScope(evergreen, indexes, query, scope, categories);
  const lang = evergreen.chooseLang(query.lang, query.topic, params.acceptLanguage);
  const parsed = parseQuery(query.topic);
  const allow = query.category && ((x, i) => x.category(i) === query.category);
  const ranked = candidates(rankSections(scope, parsed, allow));
  const { knowledgeVersion, revision } = evergreen.versions(knowledge, query.collection);
  const request = {
    query, lang, ranked, matched: ranked.length > 0, rules: knowledge.rules[lang], knowledgeVersion,
    revision: scope.every((x) => x.curated) ? revision : knowledge.revision,
    generatedAt: knowledge.generatedAt, baseUrl: knowledge.baseUrl,
    shorten: (p, room) => shorten(evergreen.tokens, p, passageTerms(query.topic), room),
  };
  if (!request.matched) {
    request.suggestions = suggest(scope, parsed);
    request.ranked = fallback(scope, allow);
  }
  return pack(evergreen, request);
}

function checkScope(evergreen, indexes, query, scope, categories) {
  if (!scope.length) {
    throw new evergreen.AskError("collection", `no collection is named "${query.collection}"`,
      `The collections are ${indexes.map((x) => x.collection).join(", ")}.`);
  }
  if (query.category && !categories.includes(query.category)) {
    throw new evergreen.AskError("category", `no entry has the category "${query.category}"`,
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

// pack loads the texts of what a bundle takes, until it takes nothing else.
async function pack(evergreen, request) {
  const loaded = new Set();
  const load = async (p) => {
    if (!p || loaded.has(p)) return;
    loaded.add(p);
    await p.place.index.load(p.place.section, p.entry);
  };
  await load(request.ranked[0]);
  for (;;) {
    const out = evergreen.bundle(request), taken = new Set(out.entries.map((e) => e.collection + "\0" + e.id));
    const missing = request.ranked.filter((p) => !loaded.has(p) && taken.has(p.entry.collection + "\0" + p.entry.id));
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

// ---- passages: what is shown of a best entry that alone is too large

const MAX_PASSAGE_TERMS = 32, PIECE = 8;

// passageTerms are the words of a question that a passage is chosen around.
function passageTerms(topic) {
  const out = new Set();
  for (const unit of unitsOf(topic)) {
    let word = lower(unit.text);
    const root = stem(word);
    if (word.startsWith(root)) word = root;
    if (bytesOf(word).length > 1 && !STOP.has(word)) out.add(word);
    if (out.size >= MAX_PASSAGE_TERMS) break;
  }
  return [...out];
}

// shorten replaces a body by its best passage of at most room tokens, title
// included; null when not even a few characters fit.
function shorten(tokens, p, terms, room) {
  const { entry } = p, { body } = entry, head = entry.title + "\n";
  const f = new Finder(tokens, body, terms, room - tokens(head), (s) => tokens(head + s) <= room);
  const found = f.find();
  if (!found) return null;
  const bytes = (from, to) => bytesOf(body.slice(from, to)).length;
  const partial = { offset: bytes(0, found.start), bytes: bytes(found.start, found.end), total: bytes(0) };
  return { ...p, entry: { ...entry, body: found.text, tokens: tokens(head + found.text) }, partial };
}

// Finder looks for the window of units, of ever smaller grain, with most hits.
class Finder {
  constructor(tokens, body, terms, budget, fits) {
    Object.assign(this, { tokens, body, terms, budget, fits });
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
    this.cost = this.units.map(([from, to]) => this.tokens(this.body.slice(from, to)));
    this.lowered ??= lower(this.body); // as long as the body
    this.hits = this.units.map(([from, to]) => this.terms.map((term) =>
      this.lowered.slice(from, to + term.length - 1).split(term).length - 1));
  }

  // core is the smallest window around the best hits.
  core() {
    let best = [0, 1], bestScore = 0, sum = 0, first = 0;
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
    }
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
    const open = fenceAt(text + "\n", text.length + 1);
    if (open) text = text.replace(/[\r\n]+$/, "") + "\n" + " ".repeat(open.indent) + open.mark;
    return { start, end, text };
  }
}

const scoreOf = (counts) => counts.reduce((sum, n) => sum + (n > 0 ? 1000 : 0) + Math.min(n, 9), 0);

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
