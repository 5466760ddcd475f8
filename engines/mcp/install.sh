#!/usr/bin/env bash
# Installs the conformance suite and the inspector of the Model Context Protocol, as package-lock.json pins them (10 s,
# 42 MB). Does nothing if they are there. Later versions of both want Node 22.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}
place=$home/mcp-conformance-0.1.12-inspector-1.0.3

if cmp -s "$here/package-lock.json" "$place/installed.json"; then
  echo "mcp: conformance 0.1.12 and inspector 1.0.3 are in $place"
  exit 0
fi
rm -rf "$place"
mkdir -p "$place"
cp "$here/package.json" "$here/package-lock.json" "$place/"
(cd "$place" && npm ci --no-audit --no-fund --ignore-scripts)
# The last step says that all others are done.
cp "$here/package-lock.json" "$place/installed.json"
echo "mcp: conformance 0.1.12 and inspector 1.0.3 installed in $place"
