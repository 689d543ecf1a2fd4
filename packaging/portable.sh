#!/bin/sh
# Builds keyavg from a tarball so that its binary needs nothing but the C library, and packs it: every other library is in it,
# or, where the system has no static one, beside it.
# Use: portable.sh TARBALL FOLDER
# Makes FOLDER/keyavg-VERSION-linux-ARCH.tar.gz and FOLDER/keyavg-VERSION-...whl. The binary runs where the C library is at
# least as new as the one it was built with. CJSON_SOURCE may name cJSON.c, which is then compiled in where there is no
# static library of it.
set -eu
LC_ALL=C
export LC_ALL
tarball=$1 folder=$2
CC=${CC-gcc}

die() { echo "portable: $*" >&2; exit 1; }
# The static form of a library, nothing where there is none.
archive() { path=$($CC -print-file-name="lib$1.a"); [ "$path" = "lib$1.a" ] || echo "$path"; }
need_archive() { [ -n "$(archive "$1")" ] || die "no static lib$1 here: install $2 (Debian) or $3 (Fedora)"; }

need_archive ncursesw libncurses-dev ncurses-static
need_archive yaml libyaml-dev libyaml-static
need_archive z zlib1g-dev zlib-static
need_archive supc++ libstdc++-dev libstdc++-static
ncurses=$(archive ncursesw)
[ -z "$(archive tinfo)" ] || ncurses="$ncurses $(archive tinfo)"
# shellcheck disable=SC2016 # for the linker, through make
json='-lcjson -Wl,-rpath,'\''$$ORIGIN/../lib/keyavg'\'
[ -z "$(archive cjson)" ] || json=$(archive cjson)
source=''
[ -z "${CJSON_SOURCE-}" ] || source=$(readlink -f "$CJSON_SOURCE")
zstd=$(archive zstd)

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
name=$(basename "$tarball" .tar.gz)
work=$folder/portable
rm -rf "$work"
mkdir "$work"
tar -xzf "$tarball" -C "$work"
mkdir "$work/build" "$work/root"
cd "$work/build"
if [ -n "$source" ] && [ -z "$(archive cjson)" ]; then
    # shellcheck disable=SC2086 # flags
    $CC ${CFLAGS--O2} -c "$source" -o cJSON.o
    json=$work/build/cJSON.o
fi
if [ -n "$zstd" ]; then set -- ZSTD_LIBS="$zstd"; else set -- --without-zstd; fi
../"$name"/configure -q --prefix=/ CC="$CC" CFLAGS="${CFLAGS--O2}" LDFLAGS="${LDFLAGS-} -static-libgcc" \
    NCURSESW_LIBS="$ncurses" CJSON_LIBS="$json" YAML_LIBS="$(archive yaml)" ZLIB_LIBS="$(archive z)" \
    "$@" ac_cv_search___cxa_demangle="$(archive supc++)"
make -s -j"$(getconf _NPROCESSORS_ONLN)"
make -s install DESTDIR="$work/root" >/dev/null
binary=$work/root/bin/keyavg
strip "$binary"

# -- What it still needs ---------------------------------------------------------------------------

needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'; }
is_c_library() { case $1 in libc.so.* | libm.so.* | libpthread.so.* | ld-linux*) ;; *) return 1 ;; esac; }
for library in $(needed "$binary"); do
    is_c_library "$library" && continue
    case $library in libcjson.so.*) ;; *) die "$library was not linked into the binary" ;; esac
    path=$($CC -print-file-name="$library")
    mkdir -p "$work/root/lib/keyavg"
    cp -L "$path" "$work/root/lib/keyavg/$library"
    strip "$work/root/lib/keyavg/$library"
    for further in $(needed "$path"); do
        is_c_library "$further" || die "$library needs $further"
    done
done

# -- Licences of what is in it ---------------------------------------------------------------------

licences=$work/root/share/doc/keyavg/licenses
mkdir -p "$licences"
cp "../$name/LICENSE" "$licences/keyavg"
for library in ncursesw yaml z zstd supc++ cjson; do
    if [ $library = cjson ] && [ "${json%.o}" != "$json" ]; then
        cp "$(dirname "$source")/LICENSE" "$licences/libcjson"
        continue
    fi
    path=$(archive $library)
    [ -n "$path" ] || path=$($CC -print-file-name=lib$library.so)
    [ -e "$path" ] || continue
    if command -v dpkg >/dev/null 2>&1; then
        # dpkg may know the file by the path before /usr was merged.
        for form in "$(readlink -f "$path")" "$(readlink -f "$path" | sed 's|^/usr||')"; do
            package=$(dpkg -S "$form" 2>/dev/null | sed -n 's/^\([^:]*\):.*/\1/p' | head -n 1)
            [ -z "$package" ] || break
        done
        text=/usr/share/doc/$package/copyright
    else
        package=$(rpm -qf "$path")
        text=$(rpm -q --licensefiles "$package" | head -n 1)
    fi
    [ -f "$text" ] || die "no licence text for lib$library ($package)"
    cp "$text" "$licences/lib$library"
done

# -- Packing ---------------------------------------------------------------------------------------

whole=$name-linux-$(uname -m)
mv "$work/root" "$work/$whole"
tar -C "$work" --sort=name --mtime="@${SOURCE_DATE_EPOCH:-0}" --owner=0 --group=0 --numeric-owner -cf - "$whole" |
    gzip -9n >"$folder/$whole.tar.gz"
echo "$folder/$whole.tar.gz"
python3 "$work/$name/packaging/wheel.py" "$work/$whole" "${name#keyavg-}" "$folder"
