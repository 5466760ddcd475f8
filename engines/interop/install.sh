#!/usr/bin/env bash
# Installs PyJobShop, job_shop_lib and OR-Tools, as pinned in requirements.txt, in a virtual environment of Python (a minute,
# 800 MB). Does nothing if they are there. Exit code 3: this machine has no Python, or none that they are built for.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

install_python "$home/interop-1" "$(cksum <"$here/requirements.txt" | cut -d ' ' -f 1)" \
  "the environment with PyJobShop, job_shop_lib and OR-Tools" -r "$here/requirements.txt"
