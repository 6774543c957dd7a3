"""Runs a search engine that is a Python package, for the lines of question and
reply in contender.go. Argument: tantivy or bm25s.
"""

import json
import os
import re
import sys


def units(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


class Tantivy:
    """Stems English, cuts Chinese into pairs of characters; stores the ids."""

    def _schema(self, language):
        import tantivy

        tokenizer = {"en": "en_stem", "zh": "pairs"}[language]
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("id", stored=True, tokenizer_name="raw")
        schema.add_text_field("title", tokenizer_name=tokenizer)
        schema.add_text_field("body", tokenizer_name=tokenizer)
        return schema.build()

    def _register(self):
        import tantivy

        pairs = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.ngram(2, 2)).filter(tantivy.Filter.lowercase()).build()
        self.index.register_tokenizer("pairs", pairs)

    def build(self, question):
        import tantivy

        os.makedirs(question["index"], exist_ok=True)
        self.index = tantivy.Index(self._schema(question["language"]), path=question["index"])
        self._register()
        writer = self.index.writer()
        count = 0
        for unit in units(question["units"]):
            writer.add_document(tantivy.Document(id=unit["id"], title=unit["title"], body=unit["body"]))
            count += 1
        writer.commit()
        writer.wait_merging_threads()
        return count

    def open(self, question):
        import tantivy

        self.index = tantivy.Index.open(question["index"])
        self._register()
        self.searcher = self.index.searcher()

    def search(self, query, limit):
        words = " ".join(re.findall(r"\w+", query))
        if not words:
            return []
        parsed = self.index.parse_query(words.lower(), ["title", "body"])
        hits = self.searcher.search(parsed, limit).hits
        return [self.searcher.doc(address)["id"][0] for _, address in hits]


class BM25S:
    """One field of title and body; Snowball stems and the package's English
    stop words, pairs of characters for Chinese."""

    def _tokens(self, texts):
        import bm25s
        import Stemmer

        if self.language == "zh":
            return [pairs(text) for text in texts]
        return bm25s.tokenize(texts, stemmer=Stemmer.Stemmer("english"), show_progress=False, return_ids=False)

    def build(self, question):
        import bm25s

        self.language = question["language"]
        ids, texts = [], []
        for unit in units(question["units"]):
            ids.append(unit["id"])
            texts.append(unit["title"] + "\n" + unit["body"])
        retriever = bm25s.BM25()
        retriever.index(self._tokens(texts), show_progress=False)
        retriever.save(question["index"], show_progress=False)
        with open(os.path.join(question["index"], "ids.json"), "w", encoding="utf-8") as file:
            json.dump(ids, file)
        return len(ids)

    def open(self, question):
        import bm25s

        self.language = question["language"]
        self.retriever = bm25s.BM25.load(question["index"], mmap=True, show_progress=False)
        with open(os.path.join(question["index"], "ids.json"), encoding="utf-8") as file:
            self.ids = json.load(file)

    def search(self, query, limit):
        tokens = self._tokens([query])
        if not tokens[0]:
            return []
        found, scores = self.retriever.retrieve(tokens, k=min(limit, len(self.ids)), show_progress=False)
        return [self.ids[i] for i, score in zip(found[0], scores[0]) if score > 0]


def pairs(text):
    """Words of ASCII, and each pair of neighbouring other characters."""
    tokens = []
    for run in re.findall(r"[a-z0-9_]+|[^\W\sa-z0-9_]+", text.lower()):
        if run.isascii() or len(run) == 1:
            tokens.append(run)
        else:
            tokens.extend(run[i : i + 2] for i in range(len(run) - 1))
    return tokens


engine = {"tantivy": Tantivy, "bm25s": BM25S}[sys.argv[1]]()
for line in sys.stdin:
    question = json.loads(line)
    reply = {}
    try:
        if question["do"] == "build":
            reply["sections"] = engine.build(question)
        elif question["do"] == "open":
            engine.open(question)
        else:
            reply["ids"] = engine.search(question["query"], question["limit"])
    except Exception as error:
        reply["failed"] = repr(error)
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()
