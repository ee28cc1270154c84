#!/usr/bin/env bash
# Reads shards with DuckDB, the only thing here that needs a C++ linker and a recent
# C library. Where it cannot be linked the test is skipped.
set -euo pipefail
cd "$(dirname "$0")"
export GO=${GO:-go}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if CGO_ENABLED=1 "$GO" vet ./... && CGO_ENABLED=1 "$GO" test -c -o "$dir/duckdb.test" .; then
  echo "+ scripts/duckdb: $GO test"
  "$dir/duckdb.test"
  exit
fi
echo "skipped: this machine: DuckDB cannot be linked"
