#!/usr/bin/env bash
# Installs moto's interpreter of the Amazon States Language (about 10 s, 140 MB). Does nothing if it is there.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

install_python "$home/asl-moto-5.2.5-jsonata-0.7.1" "$(cat "$here/requirements.txt")" "moto 5.2.5" \
  --no-deps -r "$here/requirements.txt"
