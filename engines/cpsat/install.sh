#!/usr/bin/env bash
# Installs CP-SAT of OR-Tools for examples/planners/cpsat.py, in a virtual environment of Python (20 seconds, 270 MB). Does nothing
# if it is there. Exit code 3: this machine has no Python, or none that OR-Tools is built for.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

version=9.15.6755
install_python "$home/cpsat-$version" "$version" "OR-Tools $version" "ortools==$version"
