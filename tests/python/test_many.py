"""Many problems in one call: the answers of single calls."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import chainmail as cm

CHAINMAIL = os.path.abspath(os.environ["CHAINMAIL"])
CHANGING = ("file", "seconds", "tune_seconds", "updates_per_ns", "peak_memory_kib", "problem", "device")


def detection(n, seed):
    """n symbols through a channel with noise: dense couplings and fields."""
    rng = np.random.default_rng(seed)
    channel, sent = rng.normal(size=(n, n)), rng.choice([-1, 1], n)
    received = channel @ sent + rng.normal(size=n)
    gram = channel.T @ channel
    return cm.ising(2 * np.triu(gram, 1), -2 * channel.T @ received)


def without_times(text):
    return {key: value for key, value in json.loads(text).items() if key not in CHANGING}


class Many(unittest.TestCase):
    def test_the_answers_of_single_calls(self):
        problems = [detection(n, n) for n in (4, 20, 30, 48, 60)]
        m = cm.Model()
        x = m.binary("x", 40)
        m.maximize(np.arange(1, 41) % 7 @ x)
        m.add(np.arange(1, 41) % 5 @ x <= 20, "c")
        problems += [m, problems[3], {("a", "b"): -1.0}]
        options = {"sweeps": 60, "seed": 5, "exact": "off"}
        for threads in (1, 3):
            for one, alone in zip(cm.solve_many(problems, threads=threads, **options),
                                  [cm.solve(problem, **options) for problem in problems]):
                self.assertEqual(without_times(one.json()), without_times(alone.json()))
                np.testing.assert_array_equal(one.best.values, alone.best.values)
        self.assertEqual(cm.solve_many([]), [])

    def test_options_of_all(self):
        found = cm.solve_many([detection(40, k) for k in range(6)], num_sweeps=8, num_reads=3)
        self.assertEqual([len(one.samples) for one in found], [3] * 6)
        with self.assertRaisesRegex(TypeError, "'initial' is for one problem at a time"):
            cm.solve_many([detection(4, 1)], initial=[1] * 4)
        with self.assertRaisesRegex(ValueError, "problem 1: model: constraint 'c' has a product of 'y'"):
            bad = cm.Model()
            bad.add(bad.binary("x") * bad.integer("y", upper=2) <= 0.5, "c")
            cm.solve_many([detection(4, 1), bad])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for k, n in enumerate((12, 40, 50)):
                names.append(f"p{k}.json")
                detection(n, k).write(pathlib.Path(folder, names[-1]))

            def run(*arguments):
                return subprocess.run([CHAINMAIL, "solve", *arguments], capture_output=True, text=True, cwd=folder)

            ran = run(*names, "--sweeps", "50", "--jsonl", "out.jsonl")
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            self.assertRegex(ran.stdout,
                             r"3 problems in .* per second.: 3 feasible, 0 proved optimal\nresults +out.jsonl")
            lines = pathlib.Path(folder, "out.jsonl").read_text().splitlines()
            self.assertEqual([json.loads(line)["file"] for line in lines], names)
            for name, line in zip(names, lines):
                alone = run(name, "--sweeps", "50", "--json", "-", "-q")
                self.assertEqual(without_times(line), without_times(alone.stdout))

            pathlib.Path(folder, "bad.json").write_text("{\n}\n")
            ran = run(names[0], "bad.json", "none.json", "--jsonl", "-")
            told = [json.loads(line) for line in ran.stdout.splitlines()]
            self.assertEqual(ran.returncode, 1)
            self.assertTrue(told[0]["proved"])
            self.assertRegex(told[1]["error"], r"bad.json:\d+: ")
            self.assertRegex(told[2]["error"], "none.json")
            for arguments, message in ((names, "several files need --jsonl"),
                                       ([*names, "--jsonl", "o", "--json", "-"], "--jsonl and --json exclude"),
                                       ([*names, "--jsonl", "o", "--clamp", "0=1"], "--jsonl and --clamp exclude"),
                                       ([*names, "--jsonl", "o", "--trials", "1/3"], "I/N exclude"),
                                       ([*names, "--jsonl", names[1]], "would overwrite the input")):
                ran = run(*arguments)
                self.assertEqual(ran.returncode, 2)
                self.assertIn(message, ran.stderr)


if __name__ == "__main__":
    unittest.main()
