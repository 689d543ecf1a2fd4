#!/bin/sh
# Builds the Debian packages from a tarball, and looks at them with lintian where there is one.
# Use: deb.sh TARBALL FOLDER
set -eu
tarball=$1 folder=$2
name=$(basename "$tarball" .tar.gz)
work=$folder/deb
rm -rf "$work"
mkdir -p "$work"
cp "$tarball" "$work/keyavg_${name#keyavg-}.orig.tar.gz"
tar -xzf "$tarball" -C "$work"
grep -q "^keyavg (${name#keyavg-}-" "$work/$name/packaging/debian/changelog" ||
    { echo "deb: packaging/debian/changelog is of another version than $name" >&2; exit 1; }
cp -R "$work/$name/packaging/debian" "$work/$name/debian"
(cd "$work/$name" && dpkg-buildpackage --no-sign)
if command -v lintian >/dev/null 2>&1; then
    lintian --info --fail-on error,warning "$work"/keyavg_*.changes
else
    echo "SKIP: lintian is not installed"
fi
cp "$work"/*.deb "$folder"
ls "$folder"/*.deb
