#!/usr/bin/env bash
# Installs CP-SAT of OR-Tools for examples/planners/cpsat.py, in a virtual environment of Python (20 seconds, 270 MB). Does nothing
# if it is there. Exit code 3: this machine has no Python, or none that OR-Tools is built for.
set -euo pipefail
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}
version=9.15.6755
place=$home/cpsat-$version

if [ "$version" = "$(cat "$place/installed.txt" 2>/dev/null)" ]; then
  echo "cpsat: OR-Tools $version is in $place"
  exit 0
fi
rm -rf "$place"
mkdir -p "$home"
if ! python3 -m venv "$place"; then
  echo "cpsat: there is no python3 that makes virtual environments" >&2
  exit 3
fi
if ! "$place/bin/pip" install --quiet --disable-pip-version-check "ortools==$version"; then
  echo "cpsat: OR-Tools $version cannot be had here" >&2
  exit 3
fi
# The last step says that all others are done.
echo "$version" >"$place/installed.txt"
echo "cpsat: OR-Tools $version installed in $place"
