#!/usr/bin/env bash
# Builds Temporal's development server (10 minutes on two cores the first time, 213 MB), and installs and builds
# this package with Temporal's SDK (300 MB). Does nothing if it is there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}
version=v1.5.1
place=$home/temporal-$version

if [ ! -e "$place/installed" ]; then
  if ! command -v go >/dev/null; then
    echo "temporal: there is no go to build the server with" >&2
    exit 1
  fi
  rm -rf "$place"
  mkdir -p "$place"
  GOBIN=$place go install -ldflags '-s -w' "github.com/temporalio/cli/cmd/temporal@$version"
  # The last step says that all others are done.
  touch "$place/installed"
fi
(cd "$here" && npm ci --no-audit --no-fund --ignore-scripts && npm run build)
echo "temporal: the server of $version is in $place"
