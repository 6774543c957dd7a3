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

  // entry is section i as evergreen.mjs packs it, without its body.
  entry(i) {
    const { head } = this, d = head.documents[this.document[i]];
    return {
      id: this.id(i), category: this.category(i), title: head.titles[i], summary: head.summaries[i], body: "",
      tags: d.tags || [], confidence: d.confidence, tokens: Math.abs(head.tokens[i]), updated: d.updated || "",
      collection: this.collection, doc_path: d.path, url: d.url || "", anchor: head.anchors[i] ?? this.leaf(i),
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
      id: e.id, collection: e.collection, doc_path: e.doc_path, title: e.title, score: round3(score),
      snippet: e.summary, tokens: e.tokens, url: e.anchor && !e.url.includes("#") ? e.url + "#" + encodeURI(e.anchor) : e.url,
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
      for (const [word, number] of index.words()) {
        if (Math.abs(word.length - length) > allowed || seen.has(word) || unlike(letters, letterSet(word)) > 2 * allowed) continue;
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

// words yields the words of an index as they were written, with their terms'
// numbers.
Index.prototype.words = function* () {
  for (let i = 0; i < this.terms.length; i++) {
    const term = this.terms[i];
    if (term[0] === EXACT) yield [term.slice(1), i];
    else if (this.isWord[i]) yield [term, i];
  }
};

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
