// Answers the requests of the Go tests: one JSON value a line comes in, one
// line goes out for each.
import { createInterface } from "node:readline";
import * as evergreen from "../assets/evergreen.mjs";

const knowledge = [];

const operations = {
  knowledge: ({ data }) => `${knowledge.push(JSON.parse(data))}\n`,
  ask: ({ base, params }) => {
    try {
      return evergreen.bundleText(evergreen.ask(knowledge[base], params));
    } catch (e) {
      if (e instanceof evergreen.AskError) return `error: ${e.parameter}\n`;
      throw e;
    }
  },
  pack: ({ base, scenario, lang }) => JSON.stringify(evergreen.promptPack(knowledge[base], scenario, lang)) + "\n",
  sha256: ({ data }) => evergreen.sha256(data) + "\n",
  url: ({ entry, data }) => evergreen.citationURL(entry, data) + " " + evergreen.marker(entry) + "\n",
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  process.stdout.write(await operations[request.op](request));
}
