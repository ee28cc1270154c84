#!/usr/bin/env bash
# Makes the parts of a static site that are not in the binary: the rules and the
# search as WebAssembly, by the Go toolchain, and ONNX Runtime, by npm:
#   scripts/site/parts.sh DIR
# `ludozero export --web` calls it. What npm fetched stays in .cache/site.
set -euo pipefail
mkdir -p "${1:?usage: scripts/site/parts.sh DIR}"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
GO=${GO:-go}
cache=.cache/site
want=scripts/site/package-lock.json

for tool in "$GO" node npm; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: a site takes Go, node and npm" >&2; exit 1; }
done

if ! cmp -s "$want" "$cache/package-lock.json" || [ ! -e "$cache/complete" ]; then
  rm -rf "$cache"
  mkdir -p "$cache"
  cp scripts/site/package.json "$want" "$cache/"
  # Nothing of it needs to be built.
  (cd "$cache" && npm ci --ignore-scripts --no-audit --no-fund >&2)
  touch "$cache/complete"
fi
ort=$cache/node_modules/onnxruntime-web

GOOS=js GOARCH=wasm "$GO" build -trimpath -ldflags "-s -w" -o "$out/ludozero.wasm" ./cmd/ludozero-wasm
root=$("$GO" env GOROOT)
install -m 644 "$root/lib/wasm/wasm_exec.js" "$out/wasm_exec.js"
# Named so that every web server knows what they are.
install -m 644 "$ort/dist/ort.wasm.bundle.min.mjs" "$out/ort.js"
install -m 644 "$ort/dist/ort-wasm-simd-threaded.wasm" "$out/ort.wasm"
{
  echo "This site has parts of three works."
  printf '\nONNX Runtime Web (ort.js, ort.wasm): MIT licence, Copyright (c) Microsoft Corporation.\n'
  printf '\nGo (wasm_exec.js and what is linked into ludozero.wasm):\n\n'
  cat "$root/LICENSE"
  printf '\nludozero:\n\n'
  cat LICENSE NOTICE
} >"$out/licences.txt"
