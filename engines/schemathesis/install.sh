#!/usr/bin/env bash
# Installs Schemathesis, which tries requests out that fit an OpenAPI document or just do not, in a virtual environment of Python
# (half a minute, 90 MB). Does nothing if it is there. Exit code 3: this machine has no Python, or none that it is built for.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

version=4.32.5
install_python "$home/schemathesis-$version" "$version" "Schemathesis $version" "schemathesis==$version"
