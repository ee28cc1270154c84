#!/usr/bin/env bash
# Installs ONNX Runtime into .cache/onnxruntime, by npm:
#   scripts/onnxruntime/install.sh web   only WebAssembly, which a static site needs
#   scripts/onnxruntime/install.sh       also the native library for node and, as root where
#                                        there is apt-get, onnx.checker for the distribution's
#                                        Python: what the tests of exported networks need
# Without it there is no static site, and those tests are skipped with the reason.
set -euo pipefail
cd "$(dirname "$0")/../.."
PYTHON=${PYTHON:-/usr/bin/python3} # the one that apt-get installs packages for
cache=.cache/onnxruntime
lock=scripts/onnxruntime/package-lock.json

# install NAME OPTION... runs npm, unless $cache/NAME shows that it has run before.
install() {
  cmp -s "$lock" "$cache/installed" || cmp -s "$lock" "$cache/$1" && return
  for tool in node npm; do
    command -v "$tool" >/dev/null || { echo "no ONNX Runtime: $tool is missing" >&2; return 1; }
  done
  mkdir -p "$cache"
  rm -f "$cache/installed" "$cache/web"
  cp scripts/onnxruntime/package.json "$lock" "$cache/"
  # The packages' scripts would only fetch libraries for graphics cards.
  npm ci --prefix "$cache" --ignore-scripts --no-audit --no-fund "${@:2}" >&2 || { echo "no ONNX Runtime: npm could not install it" >&2; return 1; }
  cp "$lock" "$cache/$1"
}

if [ "${1:-}" = web ]; then
  install web --omit=dev
  exit
fi
install installed || echo "the tests of exported networks are skipped" >&2

checker() { "$PYTHON" -c 'import onnx.checker, numpy' 2>/dev/null; }
if ! checker && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt() { apt-get install -y --no-install-recommends python3-onnx; }
  { apt || { apt-get update && apt; }; } >&2 || true
fi
checker || echo "no onnx.checker: install it as root: apt-get install --no-install-recommends python3-onnx" >&2
