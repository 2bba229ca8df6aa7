#!/usr/bin/env bash
# Sees to it that there is a Chromium for the tests in a browser: Debian's own, with a font, where it is missing and we may install it.
# Where that cannot be it says what to do. Then the tests are skipped, which is no failure, unless it is called with --required.
set -euo pipefail

for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then exit 0; fi
done

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "no Chromium on the PATH; installing Debian's" >&2
  # A font, because without one every letter is a box and text has no width.
  if apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    chromium fonts-dejavu-core >/dev/null; then
    exit 0
  fi
fi

cat >&2 <<'HELP'
There is no Chromium (chromium, chromium-browser or google-chrome on the PATH), and it could not be installed from here.
Tests in a browser are skipped without it. On Debian or Ubuntu:
  sudo apt-get install chromium fonts-dejavu-core
HELP
[ "${1:-}" != --required ]
