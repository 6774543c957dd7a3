#!/usr/bin/env bash
# Lets outside judges look at the served site: afdocs, Lighthouse, llms-txt-check,
# html-validate and vnu on pages as served, spectral and redocly on the API. Once
# on our own docs, and on hugo and vue-zh where EVERGREEN_CORPORA has them.
#
# Usage: site-audit.sh BINARY [SITE...]. One line for each judge and site with
# its figure; exit 1 when one falls short. What cannot be had here is skipped by
# name: judges without npm, Lighthouse without Chromium, vnu without Java. As
# root Chromium is installed by apt unless SITE_AUDIT_INSTALL=0.
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/oracles.sh"
. "$(dirname "${BASH_SOURCE[0]}")/chromium.sh"
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
	echo "usage: site-audit.sh BINARY [own|hugo|vue-zh...]" >&2
	exit 2
fi
BINARY=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
need_oracles site-audit web || exit 0

RATE=60000 # calls a minute for each client: judges ask faster than people
WORK=$(mktemp -d)
SERVER=
stop_server() {
	if [ -n "$SERVER" ]; then
		kill "$SERVER" 2>/dev/null
		wait "$SERVER" 2>/dev/null
	fi
	SERVER=
}
trap 'stop_server; rm -rf "$WORK"' EXIT
export HOME=$WORK/home
mkdir -p "$HOME" "$ROOT/build"

