// Reads pages as JSON lines {id, html, url} and writes, for each, what one
// extractor makes of it: {id, html, markdown, extract, all} with the
// milliseconds of processor time of extraction, and of extraction and conversion.
// Argument: readability or defuddle.
import { createInterface } from 'node:readline';
import { Readability } from '@mozilla/readability';
import { Defuddle } from 'defuddle/node';
import { gfm } from '@joplin/turndown-plugin-gfm';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
turndown.use(gfm);

// What cannot be converted keeps its HTML.
const converted = (html) => {
  try {
    return turndown.turndown(html);
  } catch {
    return '';
  }
};

const processor = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const extractors = {
  async readability({ html }) {
    const started = processor();
    const { document } = parseHTML(html);
    const content = new Readability(document, { keepClasses: true }).parse()?.content ?? '';
    const extract = processor() - started;
    return { html: content, markdown: converted(content), extract, all: processor() - started };
  },
  async defuddle({ html, url }) {
    const started = processor();
    const { document } = parseHTML(html);
    const result = await Defuddle(document, url, { separateMarkdown: true, useAsync: false });
    const all = processor() - started;
    return { html: result.content ?? '', markdown: result.contentMarkdown ?? '', extract: 0, all };
  },
};

console.log = console.warn = console.debug = console.error; // what libraries say is no answer
const extractor = extractors[process.argv[2]];
for await (const line of createInterface({ input: process.stdin })) {
  const page = JSON.parse(line);
  let answer = { html: '', markdown: '', extract: 0, all: 0 };
  try {
    answer = await extractor(page);
  } catch (error) {
    answer.failed = String(error);
  }
  process.stdout.write(JSON.stringify({ id: page.id, ...answer }) + '\n');
}
