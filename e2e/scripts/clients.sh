#!/usr/bin/env bash
# Lets real MCP clients use the product: the Inspector's command line in both
# eras over HTTP and over stdio, and the TypeScript clients 1.x and 2.x. Each
# lists the tools and calls search_context with a Chinese query.
#
# Usage: clients.sh BINARY [URL]. BINARY is the evergreen program; without URL
# (the server's base, such as http://127.0.0.1:4173) it is started on a free
# port. Exit 1 when a client fails; exit 0 with a line that says so when npm
# cannot install them.
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/oracles.sh"
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
	echo "usage: clients.sh BINARY [URL]" >&2
	exit 2
fi
BINARY=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
need_oracles clients || exit 0

WORK=$(mktemp -d)
SERVER=
cleanup() {
	if [ -n "$SERVER" ]; then
		kill "$SERVER" 2>/dev/null
		wait "$SERVER" 2>/dev/null
	fi
	rm -rf "$WORK"
}
trap cleanup EXIT
mkdir -p "$WORK/home" "$WORK/handbook"

# A library of one document, and the stdio server on it. The Inspector hands a
# server no environment, and would take its flags for its own.
cat >"$WORK/handbook/answers.md" <<'EOF'
# 回答

## 引用

幻觉：模型会编造事实。回答时每个事实都要引用条目的编号。
EOF
"$BINARY" index --quiet --library "$WORK/library" "$WORK/handbook" || exit 1
printf '#!/bin/sh\nexec "%s" mcp --library "%s"\n' "$BINARY" "$WORK/library" >"$WORK/evergreen-mcp"
chmod +x "$WORK/evergreen-mcp"

URL=${2:-}
if [ -z "$URL" ]; then
	PORT=$("$NODE" -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
	URL=http://127.0.0.1:$PORT
	HOME=$WORK/home "$BINARY" serve --port "$PORT" --library "$WORK/library" >"$WORK/serve.log" 2>&1 &
	SERVER=$!
	"$NODE" -e '
		const until = Date.now() + 20000;
		const probe = () => fetch(process.argv[1]).then(() => process.exit(0)).catch(() => {
			if (Date.now() > until) process.exit(1);
			setTimeout(probe, 100);
		});
		probe();' "$URL/healthz" || {
		echo "clients: evergreen serve --port $PORT did not answer"
		cat "$WORK/serve.log"
		exit 1
	}
fi

FAILED=0
check() { # check TITLE PATTERN COMMAND...: the output must match PATTERN
	local title=$1 pattern=$2 code
	shift 2
	(cd "$WORK" && HOME=$WORK/home "$@") >"$WORK/out" 2>&1
	code=$?
	if [ "$code" -eq 0 ] && grep -q -e "$pattern" "$WORK/out"; then
		echo "clients: $title: ok"
		return
	fi
	FAILED=1
	echo "clients: $title: FAILED (exit $code)"
	head -c 2000 "$WORK/out"
	echo
}

INSPECTOR=$ORACLES/node_modules/.bin/mcp-inspector
CALL=(--method tools/call --tool-name search_context --tool-args-json '{"query":"幻觉 引用"}' --format json)
LIST=(--method tools/list --format json --strict)
for era in legacy modern; do
	OVER_HTTP=("$NODE" "$INSPECTOR" --cli "$URL/mcp" --transport http --protocol-era "$era")
	check "inspector, http, $era, list" search_context "${OVER_HTTP[@]}" "${LIST[@]}"
	check "inspector, http, $era, call" '幻觉 引用' "${OVER_HTTP[@]}" "${CALL[@]}"
	OVER_STDIO=("$NODE" "$INSPECTOR" --cli --protocol-era "$era" "$WORK/evergreen-mcp")
	check "inspector, stdio, $era, list" search_context "${OVER_STDIO[@]}" "${LIST[@]}"
	check "inspector, stdio, $era, call" '幻觉 引用' "${OVER_STDIO[@]}" "${CALL[@]}"
done

# Modules are looked up beside the file that imports them.
cp "$ROOT"/e2e/clients/*.mjs "$ORACLES/"
check "typescript 1.x" 'tools, answer of' "$NODE" "$ORACLES/legacy.mjs" "$URL/mcp"
check "typescript 2.x" '^2026-07-28, ' "$NODE" "$ORACLES/modern.mjs" "$URL/mcp"
exit "$FAILED"
