#!/usr/bin/env bash
# Holds the gateway against real MCP servers from npm: mcp-searxng on a stand-in
# for SearXNG, and server-everything over stdio, HTTP and SSE.
#
# Usage: upstreams.sh BINARY. Exit 1 when a check fails; exit 0 with a line that
# says so when node is missing or npm cannot install them.
set -uo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
FOLDER=$ROOT/build/oracles/upstreams
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
	echo "usage: upstreams.sh BINARY" >&2
	exit 2
fi
BINARY=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
	echo "upstreams: skipped: npm is not installed"
	exit 0
fi
if ! cmp -s "$ROOT/e2e/upstreams/package-lock.json" "$FOLDER/installed.json"; then
	mkdir -p "$FOLDER"
	cp "$ROOT/e2e/upstreams/package.json" "$ROOT/e2e/upstreams/package-lock.json" "$ROOT/e2e/.npmrc" "$FOLDER/"
	if ! (cd "$FOLDER" && npm ci --ignore-scripts --no-audit --no-fund) >"$FOLDER/install.log" 2>&1; then
		echo "upstreams: skipped: npm could not install them (build/oracles/upstreams/install.log)"
		exit 0
	fi
	cp "$ROOT/e2e/upstreams/package-lock.json" "$FOLDER/installed.json"
fi
cd "$ROOT/e2e" || exit 1
LOG=$FOLDER/test.log
if EVERGREEN_BINARY=$BINARY EVERGREEN_UPSTREAMS=$FOLDER go test -mod=mod -count=1 -v ./upstreams >"$LOG" 2>&1; then
	grep -E 'calls fail|^--- ' "$LOG" | sed 's/^/upstreams: /'
	echo "upstreams: ok"
else
	cat "$LOG"
	exit 1
fi
