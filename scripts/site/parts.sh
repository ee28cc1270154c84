#!/usr/bin/env bash
# Makes the parts of a static site that are not in the binary: rules and search as
# WebAssembly, built by the Go toolchain, and ONNX Runtime, installed by npm:
#   scripts/site/parts.sh DIR
# `ludozero export --web` calls it.
set -euo pipefail
mkdir -p "${1:?usage: scripts/site/parts.sh DIR}"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
GO=${GO:-go}

for tool in "$GO" node npm; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: a site needs Go, node and npm" >&2; exit 1; }
done
scripts/onnxruntime/install.sh web
ort=.cache/onnxruntime/node_modules/onnxruntime-web/dist

export GOOS=js GOARCH=wasm
"$GO" build -trimpath -ldflags "-s -w" -o "$out/ludozero.wasm" ./cmd/ludozero-wasm
root=$("$GO" env GOROOT)
install -m 644 "$root/lib/wasm/wasm_exec.js" "$out/wasm_exec.js"
# With extensions that every web server knows.
install -m 644 "$ort/ort.wasm.bundle.min.mjs" "$out/ort.js"
install -m 644 "$ort/ort-wasm-simd-threaded.wasm" "$out/ort.wasm"
{
  echo "This site has parts of the works below."
  printf '\nONNX Runtime Web (ort.js, ort.wasm): Copyright (c) Microsoft Corporation. MIT licence, its words are those of ludozero'"'"'s below.\n'
  echo 'What ONNX Runtime is made of in turn is listed in ThirdPartyNotices.txt of its source.'
  printf '\n\nludozero:\n\n'
  cat LICENSE NOTICE
  printf '\n\nlinked into ludozero.wasm:\n\n'
  scripts/licences.sh ./cmd/ludozero-wasm
} >"$out/licences.txt"
