// A budget is shared among sections, so that an answer rests on several
// documents and not on the length of their sections. Equal to the server's
// (internal/pack).

import { costOf } from "./evergreen.mjs";

const SHARES_OF_BUDGET = 7, MIN_SHARE = 120, MAX_SHARE = 400; // tokens
const BEST_PERCENT = 25, MIN_SHARE_OF_BEST = 200; // for the best before others get a share
const MIN_PASSAGE = 60; // tokens that make it worth to cut an entry anew
const SAME_DOCUMENT = 0.7; // worth of each further section of one document

// fillShared chooses entries by their worth, each with at most a share of the
// budget, gives what is left over to the best of them, and packs them in order
// of rank. shorten(p, room) returns the best passage of an entry, or null.
export function fillShared(ranked, budget, limit, shorten) {
  const { given, refused, room } = choose(ranked, budget, limit);
  give(ranked, given, refused, room, shorten);
  const f = { packed: [], leftOut: [], used: 0, truncated: refused.size > 0 };
  for (const p of ranked) {
    if (refused.has(p)) f.leftOut.push(p);
    const packed = given.get(p)?.packed;
    if (!packed) continue;
    f.used += costOf(packed.entry);
    f.packed.push(packed);
    f.truncated ||= packed !== p;
  }
  return f;
}

// choose gives out the shares.
function choose(ranked, budget, limit) {
  const share = Math.min(Math.max(Math.floor(budget / SHARES_OF_BUDGET), MIN_SHARE), MAX_SHARE);
  const shareOfBest = Math.max(Math.floor(budget * BEST_PERCENT / 100), MIN_SHARE_OF_BEST);
  const given = new Map(), refused = new Set();
  let room = budget;
  for (const [n, p] of byWorth(ranked).entries()) {
    if (limit > 0 && given.size >= limit) break;
    const size = Math.min(costOf(p.entry), n ? share : Math.min(shareOfBest, room));
    if (size > room) {
      refused.add(p);
      continue;
    }
    room -= size;
    given.set(p, { size, packed: null });
  }
  return { given, refused, room };
}

// give packs entries into their shares and what is left over, whole when they
// fit, and once more into what passages leave of their room.
function give(ranked, given, refused, room, shorten) {
  for (const again of [false, true]) {
    for (const p of ranked) {
      const g = given.get(p), cost = costOf(p.entry);
      if (!g || g.packed === p) continue;
      const had = g.size, size = Math.min(cost, had + room);
      if (again && size < cost && room < MIN_PASSAGE) continue;
      const packed = cost > size ? shorten(p, size) : p;
      if (!packed) {
        refused.add(p);
        given.delete(p);
        room += had;
        continue;
      }
      g.size = costOf(packed.entry);
      g.packed = packed;
      room += had - g.size;
    }
  }
}

// byWorth orders ranked entries by their score, less for each better entry of
// the same document.
function byWorth(ranked) {
  const weight = new Map();
  const list = ranked.map((p) => {
    const e = p.entry, document = e.collection + "\0" + (e.curated ? e.id : e.doc_path), w = weight.get(document) ?? 1;
    weight.set(document, w * SAME_DOCUMENT);
    return { p, worth: p.score * w };
  });
  return list.sort((a, b) => b.worth - a.worth).map((x) => x.p);
}
