#!/usr/bin/env bash
# Holds bills of materials against the JSON schema of CycloneDX 1.6, which the npm
# package of its JavaScript library carries.
#
# Usage: sbom.sh [FOLDER], a folder with NAME.cdx.json as `make dist` writes them;
# without one the program is built for two systems and described. Exit 1 when a
# bill does not fit; exit 0 with a line that says so when the schema or the
# validator cannot be had.
set -uo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
PACKAGE=@cyclonedx/cyclonedx-library@10.3.0
FOLDER=$ROOT/build/oracles/sbom
BILLS=${1:-}
mkdir -p "$FOLDER"
if [ ! -f "$FOLDER/package/res/schema/bom-1.6.SNAPSHOT.schema.json" ]; then
	if ! (cd "$FOLDER" && rm -f ./*.tgz && npm pack --silent "$PACKAGE" && tar -xzf ./*.tgz package/res/schema) >"$FOLDER/install.log" 2>&1; then
		echo "sbom: skipped: npm could not fetch $PACKAGE, which has the schema (build/oracles/sbom/install.log)"
		exit 0
	fi
fi
if ! go -C "$ROOT/e2e/sbom" mod download >"$FOLDER/install.log" 2>&1; then
	if grep -q 'SECURITY ERROR' "$FOLDER/install.log"; then
		cat "$FOLDER/install.log"
		exit 1
	fi
	echo "sbom: skipped: go could not fetch the validator (build/oracles/sbom/install.log)"
	exit 0
fi
if [ -z "$BILLS" ]; then
	BILLS=$FOLDER/built
	rm -rf "$BILLS"
	for os in linux windows; do
		(cd "$ROOT" && CGO_ENABLED=0 GOOS=$os go build -trimpath -buildvcs=false -ldflags '-X main.version=check' -o "$BILLS/evergreen-$os" ./cmd/evergreen) || exit 1
	done
	go -C "$ROOT/tools" run ./sbom "$BILLS"/evergreen-* || exit 1
fi
BILLS=$(cd "$BILLS" && pwd) || exit 1
LOG=$FOLDER/test.log
if ! EVERGREEN_SCHEMAS=$FOLDER/package/res/schema EVERGREEN_BILLS="$BILLS/*.cdx.json" go -C "$ROOT/e2e/sbom" test -mod=readonly -count=1 -v . >"$LOG" 2>&1; then
	grep -vE '^=== ' "$LOG"
	exit 1
fi
sed -nE 's/^ *[a-z_]+\.go:[0-9]+: (sbom: .*)/\1/p' "$LOG"
