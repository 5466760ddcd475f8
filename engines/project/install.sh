#!/usr/bin/env bash
# Installs MPXJ 13.12.0 from Maven, as pinned in pom.xml, and compiles the reader of Microsoft Project files. Does nothing if
# that is there already. Needs a JDK (17 or later) and Maven.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

mark=ready
place=$home/mpxj-13.12.0
sum=$(cat "$here/pom.xml" "$here"/src/*.java | cksum | cut -d ' ' -f 1)
if is_made "$place" "$sum"; then exit; fi
install_jars "$place"
javac -nowarn -cp "$place/lib/*" -d "$place/classes" "$here"/src/*.java
finish "$place" "$sum" "MPXJ 13.12.0"
