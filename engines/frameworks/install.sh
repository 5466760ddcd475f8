#!/usr/bin/env bash
# Installs the frameworks of agents that examples/planners/*_team.py use, each in a virtual environment of Python of its own (two
# minutes, 1.2 GB, most of it CrewAI's). Does nothing if they are there. Exit code 3: this machine has no Python, or none that they
# are built for.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

# install NAME VERSION PACKAGE…
install() {
  install_python "$home/$1-$2" "${*:3}" "$1 $2" --no-compile "${@:3}"
}

install autogen 0.7.5 autogen-agentchat==0.7.5 "autogen-ext[openai]==0.7.5"
install crewai 1.15.30 crewai==1.15.30
install langgraph 1.2.24 langgraph==1.2.24 langchain-openai==1.7.4
install openai-agents 0.24.0 openai-agents==0.24.0
