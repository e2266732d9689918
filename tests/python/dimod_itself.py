"""chainmail.dimod on dimod itself, where it is installed: the tests that dimod has for samplers, polynomials and
constrained models beside its exact solvers, its composites, and its files."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import dimod
import dimod.serialization.coo
import dimod.testing
import numpy as np

from chainmail.dimod import ChainmailCQMSampler, ChainmailSampler

CHAINMAIL = os.path.abspath(os.environ["CHAINMAIL"])


class Quick(ChainmailSampler):
    def sample(self, bqm, **parameters):
        return super().sample(bqm, **{"sweeps": 200, "threads": 1, **parameters})


def polynomial(rng, vartype):
    return dimod.BinaryPolynomial({tuple(rng.choice(7, rng.integers(0, 5), replace=False).tolist()):
                                   float(rng.integers(-9, 10)) / 4 for _ in range(20)}, vartype)


@dimod.testing.load_sampler_bqm_tests(Quick)
class Samplers(unittest.TestCase):
    def test_its_interface(self):
        dimod.testing.assert_sampler_api(ChainmailSampler())
        self.assertIsInstance(ChainmailSampler(), dimod.PolySampler)

    def test_polynomials_beside_the_exact_solver(self):
        rng = np.random.default_rng(1)
        for k in range(30):
            poly = polynomial(rng, ("SPIN", "BINARY")[k % 2])
            found = ChainmailSampler().sample_poly(poly, sweeps=200, num_reads=3, seed=1)
            dimod.testing.assert_sampleset_energies(found, poly)
            self.assertEqual(found.first.energy, dimod.ExactPolySolver().sample_poly(poly).first.energy)
            self.assertIs(found.vartype, poly.vartype)
        hubo = {("a", "b", "c"): -3, ("a",): 1}
        found = ChainmailSampler().sample_hubo(hubo, sweeps=100)
        dimod.testing.assert_sampleset_energies(found, dimod.BinaryPolynomial.from_hubo(hubo))
        found = ChainmailSampler().sample_hising({"a": 1.0}, {("a", "b", "c"): -3}, sweeps=100)
        self.assertEqual(found.first.energy, -4)

    def test_its_composites(self):
        sampler, poly = ChainmailSampler(), dimod.BinaryPolynomial({"abc": -3.0, "a": 1}, "SPIN")
        for composite, more in ((dimod.PolyFixedVariableComposite(sampler), {"fixed_variables": {"a": -1}}),
                                (dimod.PolyScaleComposite(sampler), {"scalar": 0.5}),
                                (dimod.PolyTruncateComposite(sampler, 2), {"num_reads": 5}),
                                (dimod.HigherOrderComposite(sampler), {})):
            self.assertEqual(composite.sample_poly(poly, sweeps=300, **more).first.energy, -4)
        bqm = dimod.generators.gnp_random_bqm(10, 0.5, "BINARY", random_state=1)
        best = dimod.ExactSolver().sample(bqm).first.energy
        for composite in (dimod.TrackingComposite(sampler), dimod.TruncateComposite(sampler, 1)):
            self.assertAlmostEqual(composite.sample(bqm, sweeps=200).first.energy, best)


class Constrained(unittest.TestCase):
    def test_beside_the_exact_solver(self):
        rng = np.random.default_rng(2)
        for seed in range(12):
            cqm = dimod.ConstrainedQuadraticModel()
            s, n = dimod.Spin("s"), dimod.Integer("n", lower_bound=-2, upper_bound=4)
            x = [dimod.Binary(f"x{k}") for k in range(5)]
            costs = sum(int(rng.integers(-9, 9)) * v for v in x)
            cqm.set_objective(costs + 3 * x[0] * x[1] - 2 * n + 2 * s * x[2] + 1.5)
            cqm.add_constraint(sum(int(rng.integers(1, 9)) * v for v in x) + n <= 10, label="room")
            cqm.add_constraint(x[0] + x[3] + n >= 1, label=("least", 1))
            cqm.add_constraint(x[3] * x[4] == 0, label="pair")
            cqm.add_constraint(n - 2 * s <= 1, label="soft", weight=2.5, penalty="linear")
            if seed % 2:
                cqm.add_discrete(["x1", "x2"], label="either")

            def cost(sample):  # dimod's exact solver leaves the penalty out
                return cqm.objective.energy(sample) + 2.5 * max(0, sample["n"] - 2 * sample["s"] - 1)

            exact = dimod.ExactCQMSolver().sample_cqm(cqm)
            labels = exact.info["constraint_labels"]
            best = min(cost(row.sample) for row in exact.data(fields=["sample", "is_satisfied"])
                       if all(holds for label, holds in zip(labels, row.is_satisfied) if label != "soft"))
            found = ChainmailCQMSampler().sample_cqm(cqm, time_limit=1, solutions=3)
            self.assertAlmostEqual(cost(found.first.sample), best)
            self.assertEqual(found.info["constraint_labels"], list(cqm.constraints))


class Files(unittest.TestCase):
    """What dimod writes for others is read; its own files are refused with a word that helps."""

    def solve(self, name, folder):
        return subprocess.run([CHAINMAIL, "solve", name], cwd=folder, capture_output=True, text=True, check=False)

    def test_coo_lp_and_its_own(self):
        bqm = dimod.BinaryQuadraticModel({0: 1.5, 1: -2.0}, {(0, 1): 3.0, (1, 2): -1.25}, 0.0, "BINARY")
        x, y = dimod.Binaries(["x", "y"])
        cqm = dimod.ConstrainedQuadraticModel()
        cqm.set_objective(-3 * x - 2 * y + x * y)
        cqm.add_constraint(x + 2 * y <= 2, label="room")
        with tempfile.TemporaryDirectory() as folder:
            for vartype in ("BINARY", "SPIN"):
                model = bqm.change_vartype(vartype, inplace=False)
                model.offset = 0.0  # COO has none
                with open(pathlib.Path(folder, "m.coo"), "w") as file:
                    dimod.serialization.coo.dump(model, file, vartype_header=True)
                told = self.solve("m.coo", folder)
                best = dimod.ExactSolver().sample(model).first.energy
                self.assertRegex(told.stdout, rf"(?m)^ *\w+ +{best:g}$", told.stderr)
            with open(pathlib.Path(folder, "m.lp"), "w") as file:
                dimod.lp.dump(cqm, file)
            self.assertRegex(self.solve("m.lp", folder).stdout, r"(?m)^ *\w+ +-3$")
            for model, name in ((bqm, "m.bqm"), (cqm, "m.cqm")):
                pathlib.Path(folder, name).write_bytes(model.to_file().read())
                told = self.solve(name, folder)
                self.assertEqual(told.returncode, 1)
                self.assertRegex(told.stderr, rf"{name}: it is a file of dimod: .* chainmail.dimod in Python")


if __name__ == "__main__":
    unittest.main()
