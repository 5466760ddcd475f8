#!/usr/bin/env bash
# Installs the conformance suite and the inspector of the Model Context Protocol, as package-lock.json pins them (10 s,
# 42 MB). Does nothing if they are there. Later versions of both want Node 22.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

mark=installed.json
place=$home/mcp-conformance-0.1.12-inspector-1.0.3
lock=$(cat "$here/package-lock.json")
if is_made "$place" "$lock"; then
  say "conformance 0.1.12 and inspector 1.0.3 are in $place"
  exit
fi
install_npm "$place"
finish "$place" "$lock" "conformance 0.1.12 and inspector 1.0.3"
