"""Reads documents as JSON lines {path, text} and writes {sections: [{id, title,
level, hash}]} for each, as jdocmunch-mcp splits it.
"""

import json
import sys

from jdocmunch_mcp.parser import parse_file, preprocess_content

for line in sys.stdin:
    document = json.loads(line)
    text = preprocess_content(document["text"], document["path"])
    sections = [
        {"id": s.id, "title": s.title, "level": s.level, "hash": s.content_hash}
        for s in parse_file(text, document["path"], "local/docs")
    ]
    sys.stdout.write(json.dumps({"sections": sections}) + "\n")
    sys.stdout.flush()
