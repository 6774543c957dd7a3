"""Reads pages as JSON lines {id, html, url} and writes, for each, what
trafilatura makes of it: {id, html, markdown, extract, all} with the
milliseconds of processor time of extraction to HTML, and to Markdown.
"""

import json
import sys
import time

from trafilatura import extract

OPTIONS = {
    "include_comments": False,
    "include_tables": True,
    "include_links": True,
    "include_images": True,
    "include_formatting": True,
}


def timed(page, form):
    started = time.process_time()
    text = extract(page["html"], url=page["url"] or None, output_format=form, **OPTIONS)
    return text or "", (time.process_time() - started) * 1000


extract("<html><body><p>What is read once at the first call is no work of a page.</p></body></html>")
for line in sys.stdin:
    page = json.loads(line)
    answer = {"id": page["id"]}
    try:
        answer["html"], answer["extract"] = timed(page, "html")
        answer["markdown"], answer["all"] = timed(page, "markdown")
    except Exception as error:  # a page that it cannot read is one without an answer
        answer["failed"] = repr(error)
    print(json.dumps(answer), flush=True)
