"""Reads pieces of HTML as JSON lines {id, html} and writes {id, markdown, all}
for each, with the milliseconds of processor time that markdownify took.
"""

import json
import re
import sys
import time

from markdownify import markdownify


def language(pre):
    """Names the language as highlighters mark it: a class of pre or code."""
    for element in (pre, pre.find("code")):
        for name in (element.get("class") or []) if element else []:
            found = re.fullmatch(r"(?:language|lang|highlight)-(\S+)", name)
            if found:
                return found.group(1)
    return ""


for line in sys.stdin:
    piece = json.loads(line)
    started = time.process_time()
    try:
        text = markdownify(piece["html"], heading_style="ATX", bullets="-", code_language_callback=language)
    except Exception:  # no answer
        text = ""
    print(json.dumps({"id": piece["id"], "markdown": text, "all": (time.process_time() - started) * 1000}), flush=True)
