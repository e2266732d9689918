"""`pip install ./host/python`, without a network: what it installs brings the libraries another Linux may lack."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

TOP = pathlib.Path(__file__).resolve().parents[2]
# What manylinux lets a wheel expect of every system.
EXPECTED = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libgcc_s.so.1", "libstdc++.so.6",
            "libz.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
LIBRARIES = ("libboost_", "libfmt.", "libhwy.", "libbz2.", "liblzma.", "libzstd.")
USE = """import sys; sys.path[:] = [p for p in sys.path if 'build/python' not in p] + [sys.argv[1]]
import chainmail as cm
assert cm.__file__.startswith(sys.argv[1])
assert cm.solve({("a", "b"): -2}).energy == -2
print("".join(line for line in open("/proc/self/maps")))
"""


def output(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def needed(file):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", "--wide", file)))


class Wheel(unittest.TestCase):
    def test_pip_from_a_checkout(self):
        with tempfile.TemporaryDirectory() as folder:
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir"]
            output(*pip, "wheel", "-q", "--no-index", "--no-deps", "-w", folder, "./host/python", cwd=TOP)
            (wheel,) = pathlib.Path(folder).glob("*.whl")
            name = re.fullmatch(r"chainmail-[\d.]+-(cp\d+)-\1d?-manylinux_2_(\d+)_\w+\.whl", wheel.name)
            self.assertIsNotNone(name, wheel.name)
            output(*pip, "install", "-q", "--no-index", "--no-deps", "--target", f"{folder}/there", wheel)
            package = pathlib.Path(folder, "there/chainmail")
            files = [*package.glob("*.so"), *(package / "libs").iterdir()]
            self.assertGreater(len(files), 3)
            brought = {file.name for file in files}
            for file in files:
                self.assertLessEqual(needed(file) - brought, EXPECTED, file.name)
            used = "".join(output("readelf", "-V", file) for file in files)
            self.assertLessEqual(max(int(n) for n in re.findall(r"\bGLIBC_2\.(\d+)", used)), int(name[2]))
            # Nothing of the kind comes from the system, which a machine without it could not give.
            maps = output(sys.executable, "-c", USE, f"{folder}/there")
            mapped = {line.split()[-1] for line in maps.splitlines() if any(f"/{name}" in line for name in LIBRARIES)}
            self.assertEqual({pathlib.Path(path).name for path in mapped}, brought - {files[0].name})
            self.assertEqual([path for path in mapped if not path.startswith(folder)], [])
            with zipfile.ZipFile(wheel) as archive:
                self.assertIsNone(archive.testzip())
                self.assertIn("Requires-Dist: numpy\n", archive.read(
                    f"chainmail-{wheel.name.split('-')[1]}.dist-info/METADATA").decode())


if __name__ == "__main__":
    unittest.main()
