#!/usr/bin/env bash
# Runs the official MCP conformance suites against our own edges, mounted over
# the fixture server. One line per run; exit 1 when a run fails or checked
# nothing, exit 0 with a line that says so when npm cannot install the suites.
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/oracles.sh"
need_oracles conformance || exit 0

WORK=$(mktemp -d)
FIXTURE=
stop_fixture() {
	if [ -n "$FIXTURE" ]; then
		kill "$FIXTURE" 2>/dev/null
		wait "$FIXTURE" 2>/dev/null
	fi
	FIXTURE=
}
trap 'stop_fixture; rm -rf "$WORK"' EXIT

start_fixture() { # start_fixture [FLAG...]: sets URL
	stop_fixture
	: >"$WORK/url"
	"$WORK/fixture" "$@" >"$WORK/url" 2>"$WORK/fixture.log" &
	FIXTURE=$!
	URL=$(wait_for "$WORK/url" 10) || {
		echo "conformance: the fixture server did not start"
		cat "$WORK/fixture.log"
		exit 1
	}
}

(cd "$ROOT/e2e" && go build -mod=mod -o "$WORK/fixture" ./fixture) || exit 1

# count LOG: prints "passed total" over the scored scenarios: those with a result
# line, less those listed as not scored.
count() {
	awk '
		/^Not scored/ { unscored = 1; next }
		unscored && ($1 == "✓" || $1 == "✗") { skip[$2] = 1; next }
		($1 == "✓" || $1 == "✗") && $4 == "passed," { name = $2; sub(/:$/, "", name); pass[name] = $3; fail[name] = $5 }
		END {
			for (name in pass) if (!(name in skip)) { p += pass[name]; n += pass[name] + fail[name] }
			print p + 0, n + 0
		}' "$1"
}

FAILED=0
EXPECTED=0 # checks that may fail
run() { # run TITLE PACKAGE ARGUMENT...
	local title=$1 package=$2 log passed total code
	shift 2
	log="$WORK/run.log"
	(cd "$WORK" && "$NODE" "$ORACLES/node_modules/$package/dist/index.js" server --url "$URL" "$@") >"$log" 2>&1
	code=$?
	read -r passed total < <(count "$log")
	if [ "$code" -eq 0 ] && [ "$passed" -gt 0 ] && [ $((total - passed)) -eq "$EXPECTED" ]; then
		echo "conformance: $title: passed $passed/$total"
		return
	fi
	FAILED=1
	echo "conformance: $title: FAILED, passed $passed/$total (exit $code)"
	grep '^✗' "$log"
	mkdir -p "$ROOT/build/conformance"
	cp "$log" "$ROOT/build/conformance/$package.log"
}

start_fixture
run "0.2.0-alpha.12, requirements of 2026-07-28" conformance-0.2 --requirements 2026-07-28
run "0.2.0-alpha.12, 2025-11-25, all" conformance-0.2 --spec-version 2025-11-25 --suite all
run "0.2.0-alpha.12, 2025-06-18, all" conformance-0.2 --spec-version 2025-06-18 --suite all
run "0.1.16, active" conformance-0.1

# Modules are looked up beside the file that imports them.
cp "$ROOT/e2e/clients/chinese.mjs" "$ORACLES/"
if ERA=$("$NODE" "$ORACLES/chinese.mjs" "$URL" 2>&1) && [ "$ERA" = 2026-07-28 ]; then
	echo "conformance: TypeScript client 2.4, Chinese tool and URI: passed 1/1"
else
	FAILED=1
	echo "conformance: TypeScript client 2.4, Chinese tool and URI: FAILED: $ERA"
fi

start_fixture -stateless
EXPECTED=5
run "0.2.0-alpha.12, 2025-11-25, all, without sessions (5 known failures)" conformance-0.2 \
	--spec-version 2025-11-25 --suite all --expected-failures "$ROOT/e2e/stateless.yml"
exit "$FAILED"