FAILED=0
say() { # say JUDGE FIGURE [LOG]: one line; with a LOG it is a failure
	if [ $# -lt 3 ]; then
		echo "site-audit: $SITE: $1: $2"
		return
	fi
	FAILED=1
	echo "site-audit: $SITE: $1: FAILED: $2"
	cp "$3" "$ROOT/build/site-audit-$SITE-${1%% *}.log"
	head -c 1500 "$3"
	echo
}

CHROME=$(need_chromium)

BIN=$ORACLES/node_modules/.bin
run() { # run LOG COMMAND...: a judge, by the Node that it needs
	local log=$1
	shift
	(cd "$WORK" && PATH=$BIN:$PATH "$NODE" "$@") >"$log" 2>"$log.err"
}

start() { # start SOURCE...: serves them, sets URL
	local port
	port=$("$NODE" -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
	URL=http://127.0.0.1:$port
	"$BINARY" serve --quiet --log-level warn --port "$port" --rate-limit "$RATE" --library "$WORK/library-$SITE" "$@" >"$WORK/serve.log" 2>&1 &
	SERVER=$!
	"$NODE" -e '
		const until = Date.now() + 60000;
		const probe = () => fetch(process.argv[1]).then(() => process.exit(0)).catch(() => {
			if (Date.now() > until) process.exit(1);
			setTimeout(probe, 100);
		});
		probe();' "$URL/healthz" || { say serve "did not answer" "$WORK/serve.log"; return 1; }
}

afdocs() {
	local log=$WORK/afdocs.json score
	run "$log" "$BIN/afdocs" check "$URL" --format json --score --sampling deterministic --request-delay 1 -q
	score=$("$NODE" -e '
		const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
		const s = r.scoring ?? r.score ?? r;
		console.log(s.overall ?? s.score ?? "none");' "$log" 2>/dev/null)
	if [ "$score" = 100 ]; then
		say afdocs "100 of 100"
		return
	fi
	"$NODE" -e '
		const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
		for (const c of r.results ?? r.checks ?? []) if (!["pass", "skip", "skipped", "not_applicable"].includes(c.status)) console.log(c.status, c.id ?? c.name, c.message ?? "");' "$log" >"$WORK/afdocs.log" 2>&1
	say afdocs "${score:-no score} of 100" "$WORK/afdocs.log"
}

lighthouse() { # lighthouse PATH
	local log=$WORK/lighthouse.json scores
	if [ -z "$CHROME" ]; then
		say "lighthouse $1" "skipped: no Chromium"
		return
	fi
	CHROME_PATH=$CHROME run "$WORK/lighthouse.out" "$BIN/lighthouse" "$URL$1" --only-categories=agentic-browsing,seo,accessibility,best-practices \
		--output=json --output-path="$log" --quiet --chrome-flags="--headless --no-sandbox"
	scores=$("$NODE" -e '
		const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
		const c = Object.values(r.categories);
		console.log(c.map((x) => x.id + " " + x.score).join(", "));
		if (c.length === 4 && c.every((x) => x.score === 1)) process.exit(0);
		for (const x of c) for (const a of x.auditRefs) { const s = r.audits[a.id]; if (a.weight && s.score !== null && s.score < 1) console.error(x.id, a.id, s.score, s.title, JSON.stringify(s.details?.items ?? "").slice(0, 600)); }
		process.exit(1);' "$log" 2>"$WORK/lighthouse.log") && say "lighthouse $1" "$scores" ||
		say "lighthouse $1" "${scores:-no report}" "$WORK/lighthouse.log"
}

llms() {
	local log=$WORK/llms.json figure
	run "$log" "$BIN/llms-txt-check" "$URL" --json
	figure=$("$NODE" -e '
		const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
		const problems = [...r.sourceProblems, ...r.failures];
		console.log(r.checked.length + " links, " + problems.length + " problems, " + r.lint.length + " remarks");
		if (r.checked.length === 0 || problems.length || r.lint.length) { console.error(JSON.stringify({ problems: problems.slice(0, 10), lint: r.lint.slice(0, 20) }, null, 1)); process.exit(1); }' "$log" 2>"$WORK/llms.log") && say llms-txt-check "$figure" ||
		say llms-txt-check "${figure:-no report}" "$WORK/llms.log"
}

pages() { # pages PATH...: keeps them as served, and 40 of the sitemap, evenly
	rm -rf "$WORK/pages"
	mkdir -p "$WORK/pages"
	"$NODE" -e '
		const [folder, url, ...paths] = process.argv.slice(1);
		const text = async (u) => (await fetch(u, { headers: { accept: "text/html" } })).text();
		const main = async () => {
			const listed = [...(await text(url + "/sitemap.xml")).matchAll(/<loc>([^<]+)</g)].map((m) => m[1].replaceAll("&amp;", "&"));
			const step = Math.max(1, Math.floor(listed.length / 40));
			const all = [...paths.map((p) => url + p), ...listed.filter((_, i) => i % step === 0)];
			for (const [i, u] of all.entries()) require("fs").writeFileSync(folder + "/" + String(i).padStart(3, "0") + ".html", await text(u));
		};
		main();' "$WORK/pages" "$URL" "$@" /no-such-page
}

html() {
	local files=("$WORK"/pages/*.html)
	printf '{"root": true, "extends": ["html-validate:standard"]}\n' >"$WORK/pages/.htmlvalidate.json"
	if run "$WORK/validate.log" "$BIN/html-validate" "${files[@]}"; then
		say html-validate "${#files[@]} pages, no errors"
	else
		say html-validate "errors" "$WORK/validate.log"
	fi
	if ! command -v java >/dev/null; then
		say vnu "skipped: no Java"
	elif java -jar "$ORACLES/node_modules/vnu-jar/build/dist/vnu.jar" --errors-only --filterpattern '.*“ai-catalog”.*' "${files[@]}" >"$WORK/vnu.log" 2>&1; then
		say vnu "${#files[@]} pages, no errors"
	else
		say vnu "errors" "$WORK/vnu.log"
	fi
}

api() {
	"$NODE" -e 'fetch(process.argv[1]).then((r) => r.text()).then((t) => process.stdout.write(t))' "$URL/openapi.json" >"$WORK/openapi.json"
	printf 'extends: ["spectral:oas"]\n' >"$WORK/.spectral.yaml"
	if run "$WORK/spectral.log" "$BIN/spectral" lint openapi.json -r .spectral.yaml --fail-severity=warn; then
		say spectral "no errors, no warnings"
	else
		say spectral "remarks" "$WORK/spectral.log"
	fi
	if run "$WORK/redocly.log" "$BIN/redocly" lint openapi.json && ! grep -q 'warning' "$WORK/redocly.log" "$WORK/redocly.log.err"; then
		say redocly "no errors, no warnings"
	else
		cat "$WORK/redocly.log.err" >>"$WORK/redocly.log"
		say redocly "remarks" "$WORK/redocly.log"
	fi
}

audit() { # audit SITE LICENCE PAGE SOURCE...
	SITE=$1
	local page=$3 began=$SECONDS
	export EVERGREEN_SITE_LICENCE=$2 # as its owner would state it
	shift 3
	start "$@" || { stop_server; return; }
	afdocs
	llms
	lighthouse /
	[ "$page" = / ] || lighthouse "$page"
	pages "$page" /layers "/search?q=a" "/search?q=a+b&lang=zh"
	html
	api
	stop_server
	if [ -s "$WORK/serve.log" ] && grep -q 'level=ERROR' "$WORK/serve.log"; then
		say serve "errors in the log" "$WORK/serve.log"
	fi
	say time "$((SECONDS - began)) s, rate limit $RATE/min"
}

for site in "${@:-own hugo vue-zh}"; do
	for name in $site; do
		docs=${EVERGREEN_CORPORA:-}/docs/$name
		case $name in
		own) audit own CC-BY-4.0 / ;;
		hugo) licence=Apache-2.0 page=/docs/hugo/en/getting-started/directory-structure ;;
		vue-zh) licence=CC-BY-4.0 page=/docs/vue-zh/guide/essentials/application ;;
		esac
		[ "$name" = own ] && continue
		if [ -z "${EVERGREEN_CORPORA:-}" ]; then
			echo "site-audit: $name: skipped: EVERGREEN_CORPORA is not set"
		elif [ ! -d "$docs" ]; then
			echo "site-audit: $name: FAILED: EVERGREEN_CORPORA has no docs/$name"
			FAILED=1
		else
			audit "$name" "$licence" "$page" "$docs"
		fi
	done
done
exit "$FAILED"
