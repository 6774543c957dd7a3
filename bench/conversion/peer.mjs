// Reads pieces of HTML as JSON lines {id, html} and writes {id, markdown, all}
// for each, with the milliseconds of processor time that turndown took.
import { createInterface } from 'node:readline';
import { gfm } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
turndown.use(gfm);

const processor = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, html } = JSON.parse(line);
  const started = processor();
  let markdown = '';
  try {
    markdown = turndown.turndown(html);
  } catch {
    // no answer
  }
  process.stdout.write(JSON.stringify({ id, markdown, all: processor() - started }) + '\n');
}
