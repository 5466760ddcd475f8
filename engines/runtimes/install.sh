#!/usr/bin/env bash
# Installs other runtimes that run what is published: Node 22 and 24, and Bun (a minute, 400 MB). Does nothing if they
# are there. Exit code 3: there is none for this kind of processor or system.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

# install NAME VERSION BINARY
install() {
  local name=$1 version=$2 binary=$3 place=$home/$1-$2
  if [ -e "$place/version.txt" ]; then
    say "$name $version is in $place"
    return
  fi
  rm -rf "$place"
  mkdir -p "$place"
  # Their own scripts put the program for this machine into its place.
  echo '{ "private": true, "allowScripts": { "node": true, "bun": true } }' >"$place/package.json"
  npm --prefix "$place" install --no-audit --no-fund --loglevel=error "$name@$version" ||
    fail 3 "$name $version cannot be had here"
  # The last step says that all others are done.
  "$place/$binary" --version >"$place/version.new"
  mv "$place/version.new" "$place/version.txt"
  say "$name $(cat "$place/version.txt") installed in $place"
}

install node 22.23.3 node_modules/node/bin/node
install node 24.9.0 node_modules/node/bin/node
install bun 1.4.5 node_modules/bun/bin/bun.exe
