#!/usr/bin/env bash
# Fails if the assembly in the tree differs from the generator's output.
set -euo pipefail
cd "$(dirname "$0")/../model/kernel/_asm"
exec "${GO:-go}" run . -check
