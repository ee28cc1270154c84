#!/usr/bin/env bash
# Runs ludozero side by side with ONNX Runtime, PyTorch and gorgonia's own
# operations on the same networks, and prints how many times faster we are:
#   scripts/versus.sh [--only REGEXP] [--time 4s] [--json FILE]
# It installs onnxruntime-node into .cache/versus by npm and, as root, PyTorch into
# the system by apt-get. Rows that need a missing one are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
PYTHON=${PYTHON:-/usr/bin/python3} # the one that apt-get installs packages for
ORT=1.23.2                         # 1.30.0 is as fast
cache=.cache/versus
mkdir -p bin "$cache"

version() { node -p "require('./$cache/node_modules/onnxruntime-node/package.json').version" 2>/dev/null || true; }
if command -v npm >/dev/null && [ "$(version)" != "$ORT" ]; then
  # Its scripts would only fetch libraries for graphics cards.
  npm install --prefix "$cache" --ignore-scripts --no-audit --no-fund --save-exact "onnxruntime-node@$ORT" >&2 || true
fi
options=()
if [ "$(version)" = "$ORT" ]; then
  options+=(--modules "$PWD/$cache")
else
  echo "no onnxruntime-node $ORT: it needs node and npm" >&2
fi

torch() { "$PYTHON" -c 'import torch, numpy, onnx' 2>/dev/null; }
# Without a BLAS PyTorch multiplies matrices with the reference loops.
packages=(python3-torch python3-onnx libopenblas0-openmp)
if ! torch && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  { apt-get install -y --no-install-recommends "${packages[@]}" || { apt-get update && apt-get install -y --no-install-recommends "${packages[@]}"; }; } >&2 || true
fi
if torch; then
  options+=(--python "$PYTHON")
else
  echo "no PyTorch: install it as root: apt-get install --no-install-recommends ${packages[*]}" >&2
fi

"$GO" build -o bin/versus ./scripts/versus
exec bin/versus --dir "$cache" "${options[@]}" "$@"
