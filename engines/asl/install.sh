#!/usr/bin/env bash
# Installs moto's interpreter of the Amazon States Language (about 10 s, 140 MB). Does nothing if it is there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}
place=$home/asl-moto-5.2.5-jsonata-0.7.1

if cmp -s "$here/requirements.txt" "$place/installed.txt"; then
  echo "asl: moto 5.2.5 is in $place"
  exit 0
fi
rm -rf "$place"
mkdir -p "$home"
python3 -m venv "$place"
"$place/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$here/requirements.txt"
"$place/bin/python" -m pip check --disable-pip-version-check
# The last step says that all others are done.
cp "$here/requirements.txt" "$place/installed.txt"
echo "asl: moto 5.2.5 installed in $place"
