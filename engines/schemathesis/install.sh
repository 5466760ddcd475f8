#!/usr/bin/env bash
# Installs Schemathesis, which tries requests out that fit an OpenAPI document or just do not, in a virtual environment of Python
# (half a minute, 90 MB). Does nothing if it is there. Exit code 3: this machine has no Python, or none that it is built for.
set -euo pipefail
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}
version=4.32.5
place=$home/schemathesis-$version

if [ "$version" = "$(cat "$place/installed.txt" 2>/dev/null)" ]; then
  echo "schemathesis: version $version is in $place"
  exit 0
fi
rm -rf "$place"
mkdir -p "$home"
if ! python3 -m venv "$place"; then
  echo "schemathesis: there is no python3 that makes virtual environments" >&2
  exit 3
fi
if ! "$place/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"; then
  echo "schemathesis: version $version cannot be had here" >&2
  exit 3
fi
# The last step says that all others are done.
echo "$version" >"$place/installed.txt"
echo "schemathesis: version $version installed in $place"
