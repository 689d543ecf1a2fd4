#!/bin/sh
# Writes a script that stands for a Criterion program where there is no Criterion: it reports
# each case in the source file as skipped.
# Use: no-criterion.sh SOURCE >PROGRAM
set -u
echo '#!/bin/sh'
echo "cat <<'EOF'"
sed -n 's/^\(Parameterized\)\{0,1\}Test(\(\([^,()]*,\)\{0,1\}\) *\([A-Za-z0-9_]*\), *\([A-Za-z0-9_]*\).*/ok - \4::\5 # SKIP Criterion is not installed/p' "$1"
echo EOF
