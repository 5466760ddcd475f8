#!/usr/bin/env bash
# Installs other runtimes that run what is published: Node 22 and 24, and Bun (a minute, 400 MB). Does nothing if they
# are there. Exit code 3: there is none for this kind of processor or system.
set -euo pipefail
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}

# install NAME VERSION BINARY
install() {
  local name=$1 version=$2 binary=$3 place=$home/$1-$2
  if [ -e "$place/version.txt" ]; then
    echo "runtimes: $name $version is in $place"
    return
  fi
  rm -rf "$place"
  mkdir -p "$place"
  # Their own scripts put the program for this machine into its place.
  echo '{ "private": true, "allowScripts": { "node": true, "bun": true } }' >"$place/package.json"
  if ! npm --prefix "$place" install --no-audit --no-fund --loglevel=error "$name@$version"; then
    echo "runtimes: $name $version cannot be had here" >&2
    exit 3
  fi
  # The last step says that all others are done.
  "$place/$binary" --version >"$place/version.new"
  mv "$place/version.new" "$place/version.txt"
  echo "runtimes: $name $(cat "$place/version.txt") installed in $place"
}

install node 22.23.3 node_modules/node/bin/node
install node 24.9.0 node_modules/node/bin/node
install bun 1.4.5 node_modules/bun/bin/bun.exe
