#!/usr/bin/env bash
# Installs the frameworks of agents that examples/planners/*_team.py use, each in a virtual environment of Python of its own (two
# minutes, 1.2 GB, most of it CrewAI's). Does nothing if they are there. Exit code 3: this machine has no Python, or none that they
# are built for.
set -euo pipefail
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}

# install NAME VERSION PACKAGE…
install() {
  local name=$1 version=$2 place=$home/$1-$2
  shift 2
  if [ "$*" = "$(cat "$place/installed.txt" 2>/dev/null)" ]; then
    echo "frameworks: $name $version is in $place"
    return
  fi
  rm -rf "$place"
  mkdir -p "$home"
  if ! python3 -m venv "$place"; then
    echo "frameworks: there is no python3 that makes virtual environments" >&2
    exit 3
  fi
  if ! "$place/bin/pip" install --quiet --disable-pip-version-check --no-compile "$@"; then
    echo "frameworks: $name $version cannot be had here" >&2
    exit 3
  fi
  # The last step says that all others are done.
  echo "$*" >"$place/installed.txt"
  echo "frameworks: $name $version installed in $place"
}

install autogen 0.7.5 autogen-agentchat==0.7.5 "autogen-ext[openai]==0.7.5"
install crewai 1.15.30 crewai==1.15.30
install langgraph 1.2.24 langgraph==1.2.24 langchain-openai==1.7.4
install openai-agents 0.24.0 openai-agents==0.24.0
