#!/usr/bin/env bash
# Installs what builds, checks and tries the Python package (clients/python), in a virtual environment of Python (a minute, 500 MB).
# Does nothing if it is there. Exit code 3: this machine has no Python, or none that these are built for.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail 3 "there is no python3 of version 3.11 or newer"
install_python "$home/python-1" "$(cat "$here/requirements.txt")" "the set of tools" -r "$here/requirements.txt"
