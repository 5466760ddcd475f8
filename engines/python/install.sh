#!/usr/bin/env bash
# Installs what builds, checks and tries the Python package (clients/python), in a virtual environment of Python (a minute, 500 MB).
# Does nothing if it is there. Exit code 3: this machine has no Python, or none that these are built for.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}
place=$home/python-1
wanted=$(cat "$here/requirements.txt")

if [ "$wanted" = "$(cat "$place/installed.txt" 2>/dev/null)" ]; then
  echo "python: the tools of the package are in $place"
  exit 0
fi
rm -rf "$place"
mkdir -p "$home"
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || ! python3 -m venv "$place"; then
  echo "python: there is no python3 of version 3.11 or newer that makes virtual environments" >&2
  exit 3
fi
if ! "$place/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"; then
  echo "python: the tools of the package cannot be had here" >&2
  exit 3
fi
# The last step says that all others are done.
echo "$wanted" >"$place/installed.txt"
echo "python: the tools of the package installed in $place"
