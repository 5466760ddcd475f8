#!/usr/bin/env bash
# Builds Temporal's development server (10 minutes on two cores the first time, 213 MB), and installs and builds
# packages/temporal with Temporal's SDK (300 MB); `install.sh server` builds the server alone, `install.sh package` the
# package alone. Ends with 3 where the server cannot be had because there is no go.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}
version=v1.5.1
place=$home/temporal-$version

install_package() {
  (cd "$here/../../packages/temporal" && npm ci --no-audit --no-fund --ignore-scripts && npm run build)
}

install_server() {
  if [ -e "$place/installed" ]; then return; fi
  if ! command -v go >/dev/null; then
    echo "temporal: there is no go to build the server with" >&2
    exit 3
  fi
  rm -rf "$place"
  mkdir -p "$place"
  GOBIN=$place go install -ldflags '-s -w' "github.com/temporalio/cli/cmd/temporal@$version"
  # The last step says that all others are done.
  touch "$place/installed"
}

case ${1:-all} in
  server) install_server ;;
  package) install_package ;;
  *)
    install_package
    install_server
    ;;
esac
echo "temporal: ${1:-package and server} installed, the server of $version in $place"
