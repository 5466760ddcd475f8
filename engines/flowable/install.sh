#!/usr/bin/env bash
# Installs Flowable 7.1.0 with H2 2.2.224 and JSONata 0.9.10 from Maven, as pinned in pom.xml, and compiles the runner.
# Does nothing if that is there already. Needs a JDK (17 or later) and Maven.
source "$(dirname "${BASH_SOURCE[0]}")/../install.bash"

mark=ready
place=$home/flowable-7.1.0-h2-2.2.224
sum=$(cat "$here/pom.xml" "$here"/src/alas/*.java | cksum | cut -d ' ' -f 1)
if is_made "$place" "$sum"; then exit; fi
install_jars "$place"
javac -nowarn -XDsuppressNotes -cp "$place/lib/*" -d "$place/classes" "$here"/src/alas/*.java
cp -R "$here/src/META-INF" "$place/classes/META-INF"
finish "$place" "$sum" "Flowable 7.1.0"
