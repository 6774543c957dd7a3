#!/usr/bin/env bash
# Builds what `make dist` made a second time, from a copy of the tree in another
# folder and with an empty build cache, compares every byte, and holds the bills
# of materials against their schema.
#
#   tools/distcheck.sh "linux/amd64 windows/arm64"
set -euo pipefail
cd "$(dirname "$0")/.."
platforms=$1
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
make --no-print-directory dist PLATFORMS="$platforms" >/dev/null
mkdir "$work/elsewhere"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
  [ -e "$file" ] && printf '%s\0' "$file"
done | tar --null -T - -cf - | tar -xf - -C "$work/elsewhere"
GOCACHE=$work/cache make --no-print-directory -C "$work/elsewhere" dist PLATFORMS="$platforms" >/dev/null
if ! diff <(cd dist && sha256sum ./*) <(cd "$work/elsewhere/dist" && sha256sum ./*); then
  echo "dist: the second build differs from the first"
  exit 1
fi
echo "dist: $(ls dist | wc -l) files built twice, the same bytes"
e2e/scripts/sbom.sh dist
