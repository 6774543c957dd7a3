// Answers the requests of the Go tests: one JSON value a line comes in, one
// line goes out for each.
import { createInterface } from "node:readline";
import { readFile } from "node:fs/promises";
import * as evergreen from "../assets/evergreen.mjs";
import * as offline from "../assets/offline.mjs";
import * as terms from "../assets/terms.mjs";
import { needles, snippet } from "../assets/mark.mjs";
import { bundleMarkdown } from "../assets/markdown.mjs";
import { lines } from "../assets/lines.mjs";

const knowledge = [], indexes = [];

const refused = (e) => {
  if (e instanceof evergreen.AskError) return `error: ${e.parameter}\n`;
  throw e;
};

// escaped is JSON as Go writes it.
const escaped = (v) => JSON.stringify(v).replace(/[\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16)) + "\n";

const operations = {
  knowledge: ({ data }) => `${knowledge.push(JSON.parse(data))}\n`,
  ask: ({ base, params }) => {
    try {
      return evergreen.bundleText(evergreen.ask(knowledge[base], params));
    } catch (e) {
      return refused(e);
    }
  },
  pack: ({ base, scenario, lang }) => JSON.stringify(evergreen.promptPack(knowledge[base], scenario, lang)) + "\n",
  index: async ({ data }) => `${indexes.push(await openFolder(data))}\n`,
  search: ({ query, options }) => JSON.stringify(offline.search(indexes, query, options)) + "\n",
  answer: ({ params }) => offline.ask(indexes, knowledge[0], params).then(evergreen.bundleText, refused),
  stem: ({ data }) => data.map(terms.stem).join(" ") + "\n",
  expand: ({ data }) => JSON.stringify([...terms.unitsOf(data)].map((u) => [u.text, u.cjk, terms.expand(u)])) + "\n",
  markdown: ({ bundle, lang }) => JSON.stringify(bundleMarkdown(bundle, lang)) + "\n",
  snippet: ({ body, title, query }) => escaped(snippet(body, title, needles(query))),
  lines: ({ query }) => {
    const l = lines(query, "http://a", 2000);
    return escaped([l._curl, l._mcp, l._cli]);
  },
  sha256: ({ data }) => evergreen.sha256(data) + "\n",
  url: ({ entry, data }) => evergreen.citationURL(entry, data) + " " + evergreen.marker(entry) + "\n",
};

async function openFolder(folder) {
  return offline.openIndex(await readFile(`${folder}/index.bin`),
    async (n) => JSON.parse(await readFile(`${folder}/texts-${n}.json`, "utf8")));
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  process.stdout.write(await operations[request.op](request));
}
