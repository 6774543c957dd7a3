#!/usr/bin/env bash
# Drives the pages in Chromium: every flow by mouse and keyboard, at 320 px, in
# both languages, with the server killed half-way; exports on a plain file
# server; axe on every page; Lighthouse's performance of / and a document.
#
# Usage: browser.sh BINARY [PART OF A FLOW'S NAME]. Screenshots go to
# build/browser. What cannot be had here is skipped by name: all of it without
# npm or Chromium, corpora without EVERGREEN_CORPORA. As root Chromium is
# installed by apt unless SITE_AUDIT_INSTALL=0.
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/oracles.sh"
. "$(dirname "${BASH_SOURCE[0]}")/chromium.sh"
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
	echo "usage: browser.sh BINARY [PART OF A FLOW'S NAME]" >&2
	exit 2
fi
BINARY=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
need_oracles browser web || exit 0
CHROME=$(need_chromium)
if [ -z "$CHROME" ]; then
	echo "browser: skipped: no Chromium"
	exit 0
fi
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
SHOTS=$ROOT/build/browser
HOME=$WORK/home
mkdir -p "$HOME" "$SHOTS"
export BINARY ORACLES CHROME WORK SHOTS HOME
"$NODE" "$ROOT/e2e/browser/run.mjs" "${2:-}"
