"""Asks jdocmunch-mcp, used as a library, the queries of a JSON file.

Usage: jdocmunch.py STORAGE REPO QUERIES
Prints one JSON object: milliseconds and bytes of every answer.
"""

import json
import sys
import time

from jdocmunch_mcp.tools.search_sections import search_sections

storage, repo, queries = sys.argv[1:]
with open(queries, encoding="utf-8") as file:
    queries = json.load(file)
search_sections(repo=repo, query="warm up", max_results=10, semantic=False, storage_path=storage)
took, size = [], []
for query in queries:
    started = time.perf_counter()
    answer = search_sections(repo=repo, query=query, max_results=10, semantic=False, storage_path=storage)
    took.append((time.perf_counter() - started) * 1000)
    size.append(len(json.dumps(answer, ensure_ascii=False).encode()))
json.dump({"ms": took, "bytes": size}, sys.stdout)
