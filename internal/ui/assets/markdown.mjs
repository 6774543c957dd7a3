// A bundle as Markdown, as internal/pack writes the whole of it.

import { closeFence } from "./passage.mjs";

const WORDS = {
  en: {
    results: "Results", resultsFor: "Results for ", unmatched: "Nothing matches this question; these are general entries.", didYou: "Did you mean: ",
    tokens: (n) => `${n} tokens`, passage: (n, from, to, all) => `passage of ${n} tokens, bytes ${from} to ${to} of ${all}`,
    citations: "Citations", rules: "Rules", confidence: "confidence ", updated: "updated ", leftOut: "Left out: ", andMore: "and more",
    goOn: "Narrow the question, or read one by its marker.",
    raise: (n) => `Raise the budget to ${n}, narrow the question, or read one by its marker.`,
    tight: "No entry fits into this budget.", listSep: "; ", partSep: ", ", stop: ". ",
  },
  zh: {
    results: "检索结果", resultsFor: "检索结果：", unmatched: "没有条目与这个问题匹配，以下是通用条目。", didYou: "是否想查：",
    tokens: (n) => `${n} token`, passage: (n, from, to, all) => `节选 ${n} token，第 ${from} 至 ${to} 字节，共 ${all} 字节`,
    citations: "引用", rules: "规则", confidence: "置信度 ", updated: "更新于 ", leftOut: "未装入：", andMore: "等",
    goOn: "可以收窄问题，或按标记读取单条。",
    raise: (n) => `可以把 budget 提高到 ${n}、收窄问题，或按标记读取单条。`,
    tight: "预算放不下任何条目。", listSep: "；", partSep: "，", stop: "。",
  },
};
const MAX_LEFT_OUT = 5, MAX_RELATIVE_URL = 40, FRAME_TOKENS = 300, MAX_BUDGET = 8000;

// thousands writes 6369 as 6,369.
export const thousands = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

const oneLine = (s) => s.replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, " ").trim();

function short(s, n) {
  const points = [...oneLine(s)];
  return points.length > n ? points.slice(0, n - 1).join("") + "…" : points.join("");
}

// bundleMarkdown writes a bundle; lang is "en" or "zh".
export function bundleMarkdown(b, lang) {
  const w = WORDS[lang];
  let s = heading(w, b) + "\n";
  b.entries.forEach((e, i) => {
    s += "\n" + entryHeading(w, e, b.citations[i].marker) + "\n";
    const body = entryBody(e);
    if (body) s += "\n" + body + "\n";
  });
  if (!b.entries.length) s += "\n" + w.tight + "\n";
  if (b.citations.length) {
    s += "\n## " + w.citations + "\n\n";
    b.citations.forEach((c, i) => { s += citationLine(w, c, b.entries[i].updated) + "\n"; });
  }
  if (b.rules.length) s += "\n## " + w.rules + "\n\n" + b.rules.map((rule) => "- " + oneLine(rule) + "\n").join("");
  return b.truncated ? s + "\n" + goOn(w, b) + "\n" : s;
}

function heading(w, b) {
  const question = short(b.query.topic, 1000);
  const head = "# " + (question ? w.resultsFor + question : w.results);
  if (b.matched || !b.entries.length) return head;
  const near = (b.suggestions ?? []).slice(0, 3).map((word) => short(word, 20));
  return head + "\n\n" + w.unmatched + (near.length ? " " + w.didYou + near.join(w.partSep) : "");
}

function entryHeading(w, e, marker) {
  const { partial } = e;
  const size = partial ? w.passage(thousands(e.tokens), partial.offset, partial.offset + partial.bytes, partial.total) : w.tokens(thousands(e.tokens));
  return `## ${marker} ${short(e.title + (e.doc_title ? " · " + e.doc_title : ""), 300)} (${size})`;
}

function entryBody(e) {
  let body = e.body.replace(/^[\r\n]+/, "").replace(/[ \t\r\n]+$/, "");
  const end = body.indexOf("\n"), first = (end < 0 ? body : body.slice(0, end)).replace(/[ \t\r]+$/, "");
  if (/^#{1,6}([ \t]|$)/.test(first)) {
    const title = first.replace(/^[# \t]+|[# \t]+$/g, "");
    if (title === e.title || e.title.endsWith(" > " + title)) body = end < 0 ? "" : body.slice(end + 1).replace(/^[\r\n]+/, "");
  }
  return closeFence(body);
}

function citationLine(w, c, updated) {
  const parts = [short(c.text, 300)];
  if (c.url.includes("://") || new TextEncoder().encode(c.url).length <= MAX_RELATIVE_URL) parts.push(oneLine(c.url));
  if (c.confidence > 0 && c.confidence < 1) parts.push(w.confidence + c.confidence.toFixed(2));
  if (updated) parts.push(w.updated + short(updated, 25));
  return `- ${c.marker} ${parts.join(w.partSep)}`;
}

function goOn(w, b) {
  const out = b.leftOut ?? [];
  const named = out.map((o) => `${o.marker} ${short(o.title, 60)} (${w.tokens(thousands(o.tokens))})`);
  let s = "";
  if (named.length) s = w.leftOut + named.join(w.listSep) + (out.length === MAX_LEFT_OUT ? w.listSep + w.andMore : "") + w.stop;
  const want = wanted(b);
  return s + (want > b.budget ? w.raise(thousands(want)) : w.goOn);
}

function wanted(b) {
  let missing = b.leftOut?.length ? b.leftOut[0].tokens : 0;
  const partial = b.entries[0]?.partial;
  if (partial?.bytes > 0) missing = Math.trunc(b.entries[0].tokens * (partial.total - partial.bytes) / partial.bytes);
  return missing && Math.min(Math.trunc((b.usedTokens + missing + FRAME_TOKENS + 99) / 100) * 100, MAX_BUDGET);
}
