#!/usr/bin/env bash
# Installs Debian's Chromium and a font for the browser tests, if none is present and this user may install packages.
# Otherwise it prints what to do and succeeds, and the tests are skipped. With --required, or if CI is set, it fails instead.
set -euo pipefail

for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then exit 0; fi
done

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "No Chromium on the PATH. Installing Debian's." >&2
  # Without a font every character is a box and text has no width.
  if apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    chromium fonts-dejavu-core >/dev/null; then
    exit 0
  fi
fi

cat >&2 <<'HELP'
No Chromium (chromium, chromium-browser or google-chrome) is on the PATH, and it could not be installed automatically.
Browser tests are skipped without it. On Debian or Ubuntu, run:
  sudo apt-get install chromium fonts-dejavu-core
HELP
[ "${1:-}" != --required ] && [ -z "${CI:-}" ]
