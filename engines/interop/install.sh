#!/usr/bin/env bash
# Installs PyJobShop, job_shop_lib and OR-Tools, as pinned in requirements.txt, in a virtual environment of Python (a minute,
# 800 MB). Does nothing if they are there. Exit code 3: this machine has no Python, or none that they are built for.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}
place=$home/interop-1
sum=$(cksum <"$here/requirements.txt" | cut -d ' ' -f 1)

if [ "$sum" != "$(cat "$place/installed.txt" 2>/dev/null)" ]; then
  rm -rf "$place"
  mkdir -p "$home"
  if ! python3 -m venv "$place"; then
    echo "interop: there is no python3 that makes virtual environments" >&2
    exit 3
  fi
  if ! "$place/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"; then
    echo "interop: the packages of requirements.txt cannot be had here" >&2
    exit 3
  fi
  # The last step says that all others are done.
  echo "$sum" >"$place/installed.txt"
fi
echo "interop: PyJobShop, job_shop_lib and OR-Tools are in $place"
