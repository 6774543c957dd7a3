# Installs the outside judges into build/oracles, from the lock file of e2e, or
# those of a folder below it. Sourced by the other scripts; sets ROOT, ORACLES
# and NODE.
#
# need_oracles NAME [FOLDER]: returns 0 when they are there. Where npm is missing
# or cannot reach its registry it says so in the name of NAME and returns 1.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
ORACLES=$ROOT/build/oracles
NODE=$ORACLES/node_modules/.bin/node # the judges need Node 22, whatever the machine has

need_oracles() {
	local from=$ROOT/e2e
	if [ -n "${2:-}" ]; then
		from=$ROOT/e2e/$2
		ORACLES=$ROOT/build/oracles/$2
		NODE=$ORACLES/node_modules/.bin/node
	fi
	if ! command -v npm >/dev/null; then
		echo "$1: skipped: npm is not installed"
		return 1
	fi
	if cmp -s "$from/package-lock.json" "$ORACLES/installed.json" && "$NODE" --version >/dev/null 2>&1; then
		return 0
	fi
	mkdir -p "$ORACLES"
	cp "$from/package.json" "$from/package-lock.json" "$from/.npmrc" "$ORACLES/"
	# Not `npm ci`: one optional package of a judge was never published, and ci
	# takes its absence from the lock file for a contradiction.
	if ! (cd "$ORACLES" && npm install --no-save) >"$ORACLES/install.log" 2>&1 || ! "$NODE" --version >/dev/null 2>&1; then
		echo "$1: skipped: npm could not install the judges ($ORACLES/install.log)"
		return 1
	fi
	cp "$from/package-lock.json" "$ORACLES/installed.json"
}

# wait_for FILE SECONDS: waits until FILE has a line, and prints the first one.
wait_for() {
	local tries=$(($2 * 10))
	while [ "$tries" -gt 0 ]; do
		if [ -s "$1" ]; then
			head -n 1 "$1"
			return 0
		fi
		sleep 0.1
		tries=$((tries - 1))
	done
	return 1
}
