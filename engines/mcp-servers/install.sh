#!/usr/bin/env bash
# Installs the reference servers of the Model Context Protocol for tests of the guard: filesystem, memory and everything
# from npm as package-lock.json pins them, git and sqlite from PyPI as git.txt and sqlite.txt pin them, each with a
# Python environment of its own because they need different versions of the protocol's library (30 s, 190 MB). Does
# nothing if they are there. Exit code 3: this machine has no Python that makes virtual environments.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}
place=$home/mcp-servers-2026.10

if cat "$here/package-lock.json" "$here/git.txt" "$here/sqlite.txt" | cmp -s - "$place/installed.txt"; then
  echo "mcp-servers: filesystem, memory, everything, git and sqlite are in $place"
  exit 0
fi
rm -rf "$place"
mkdir -p "$place"
cp "$here/package.json" "$here/package-lock.json" "$place/"
(cd "$place" && npm ci --no-audit --no-fund --ignore-scripts)
for name in git sqlite; do
  if ! python3 -m venv "$place/$name"; then
    echo "mcp-servers: there is no python3 that makes virtual environments" >&2
    exit 3
  fi
  "$place/$name/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$here/$name.txt"
  "$place/$name/bin/python" -m pip check --disable-pip-version-check
done
# The last step says that all others are done.
cat "$here/package-lock.json" "$here/git.txt" "$here/sqlite.txt" >"$place/installed.txt"
echo "mcp-servers: filesystem, memory, everything, git and sqlite installed in $place"
