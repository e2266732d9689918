"""mypy accepts package, stubs and a user's program; every public name is used in the tests; syntax of 3.9."""
import ast
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import chainmail as cm

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "double"))
PACKAGE = pathlib.Path(cm.__file__).parent

USER = '''
import chainmail as cm
m = cm.Model()
x = m.binary("x", (3, 2))
m.add(x.sum(axis=0) <= 1, "c")
m.minimize((x * x).sum())
r: cm.Result = m.solve(seed=3, time_limit=0.1, callback=lambda status: status.best)
energy: float = r.best.energy
ok: bool = r.feasible
text: str = r.violations[0].constraint
for answer in r.samples:
    answer.values
names: "list[str]" = cm.devices()
'''
WRONG = '''
import chainmail as cm
cm.solve({}, seed="one")
cm.solve({}, no_such_option=1)
number: int = cm.solve({}).stopped_by
cm.no_such_name
'''


CACHE = tempfile.TemporaryDirectory()  # reading numpy's types takes longest; once will do


def mypy(*arguments):
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
    environment.pop("LD_PRELOAD", None)
    return subprocess.run(["mypy", "--strict", "--ignore-missing-imports", "--cache-dir", CACHE.name,
                           "--python-version", "3.9", *arguments],
                          capture_output=True, text=True, env=environment)


class Types(unittest.TestCase):
    def test_the_package(self):
        checked = mypy(str(PACKAGE))
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_a_users_program(self):
        with tempfile.TemporaryDirectory() as folder:
            right, wrong = pathlib.Path(folder, "right.py"), pathlib.Path(folder, "wrong.py")
            right.write_text(USER)
            wrong.write_text(WRONG)
            checked = mypy(str(right))
            self.assertEqual(checked.returncode, 0, checked.stdout)
            checked = mypy(str(wrong))
            self.assertEqual(len(re.findall("error:", checked.stdout)), 4, checked.stdout)

    def test_stubs_have_what_the_module_has(self):
        tree = ast.parse((PACKAGE / "_chainmail.pyi").read_text())
        told = {}
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                told[node.name] = {getattr(n, "name", None) or n.target.id for n in node.body
                                   if isinstance(n, (ast.FunctionDef, ast.AnnAssign))}
            elif isinstance(node, ast.FunctionDef):
                told[node.name] = set()
            elif isinstance(node, ast.AnnAssign):
                told[node.target.id] = set()
        there = {name: value for name, value in vars(cm._chainmail).items() if not name.startswith("__")}
        self.assertEqual(set(told), set(there))
        for name, value in there.items():
            if inspect.isclass(value):
                members = {m for m in vars(value) if not m.startswith("_")}
                self.assertEqual({m for m in told[name] if not m.startswith("_")}, members, name)

    def test_syntax_of_the_oldest_python(self):
        for file in PACKAGE.glob("*.py"):
            ast.parse(file.read_text(), feature_version=(3, 9))


class Names(unittest.TestCase):
    def test_every_public_name_is_used_in_the_tests(self):
        import chainmail.dimod

        tests = "\n".join(p.read_text() for p in HERE.glob("test_*.py") if p.name != "test_names.py")
        unused = []
        for module in (cm, chainmail.dimod):
            for name in module.__all__:
                value = getattr(module, name)
                if not re.search(rf"\b{name}\b", tests):
                    unused.append(name)
                if inspect.isclass(value):
                    members = [m for m in vars(value) if not m.startswith("_") and m not in ("count", "index")]
                    unused += [f"{name}.{m}" for m in members if not re.search(rf"(\.{m}\b|\b{m}=|\"{m}\")", tests)]
                elif inspect.isfunction(value):
                    unused += [f"{name}({p})" for p in inspect.signature(value).parameters
                               if p not in ("problem", "problems", "Q", "J", "h", "graph", "file")
                               and not re.search(rf"(\b{p}=|\"{p}\")", tests)]
        self.assertEqual(unused, [])
        self.assertEqual([n for n in dir(cm) if not n.startswith("_") and n not in cm.__all__ and n != "dimod"], [])


if __name__ == "__main__":
    unittest.main()
