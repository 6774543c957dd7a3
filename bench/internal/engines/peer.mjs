// Runs a search engine that is an npm package, for the lines of question and
// reply in contender.go. Argument: lunr or minisearch. Both live in memory; what
// is written is their own serialized form.
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const file = (question) => join(question.index, 'index.json');
const write = (question, index) => {
  mkdirSync(question.index, { recursive: true });
  writeFileSync(file(question), JSON.stringify(index));
};

const units = (path) => createInterface({ input: createReadStream(path) });

// Words of ASCII, and each pair of neighbouring other characters.
const pairs = (text) =>
  (text.toLowerCase().match(/[a-z0-9_]+|[^\s\p{P}\p{S}a-z0-9_]+/gu) ?? []).flatMap((run) => {
    const characters = [...run];
    if (/^[a-z0-9_]/.test(run) || characters.length === 1) return [run];
    return characters.slice(1).map((c, i) => characters[i] + c);
  });

const engines = {
  async lunr() {
    const { default: lunr } = await import('lunr');
    let index;
    return {
      async build(question) {
        const builder = new lunr.Builder();
        builder.pipeline.add(lunr.trimmer, lunr.stopWordFilter, lunr.stemmer);
        builder.searchPipeline.add(lunr.stemmer);
        builder.ref('id');
        builder.field('title');
        builder.field('body');
        let count = 0;
        for await (const line of units(question.units)) {
          builder.add(JSON.parse(line));
          count += 1;
        }
        write(question, builder.build());
        return count;
      },
      open(question) {
        index = lunr.Index.load(JSON.parse(readFileSync(file(question), 'utf8')));
      },
      search(query, limit) {
        const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
        return index.search(words.join(' ')).slice(0, limit).map((hit) => hit.ref);
      },
    };
  },
  async minisearch() {
    const { default: MiniSearch } = await import('minisearch');
    const options = (language) => ({ fields: ['title', 'body'], ...(language === 'zh' ? { tokenize: pairs } : {}) });
    let index;
    return {
      async build(question) {
        index = new MiniSearch(options(question.language));
        let count = 0;
        for await (const line of units(question.units)) {
          index.add(JSON.parse(line));
          count += 1;
        }
        write(question, index);
        return count;
      },
      open(question) {
        index = MiniSearch.loadJSON(readFileSync(file(question), 'utf8'), options(question.language));
      },
      search: (query, limit) => index.search(query, { boost: { title: 2 } }).slice(0, limit).map((hit) => hit.id),
    };
  },
};

const engine = await engines[process.argv[2]]();
for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const reply = {};
  try {
    if (question.do === 'build') reply.sections = await engine.build(question);
    else if (question.do === 'open') engine.open(question);
    else reply.ids = engine.search(question.query, question.limit);
  } catch (error) {
    reply.failed = String(error);
  }
  process.stdout.write(JSON.stringify(reply) + '\n');
}
