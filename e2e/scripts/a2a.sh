#!/usr/bin/env bash
# Holds the product against judges written in Go: both versions of a2a-go read
# the agent card and ask /a2a, a JSON Schema validator reads the documents as
# served (their schemas in the folder that EVERGREEN_SPEC names), a robots.txt
# parser asks who may come in.
#
# Usage: a2a.sh BINARY. Exit 1 when a check fails; exit 0 with a line that says
# so when the judges' modules cannot be had.
set -uo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
FOLDER=$ROOT/build/oracles/a2a
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
	echo "usage: a2a.sh BINARY" >&2
	exit 2
fi
BINARY=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
if [ -n "${EVERGREEN_SPEC:-}" ]; then
	if [ ! -d "$EVERGREEN_SPEC/schemas" ]; then
		echo "a2a: EVERGREEN_SPEC names $EVERGREEN_SPEC, which has no folder schemas"
		exit 1
	fi
	EVERGREEN_SPEC=$(cd "$EVERGREEN_SPEC" && pwd)
	export EVERGREEN_SPEC
fi
cd "$ROOT/e2e/a2a" || exit 1
mkdir -p "$FOLDER"
if ! go mod download >"$FOLDER/install.log" 2>&1; then
	if grep -q 'SECURITY ERROR' "$FOLDER/install.log"; then
		cat "$FOLDER/install.log"
		exit 1
	fi
	echo "a2a: skipped: go could not fetch a2a-go and the other judges (build/oracles/a2a/install.log)"
	exit 0
fi
LOG=$FOLDER/test.log
if ! EVERGREEN_BINARY=$BINARY go test -mod=readonly -count=1 -v . >"$LOG" 2>&1; then
	grep -vE '^=== ' "$LOG"
	exit 1
fi
grep -E '^--- |skipped: |known fault' "$LOG" | sed -E 's/^ *([a-z_]+\.go:[0-9]+: )?/a2a: /' | sort -u
echo "a2a: ok, $(grep -cE '^ *--- PASS' "$LOG") checks passed"
