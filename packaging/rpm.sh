#!/bin/sh
# Builds the RPM packages from a tarball. Where packages are not installed by rpm, what they need is not asked for.
# Use: rpm.sh TARBALL FOLDER
set -eu
tarball=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
name=$(basename "$tarball" .tar.gz)
work=$folder/rpm
rm -rf "$work"
mkdir -p "$work/SOURCES" "$work/SPECS"
cp "$tarball" "$work/SOURCES"
tar -xzf "$tarball" -C "$work/SPECS" --strip-components=2 "$name/packaging/keyavg.spec"
grep -q "^Version: *${name#keyavg-}\$" "$work/SPECS/keyavg.spec" ||
    { echo "rpm: packaging/keyavg.spec is of another version than $name" >&2; exit 1; }
if rpm -q rpm >/dev/null 2>&1; then set --; else set -- --nodeps; fi
rpmbuild -ba "$@" --define "_topdir $work" "$work/SPECS/keyavg.spec"
if command -v rpmlint >/dev/null 2>&1; then
    rpmlint "$work/SPECS/keyavg.spec" "$work"/RPMS/*/*.rpm || :
fi
cp "$work"/RPMS/*/*.rpm "$work"/SRPMS/*.rpm "$folder"
ls "$folder"/*.rpm
