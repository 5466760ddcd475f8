#!/usr/bin/env bash
# Builds Temporal's development server (10 minutes on two cores the first time, 213 MB), and installs and builds
# packages/temporal with Temporal's SDK (300 MB); `install.sh server` builds the server alone, `install.sh package` the
# package alone. Ends with 3 where the server cannot be had because there is no go.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

version=v1.5.1
place=$home/temporal-$version

install_package() {
  (cd "$here/../../packages/temporal" && npm ci --no-audit --no-fund --ignore-scripts && npm run build)
}

install_server() {
  if [ -e "$place/installed" ]; then return; fi
  command -v go >/dev/null || fail 3 "there is no go to build the server with"
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
say "${1:-package and server} installed, the server of $version in $place"
