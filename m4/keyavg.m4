dnl The macros of keyavg's configure.ac.

dnl KEYAVG_MISSING(WHAT, DEBIAN, FEDORA): one line for the message that ends configure.
AC_DEFUN([KEYAVG_MISSING],
[keyavg_missing="${keyavg_missing:+$keyavg_missing
configure: error: }missing $1: install $2 (Debian, Ubuntu) or $3 (Fedora)"])

dnl KEYAVG_LIBRARY(VARIABLE, MODULE, DEBIAN, FEDORA, [IF-FOUND]): a library that must be there.
AC_DEFUN([KEYAVG_LIBRARY],
[PKG_CHECK_MODULES([$1], [$2], [$5], [KEYAVG_MISSING([$2], [$3], [$4])])])

dnl KEYAVG_FLAG(FLAG, VARIABLE): append FLAG to VARIABLE if the compiler knows it.
dnl -Werror makes clang refuse what it only warns about.
AC_DEFUN([KEYAVG_FLAG],
[AS_VAR_PUSHDEF([cache], [keyavg_cv_flag_$1])
AC_CACHE_CHECK([whether $CC accepts $1], [cache],
  [keyavg_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror $1"
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int main(void) { return 0; }]])],
    [AS_VAR_SET([cache], [yes])], [AS_VAR_SET([cache], [no])])
  CFLAGS=$keyavg_saved_CFLAGS])
AS_VAR_IF([cache], [yes], [AS_VAR_APPEND([$2], [" $1"])])
AS_VAR_POPDEF([cache])])

dnl KEYAVG_C17: CC speaks C17 or configure ends.
AC_DEFUN([KEYAVG_C17],
[AC_CACHE_CHECK([for $CC option to accept C17], [keyavg_cv_c17],
  [keyavg_cv_c17=no
  keyavg_saved_CC=$CC
  for keyavg_flag in -std=c17 -std=c18; do
    CC="$keyavg_saved_CC $keyavg_flag"
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#if __STDC_VERSION__ < 201710L
# error older than C17
#endif
int main(void) { return 0; }]])], [keyavg_cv_c17=$keyavg_flag])
    test "$keyavg_cv_c17" = no || break
  done
  CC=$keyavg_saved_CC])
AS_IF([test "$keyavg_cv_c17" = no],
  [AC_MSG_ERROR([$CC does not know C17: install gcc 8 or clang 7, or later])])
CC="$CC $keyavg_cv_c17"])

dnl KEYAVG_WARNINGS: sets and substitutes WARN_CFLAGS.
AC_DEFUN([KEYAVG_WARNINGS],
[WARN_CFLAGS=
m4_foreach_w([flag],
  [-Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes
   -Wmissing-declarations -Wold-style-definition -Wvla -Wwrite-strings -Wpointer-arith -Wcast-align
   -Wcast-qual -Wundef -Wformat=2 -Wdouble-promotion -Wimplicit-fallthrough -Wnull-dereference
   -Wredundant-decls -Wlogical-op -Wduplicated-cond -Wduplicated-branches],
  [KEYAVG_FLAG(flag, [WARN_CFLAGS])
])
AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
AC_SUBST([WARN_CFLAGS])])

dnl KEYAVG_SANITIZERS: sets and substitutes SANITIZER_FLAGS, for compiling and for linking.
AC_DEFUN([KEYAVG_SANITIZERS],
[SANITIZER_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
AC_MSG_CHECKING([whether $CC links with sanitizers])
keyavg_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $SANITIZER_FLAGS"
AC_LINK_IFELSE([AC_LANG_SOURCE([[int main(void) { return 0; }]])],
  [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
  AC_MSG_ERROR([missing the sanitizers: install libgcc-12-dev or libclang-rt-dev (Debian, Ubuntu) or libasan and libubsan (Fedora)])])
CFLAGS=$keyavg_saved_CFLAGS])
AC_SUBST([SANITIZER_FLAGS])
