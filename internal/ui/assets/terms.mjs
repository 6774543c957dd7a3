// What a text says in terms of an index: words, CJK pairs, identifiers, English
// stems. Equal to the server's analysis (internal/text), term by term.

const MAX_TERM_BYTES = 64;
export const EXACT = "\x01", WHOLE = "\x02", PART = "\x03"; // kinds of term beside stems

const words = (s) => new Set(s.split(" "));
export const bytesOf = (s) => new TextEncoder().encode(s);

export const STOP = words("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with");
export const ASKING = words("about am any been being can could did do does doing from had has have he her his how i im its me my our she should so some them us we were what when where which who why would you your");
export const REQUESTING = words("article articles available concerning describe described discuss discussed done find found information interest interested known made obtained paper papers possible regarding work");

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
export function lower(s) {
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
