# Finds Chromium, or installs it by apt as root unless SITE_AUDIT_INSTALL=0.
# Sourced by the other scripts.
#
# need_chromium: prints its path, nothing when there is none.

find_chromium() {
	local name
	for name in chromium-headless-shell chromium google-chrome; do
		command -v "$name" && return 0
	done
	return 1
}

need_chromium() {
	find_chromium && return 0
	if [ "$(id -u)" = 0 ] && [ "${SITE_AUDIT_INSTALL:-1}" = 1 ] && command -v apt-get >/dev/null; then
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell >/dev/null 2>&1 ||
			{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell; } >/dev/null 2>&1
	fi
	find_chromium
}
