#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs the built package as a wheel, without a network: backend.py PACKAGE_FOLDER SUFFIX WHEEL_FOLDER, SUFFIX being
that of the interpreter's modules. And what pip calls (PEP 517): make builds the module for the interpreter that asks,
so `pip install ./host/python` works in a checkout.

Libraries that another Linux may lack are included, in chainmail/libs, where the module looks first. The wheel's name
says from which glibc on it runs (PEP 600).
"""
import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]
# Every Linux with Python has these; manylinux takes them for granted.
EVERYWHERE = re.compile(r"(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+|libz|ld-linux[-\w]*)\.so\.\d+$")
# The first glibc whose systems have this version of libstdc++ (GLIBCXX_3.4.n), as auditwheel knows them.
GLIBC_OF_LIBSTDCXX = {19: 17, 28: 31, 29: 34, 30: 35, 33: 39}
METADATA = """Metadata-Version: 2.1
Name: chainmail
Version: {version}
Summary: Constrained binary problems by two-dimensional parallel tempering, on CPUs and FPGA boards
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: numpy
"""


def readelf(option, file):
    return subprocess.run(["readelf", option, "--wide", str(file)], check=True, capture_output=True, text=True).stdout


def included(module):
    """Libraries the module needs that are not everywhere, those that libraries need too."""
    compiler, found, todo = shlex.split(os.environ.get("CXX", "g++")), {}, [module]
    while todo:
        for name in re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", todo.pop())):
            if name in found or EVERYWHERE.match(name):
                continue
            place = pathlib.Path(subprocess.run([*compiler, f"-print-file-name={name}"], check=True,
                                                capture_output=True, text=True).stdout.strip())
            if not place.is_absolute():
                sys.exit(f"{module}: {name} was not found")
            found[name] = place
            todo.append(place)
    return found


def platform(machine, files):
    used = "".join(readelf("-V", file) for file in files)
    newest = [max(map(int, re.findall(rf"\b{name}\.(\d+)", used)), default=0) for name in ("GLIBC_2", "GLIBCXX_3\\.4")]
    of_libstdcxx = [glibc for n, glibc in GLIBC_OF_LIBSTDCXX.items() if n >= newest[1]]
    return f"manylinux_2_{max(newest[0], min(of_libstdcxx))}_{machine}" if of_libstdcxx else f"linux_{machine}"


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def pack(package, suffix, folder):
    """Writes the wheel, the same bytes from the same files, and returns its name."""
    package, folder = pathlib.Path(package), pathlib.Path(folder)
    version = re.search(r"^VERSION\s*:=\s*(\S+)", (TOP / "Makefile").read_text(), re.M)[1]
    module = package / f"_chainmail{suffix}"
    python, flavour, machine = re.fullmatch(r"\.cpython-(\d+)(\w*)-(\w+)-linux-gnu\.so", suffix).groups()
    libraries = included(module)
    tag = f"cp{python}-cp{python}{flavour}-{platform(machine, [module, *libraries.values()])}"
    about = f"chainmail-{version}.dist-info"
    files = {f"chainmail/{file.name}": file.read_bytes()
             for file in [*package.glob("*.py"), *package.glob("*.pyi"), package / "py.typed", module]}
    files.update({f"chainmail/libs/{name}": place.read_bytes() for name, place in libraries.items()})
    if machine == os.uname().machine:  # the libraries of another machine are unknown to this one's packages
        files["chainmail/sbom.spdx.json"] = subprocess.run(
            [TOP / "host/packaging/sbom", "chainmail", version, module], check=True, capture_output=True).stdout
    files[f"{about}/LICENSE"] = (TOP / "LICENSE").read_bytes()
    files[f"{about}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{about}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: chainmail {version}\nRoot-Is-Purelib: false\n"
                               f"Tag: {tag}\n").encode()
    record = [f"{name},sha256={digest(data)},{len(data)}\n" for name, data in sorted(files.items())]
    files[f"{about}/RECORD"] = ("".join(record) + f"{about}/RECORD,,\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("chainmail-*.whl"):
        old.unlink()
    wheel = folder / f"chainmail-{version}-{tag}.whl"
    with zipfile.ZipFile(f"{wheel}.new", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name)  # of 1980, whenever it is packed
            entry.external_attr = (0o100755 if ".so" in name else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    os.replace(f"{wheel}.new", wheel)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    if not (TOP / "Makefile").is_file():
        sys.exit("chainmail: pip builds the package inside a checkout (pip 21.3 and later do not copy it elsewhere)")
    # pip's own environment hides the packages of the interpreter, and a make may have called pip.
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("PYTHON", "MAKE", "MFLAGS"))}
    make = ["make", "-C", str(TOP), "--no-print-directory"]
    subprocess.run([*make, "NO_INSTALL=1", f"PYTHON={sys.executable}", "python"], check=True, env=environment)
    return pack(TOP / "build/python/chainmail", sysconfig.get_config_var("EXT_SUFFIX"), wheel_directory).name


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: backend.py PACKAGE_FOLDER SUFFIX WHEEL_FOLDER")
    print(pack(*sys.argv[1:]))
