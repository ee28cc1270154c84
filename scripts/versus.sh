#!/usr/bin/env bash
# Runs ludozero side by side with ONNX Runtime, PyTorch and gorgonia's own
# operations on the same networks, and prints how many times as fast we are:
#   scripts/versus.sh [--only REGEXP] [--time 4s] [--json FILE]
# What it needs goes to .cache/versus (onnxruntime-node, by npm) and, as root, to
# the system (PyTorch, by apt-get). Without one of them its rows are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
PYTHON=${PYTHON:-/usr/bin/python3} # that of the distribution, for which apt-get installs
ORT=1.23.2                         # 1.30.0 was measured to be as fast
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
  echo "no onnxruntime-node $ORT: it takes node and npm" >&2
fi

torch() { "$PYTHON" -c 'import torch, numpy, onnx' 2>/dev/null; }
# A BLAS beside it, or PyTorch multiplies matrices with the reference loops.
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
