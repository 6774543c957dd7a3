// A budget is shared among sections, so that an answer rests on several
// documents and not on the length of their sections. Equal to the server's
// (internal/pack).

import { costOf } from "./evergreen.mjs";

const SHARES_OF_BUDGET = 7, MIN_SHARE = 120, MAX_SHARE = 400; // tokens
const BEST_PERCENT = 25, MIN_SHARE_OF_BEST = 200; // for the best before others get a share
const SAME_DOCUMENT = 0.7; // worth of each further section of one document

// fillShared chooses entries by their worth, each with at most a share of the
// budget, gives what is left over to the best of them, and packs them in order
// of rank. shorten(p, room) returns the best passage of an entry, or null.
export function fillShared(ranked, budget, limit, shorten) {
  const share = Math.min(Math.max(Math.floor(budget / SHARES_OF_BUDGET), MIN_SHARE), MAX_SHARE);
  const shareOfBest = Math.max(Math.floor(budget * BEST_PERCENT / 100), MIN_SHARE_OF_BEST);
  const f = { packed: [], leftOut: [], used: 0, truncated: false }, given = new Map(), refused = new Set();
  let room = budget;
  for (const [n, p] of byWorth(ranked).entries()) {
    if (limit > 0 && given.size >= limit) break;
    const size = Math.min(costOf(p.entry), n ? share : Math.min(shareOfBest, room));
    if (size > room) {
      refused.add(p);
      continue;
    }
    room -= size;
    given.set(p, size);
  }
  for (const p of ranked) {
    if (refused.has(p)) f.leftOut.push(p);
    if (!given.has(p)) continue;
    const cost = costOf(p.entry), size = Math.min(cost, given.get(p) + room);
    room -= size - given.get(p);
    let packed = p;
    if (cost > size) {
      f.truncated = true;
      packed = shorten(p, size);
      if (!packed) {
        f.leftOut.push(p);
        room += size;
        continue;
      }
      room += size - costOf(packed.entry);
    }
    f.used += costOf(packed.entry);
    f.packed.push(packed);
  }
  f.truncated ||= refused.size > 0;
  return f;
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
