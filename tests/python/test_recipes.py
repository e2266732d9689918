"""Every block of docs/python.md, and the README's, runs as written and prints what is below it."""
import contextlib
import io
import os
import pathlib
import re
import sys
import tempfile
import unittest

import matplotlib

matplotlib.use("Agg")

HERE = pathlib.Path(__file__).resolve().parent
PAGE = pathlib.Path(os.environ.get("PAGE", HERE.parents[1] / "docs/python.md"))
README = HERE.parents[1] / "README.md"
PICTURES = os.environ.get("PICTURES")  # a folder to keep the pictures in, for the page
sys.path.insert(0, str(HERE / "double"))  # dimod

BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n?^```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


class Recipes(unittest.TestCase):
    maxDiff = None

    def test_as_written(self):
        blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
        self.assertEqual(len(blocks), 10)
        if README.is_file():  # not where a wheel is tried
            blocks += BLOCK.findall(README.read_text(encoding="utf-8"))
            self.assertEqual(len(blocks), 11)
        pictures = set()
        start = os.getcwd()
        for number, (code, expected) in enumerate(blocks):
            with self.subTest(code.splitlines()[0]), tempfile.TemporaryDirectory() as folder:
                out = io.StringIO()
                os.chdir(folder)
                try:
                    with contextlib.redirect_stdout(out):
                        exec(compile(code, f"recipe {number}", "exec"), {"__name__": "recipe"})
                    for picture in pathlib.Path(folder).glob("*.png"):
                        self.assertGreater(picture.stat().st_size, 5000)
                        pictures.add(picture.name)
                        if PICTURES:
                            pathlib.Path(start, PICTURES, "python_" + picture.name).write_bytes(picture.read_bytes())
                finally:
                    os.chdir(start)
                self.assertEqual(out.getvalue(), expected)
        self.assertEqual(pictures, set(re.findall(r"images/python_(\w+\.png)", PAGE.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    unittest.main()
