#!/usr/bin/env bash
# Installs Chromium for the page tests if none is present and Debian's package can
# be installed. Otherwise the tests that need it are skipped.
set -euo pipefail
for name in "${LUDOZERO_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
  if [ -n "$name" ] && command -v "$name" >/dev/null; then
    exit 0
  fi
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "no Chromium: install one (package chromium), or the page tests are skipped"
  exit 0
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >"$log" 2>&1; then
  tail -5 "$log"
  echo "no Chromium: the installation failed; the page tests are skipped"
fi
