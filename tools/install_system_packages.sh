#!/bin/sh
# What the tests need and no Python package brings: Chromium for the browser tests, curl for the commands in the docs, and the
# scheduler and the commands of CUPS for a print queue. Does nothing when all are there; installs what is missing where apt-get and the rights for it exist.
set -eu

# What else is needed is named by whoever calls this, as packages.
missing="${*:+ $*}"
command -v curl >/dev/null || missing=" curl"
# Debian's Chromium without its own windows, which would take half of the tests' time; the whole one does as well.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || missing="$missing chromium-headless-shell"
# Its scheduler is an administrator's, and not on everybody's PATH.
command -v cupsd >/dev/null || [ -x /usr/sbin/cupsd ] || missing="$missing cups-daemon"
command -v lp >/dev/null || missing="$missing cups-client"
[ -n "$missing" ] || exit 0

ask_for_them() {
    echo "The tests need$missing, and $1. Install that so that it is on the PATH, then run this again." >&2
    exit 1
}

command -v apt-get >/dev/null || ask_for_them "this machine has no apt-get"
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null; then
    as_root="sudo"
else
    ask_for_them "installing it needs root or sudo"
fi

echo "Installing$missing for the tests."
$as_root apt-get update -qq
# shellcheck disable=SC2086  # The list is meant to be split into words.
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing fonts-dejavu-core >/dev/null
