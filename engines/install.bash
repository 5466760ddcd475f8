# What the install.sh of each engine shares; they source this file. An engine is in a folder of its own below $home. The last step
# writes what it was made from into the file $mark there: without that, or made from something else, it is made again.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
engine=$(basename "$here")
home=${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}
mark=installed.txt

say() {
  echo "$engine: $*"
}

# fail CODE WORDS…; exit code 3: the engine cannot be had on this machine.
fail() {
  local code=$1
  shift
  say "$@" >&2
  exit "$code"
}

# is_made PLACE SOURCES
is_made() {
  [ "$2" = "$(cat "$1/$mark" 2>/dev/null)" ]
}

# finish PLACE SOURCES NAME
finish() {
  printf '%s\n' "$2" >"$1/$mark"
  say "$3 installed in $1"
}

# make_environment PLACE: an empty virtual environment of Python.
make_environment() {
  rm -rf "$1"
  mkdir -p "$(dirname "$1")"
  python3 -m venv "$1" || fail 3 "there is no python3 that makes virtual environments"
}

# install_python PLACE SOURCES NAME ARGUMENT…: packages of Python, given to pip, in an environment of their own.
install_python() {
  local place=$1 sources=$2 name=$3
  shift 3
  if is_made "$place" "$sources"; then
    say "$name is in $place"
    return
  fi
  make_environment "$place"
  "$place/bin/python" -m pip install --quiet --disable-pip-version-check "$@" || fail 3 "$name cannot be had here"
  # Where all versions are pinned, pip does not resolve them.
  case " $* " in
    *" --no-deps "*) "$place/bin/python" -m pip check --disable-pip-version-check >/dev/null ;;
  esac
  finish "$place" "$sources" "$name"
}

# install_npm PLACE: the packages of the package-lock.json here.
install_npm() {
  rm -rf "$1"
  mkdir -p "$1"
  cp "$here/package.json" "$here/package-lock.json" "$1/"
  (cd "$1" && npm ci --no-audit --no-fund --ignore-scripts)
}

# install_jars PLACE: the dependencies of the pom.xml here. Jars of the same pom.xml are kept.
install_jars() {
  local tool
  for tool in mvn javac; do
    command -v "$tool" >/dev/null || fail 1 "$tool is missing (a JDK and Maven are needed)"
  done
  mkdir -p "$1/lib"
  rm -f "$1/$mark"
  if ! cmp -s "$here/pom.xml" "$1/pom.xml"; then
    rm -f "$1"/lib/*.jar
    mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$1/lib"
    cp "$here/pom.xml" "$1/pom.xml"
  fi
  rm -rf "$1/classes"
}
