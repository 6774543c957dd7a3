// Reads documents as JSON lines {path, text} and writes {headings: [{level,
// text, raw}]} for each: the headings that commonmark.js, the reference
// implementation, sees at the top of the document or below other blocks. text
// is what a reader sees, raw the line as it is written.
import { createInterface } from 'node:readline';
import { Parser } from 'commonmark';

const parser = new Parser();
const words = (node) => {
  let text = '';
  const walker = node.walker();
  for (let event = walker.next(); event; event = walker.next()) {
    if (event.entering && event.node.literal && event.node.type !== 'html_inline') text += event.node.literal;
    if (event.entering && /break$/.test(event.node.type)) text += ' ';
  }
  return text;
};

for await (const line of createInterface({ input: process.stdin })) {
  const { text } = JSON.parse(line);
  const lines = text.split('\n');
  const headings = [];
  const walker = parser.parse(text).walker();
  for (let event = walker.next(); event; event = walker.next()) {
    if (!event.entering || event.node.type !== 'heading') continue;
    if (event.node.parent.type !== 'document') continue; // one inside a quote or list item begins no section
    const [[from], [to]] = event.node.sourcepos;
    headings.push({ level: event.node.level, text: words(event.node), raw: lines.slice(from - 1, to).join(' ') });
  }
  process.stdout.write(JSON.stringify({ headings }) + '\n');
}
