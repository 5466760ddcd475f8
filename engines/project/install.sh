#!/bin/sh
# Installs MPXJ 13.12.0 from Maven, as pinned in pom.xml, and compiles the reader of Microsoft Project files. Does nothing if
# that is there already. Needs a JDK (17 or later) and Maven.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sum=$(cat "$here/pom.xml" "$here"/src/*.java | cksum | cut -d ' ' -f 1)
place="${ALAS_JSSP_ENGINES:-$HOME/.cache/alas-jssp/engines}/mpxj-13.12.0"
[ "$(cat "$place/ready" 2>/dev/null)" = "$sum" ] && exit 0
for tool in mvn javac; do
  command -v "$tool" >/dev/null || { echo "install.sh: $tool is missing (a JDK and Maven are needed)" >&2; exit 1; }
done
mkdir -p "$place/lib"
rm -f "$place/ready"
if [ ! -f "$place/pom.xml" ] || ! cmp -s "$here/pom.xml" "$place/pom.xml"; then
  rm -f "$place"/lib/*.jar
  mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$place/lib"
  cp "$here/pom.xml" "$place/pom.xml"
fi
rm -rf "$place/classes"
javac -nowarn -cp "$place/lib/*" -d "$place/classes" "$here"/src/*.java
echo "$sum" >"$place/ready"
echo "project: MPXJ is installed in $place"
