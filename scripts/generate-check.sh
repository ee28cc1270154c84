#!/usr/bin/env bash
# Fails if the assembly in the tree is not what the generator writes.
set -euo pipefail
cd "$(dirname "$0")/../model/kernel/_asm"
exec "${GO:-go}" run . -check
