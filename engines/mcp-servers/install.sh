#!/usr/bin/env bash
# Installs the reference servers of the Model Context Protocol for tests of the guard: filesystem, memory and everything
# from npm as package-lock.json pins them, git and sqlite from PyPI as git.txt and sqlite.txt pin them, each with a
# Python environment of its own because they need different versions of the protocol's library (30 s, 190 MB). Does
# nothing if they are there. Exit code 3: this machine has no Python that makes virtual environments.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

place=$home/mcp-servers-2026.10
sources=$(cat "$here/package-lock.json" "$here/git.txt" "$here/sqlite.txt")
if is_made "$place" "$sources"; then
  say "filesystem, memory, everything, git and sqlite are in $place"
  exit
fi
install_npm "$place"
for name in git sqlite; do
  install_python "$place/$name" "$(cat "$here/$name.txt")" "$name" --no-deps -r "$here/$name.txt"
done
finish "$place" "$sources" "filesystem, memory, everything, git and sqlite"
