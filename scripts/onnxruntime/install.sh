#!/usr/bin/env bash
# Installs what exported networks are tested with: ONNX Runtime for node, native
# and in WebAssembly, into .cache/onnxruntime by npm, and, as root where there is
# apt-get, onnx.checker for the Python of the distribution. Without one of them
# its tests are skipped, with the reason.
set -euo pipefail
cd "$(dirname "$0")/../.."
PYTHON=${PYTHON:-/usr/bin/python3} # for which apt-get installs
cache=.cache/onnxruntime
lock=scripts/onnxruntime/package-lock.json

missing=()
for tool in node npm; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "no ONNX Runtime: ${missing[*]} missing: the tests of exported networks take node and npm, and are skipped" >&2
elif ! cmp -s "$lock" "$cache/installed"; then
  mkdir -p "$cache"
  rm -f "$cache/installed"
  cp scripts/onnxruntime/package.json "$lock" "$cache/"
  # The packages' scripts would only fetch libraries for graphics cards.
  if npm ci --prefix "$cache" --ignore-scripts --no-audit --no-fund >&2; then
    cp "$lock" "$cache/installed"
  else
    echo "no ONNX Runtime: npm could not install it: the tests of exported networks are skipped" >&2
  fi
fi

checker() { "$PYTHON" -c 'import onnx.checker, numpy' 2>/dev/null; }
if ! checker && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt() { apt-get install -y --no-install-recommends python3-onnx; }
  { apt || { apt-get update && apt; }; } >&2 || true
fi
checker || echo "no onnx.checker: install it as root: apt-get install --no-install-recommends python3-onnx" >&2
