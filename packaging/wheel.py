#!/usr/bin/env python3
"""Packs the portable binary as a Python wheel: `pip install keyavg-*.whl` puts keyavg on the PATH. There is no Python in it.

Use: wheel.py FOLDER VERSION OUT, where FOLDER is the unpacked portable tarball. Prints the path of the wheel in OUT.
"""
import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys
import zipfile

METADATA = """\
Metadata-Version: 2.1
Name: keyavg
Version: {version}
Summary: Averages of operators and kernels in PyTorch profiler traces, in the terminal
License: MIT
Keywords: pytorch,profiler,trace,terminal
Classifier: Environment :: Console :: Curses
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Topic :: Software Development :: Debuggers
Description-Content-Type: text/markdown

{readme}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: keyavg
Root-Is-Purelib: false
Tag: {tag}
"""


def newest_c_library(path):
    """The C library's version whose symbols a file needs: (2, 34)."""
    text = subprocess.run(["readelf", "--version-info", "--wide", path], check=True, capture_output=True, text=True).stdout
    return max((int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", text))


def main():
    folder, version, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    binary = folder / "bin" / "keyavg"
    libraries = sorted((folder / "lib" / "keyavg").glob("*.so*"))
    major, minor = max(newest_c_library(path) for path in [binary, *libraries])
    tag = f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"
    info = f"keyavg-{version}.dist-info"
    readme = (folder / "share" / "doc" / "keyavg" / "README.md").read_text(encoding="utf-8")

    # pip puts `scripts` where python's own programs are and `data` at the prefix above; the binary looks for its library there.
    files = [(f"keyavg-{version}.data/scripts/keyavg", binary.read_bytes(), 0o755)]
    files += [(f"keyavg-{version}.data/data/lib/keyavg/{path.name}", path.read_bytes(), 0o755) for path in libraries]
    files += [(f"{info}/licenses/{path.name}", path.read_bytes(), 0o644)
              for path in sorted((folder / "share" / "doc" / "keyavg" / "licenses").iterdir())]
    files += [(f"{info}/METADATA", METADATA.format(version=version, readme=readme).encode(), 0o644),
              (f"{info}/WHEEL", WHEEL.format(tag=tag).encode(), 0o644)]
    record = ""
    for name, content, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))

    path = out / f"keyavg-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, content, mode in files:
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            wheel.writestr(entry, content)
    print(os.fspath(path))


main()
