"""chainmail.dimod on a double of dimod that follows its documentation (double/dimod.py)."""
import itertools
import os
import subprocess
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "double"))
import dimod  # noqa: E402  the double

from chainmail.dimod import ChainmailCQMSampler, ChainmailSampler  # noqa: E402

QUICK = {"sweeps": 200, "threads": 1}


class Unconstrained(unittest.TestCase):
    def setUp(self):
        self.sampler = ChainmailSampler()

    def test_it_is_a_sampler(self):
        self.assertIsInstance(self.sampler, dimod.Sampler)
        for name in ("num_reads", "seed", "initial_states", "beta_range"):
            self.assertEqual(self.sampler.parameters[name], [])
        self.assertTrue(self.sampler.properties["devices"])

    def test_ising_and_qubo(self):
        found = self.sampler.sample_ising({"a": -0.5, "c": 0.0}, {("a", "b"): 1.0}, **QUICK)
        self.assertEqual(found.vartype, dimod.SPIN)
        self.assertEqual(found.first.energy, -1.5)
        self.assertEqual((found.first.sample["a"], found.first.sample["b"]), (1, -1))
        self.assertEqual(set(found.variables), {"a", "b", "c"})
        self.assertEqual(self.sampler.sample_ising([1.0, 2.0], {}, **QUICK).first.energy, -3.0)
        found = self.sampler.sample_qubo({("x", "x"): -1, ("x", ("y", 1)): 2}, **QUICK)
        self.assertEqual((found.vartype, found.first.energy), (dimod.BINARY, -1.0))
        self.assertEqual(found.first.sample, {"x": 1, ("y", 1): 0})

    def test_energies_by_enumeration(self):
        rng = np.random.default_rng(6)
        for vartype, values in ((dimod.SPIN, (-1, 1)), (dimod.BINARY, (0, 1))):
            bqm = dimod.BinaryQuadraticModel({i: rng.normal() for i in range(8)},
                                             {(i, j): rng.normal() for i in range(8) for j in range(i)}, 1.5, vartype)
            states = list(itertools.product(values, repeat=8))
            exact = bqm.energies((states, bqm.variables)).min()
            found = self.sampler.sample(bqm, num_reads=5, seed=3, **QUICK)
            self.assertEqual(len(found), 5)
            self.assertAlmostEqual(found.first.energy, exact, places=9)
            self.assertEqual(found.info["stopped_by"], "sweeps")
            again = self.sampler.sample(bqm, num_reads=5, seed=3, **QUICK)
            np.testing.assert_array_equal(found.record.sample, again.record.sample)

    def test_initial_states(self):
        bqm = dimod.BinaryQuadraticModel.from_ising({}, {(i, (i + 1) % 30): -1.0 for i in range(30)})
        state = {v: 1 for v in bqm.variables}
        for states in (state, [state], (np.ones((1, 30)), list(range(30)))):
            found = self.sampler.sample(bqm, initial_states=states, sweeps=2, threads=1)
            self.assertEqual(found.first.energy, -30.0)
        with self.assertRaisesRegex(ValueError, "one state"):
            self.sampler.sample(bqm, initial_states=[state, state])

    def test_beta_range(self):
        bqm = dimod.BinaryQuadraticModel({"a": 1.0}, {("a", "b"): -1.5}, 0.0, dimod.BINARY)
        found = self.sampler.sample(bqm, beta_range=[0.2, 1.0], num_reads=8000, threads=1)
        self.assertEqual(len(found), 8000)
        states = [(0, 0), (0, 1), (1, 0), (1, 1)]
        weight = np.exp(-bqm.energies((states, ["a", "b"])))
        share = np.bincount(found.record.sample @ [2, 1], minlength=4) / 8000
        np.testing.assert_allclose(share, weight / weight.sum(), atol=0.03)
        with self.assertRaisesRegex(ValueError, "exclude"):
            self.sampler.sample(bqm, beta_range=[0.1, 1.0], initial_states={"a": 1, "b": 1})

    def test_edges(self):
        empty = self.sampler.sample(dimod.BinaryQuadraticModel({}, {}, 0.0, dimod.SPIN))
        self.assertEqual(len(empty), 0)
        with self.assertRaisesRegex(ValueError, "num_reads"):
            self.sampler.sample_ising({"a": 1.0}, {}, num_reads=0)
        with self.assertRaises(TypeError):
            self.sampler.sample_ising({"a": 1.0}, {}, no_such_parameter=1)


class Polynomials(unittest.TestCase):
    def setUp(self):
        self.sampler = ChainmailSampler()

    def test_it_is_a_poly_sampler(self):
        self.assertIsInstance(self.sampler, dimod.PolySampler)
        found = self.sampler.sample_hising({"a": -1.0}, {("a", "b", ("c", 1)): 2.0, ("a", "b"): 0.5}, **QUICK)
        self.assertEqual((found.vartype, found.first.energy), (dimod.SPIN, -3.5))
        self.assertEqual(found.first.sample, {"a": 1, "b": -1, ("c", 1): 1})
        found = self.sampler.sample_hubo({("a",): 1, ("a", "b", "c", 4): -3, (): 2}, num_reads=3, seed=2, **QUICK)
        self.assertEqual((found.vartype, found.first.energy, len(found)), (dimod.BINARY, 0.0, 3))
        self.assertEqual(found.first.sample, {"a": 1, "b": 1, "c": 1, 4: 1})

    def test_by_enumeration(self):
        for seed in range(20):
            rng = np.random.default_rng(seed)
            vartype, values = ((dimod.SPIN, (-1, 1)), (dimod.BINARY, (0, 1)))[seed % 2]
            terms = {tuple(rng.choice(7, rng.integers(0, 5), replace=False).tolist()): float(rng.integers(-9, 10)) / 4
                     for _ in range(25)}
            terms.update({(v,): 0.25 for v in range(7)})
            poly = dimod.BinaryPolynomial(terms, vartype)
            states = np.array(list(itertools.product(values, repeat=7)))
            energies = poly.energies((states, list(range(7))))
            found = self.sampler.sample_poly(poly, seed=seed, **QUICK)
            self.assertEqual(found.first.energy, energies.min())
            start = dict(enumerate(states[energies.argmin()].tolist()))
            self.assertEqual(self.sampler.sample_poly(poly, initial_states=start, sweeps=1).first.energy, energies.min())

    def test_beta_range(self):
        for vartype, values in ((dimod.SPIN, (-1, 1)), (dimod.BINARY, (0, 1))):
            poly = dimod.BinaryPolynomial({"abc": 1.5, "a": -0.5, "bc": 0.25}, vartype)
            found = self.sampler.sample_poly(poly, beta_range=[0.2, 1.0], num_reads=8000, threads=1)
            states = np.array(list(itertools.product(values, repeat=3)))
            weight = np.exp(-poly.energies((states, list("abc"))))
            share = np.bincount((found.record.sample > 0) @ [4, 2, 1], minlength=8) / 8000
            np.testing.assert_allclose(share, weight / weight.sum(), atol=0.03)

    def test_edges(self):
        self.assertEqual(len(self.sampler.sample_poly(dimod.BinaryPolynomial({(): 3.0}, dimod.SPIN))), 0)
        with self.assertRaisesRegex(ValueError, "num_reads"):
            self.sampler.sample_hubo({("a", "b", "c"): 1.0}, num_reads=0)


class Constrained(unittest.TestCase):
    def model(self):
        cqm = dimod.ConstrainedQuadraticModel()
        for v in "abc":
            cqm.add_variable(dimod.BINARY, v)
        cqm.add_variable(dimod.INTEGER, "n", -1, 7)
        cqm.objective = dimod.Quadratic({"a": -5, "b": -4, "c": -3, "n": 1}, {("a", "c"): -2}, 10.0)
        cqm.constraints["capacity"] = dimod.Comparison(dimod.Quadratic({"a": 2, "b": 3, "c": 1}), dimod.Sense.Le, 4)
        cqm.constraints[("least", 1)] = dimod.Comparison(dimod.Quadratic({"n": 2}, {}, 1.0), dimod.Sense.Ge, 6)
        cqm.constraints["same"] = dimod.Comparison(dimod.Quadratic({"a": 1, "c": -1}), dimod.Sense.Eq, 0)
        return cqm

    def test_feasible_first_and_labelled(self):
        found = ChainmailCQMSampler().sample_cqm(self.model(), time_limit=0.3, solutions=4)
        self.assertEqual(found.first.sample, {"a": 1, "b": 0, "c": 1, "n": 3})
        self.assertEqual(found.first.energy, 3.0)
        self.assertEqual(found.info["constraint_labels"], ["capacity", ("least", 1), "same"])
        self.assertEqual(found.record.is_satisfied.shape, (len(found), 3))
        self.assertTrue(found.record.is_feasible[0])
        feasible = found.record.is_feasible.tolist()
        self.assertEqual(feasible, sorted(feasible, reverse=True))
        self.assertEqual(ChainmailCQMSampler().parameters["time_limit"], [])
        self.assertTrue(ChainmailCQMSampler().properties["devices"])

    def test_impossible_ones_say_which(self):
        cqm = self.model()
        cqm.constraints["never"] = dimod.Comparison(dimod.Quadratic({"a": 1, "b": 1}), dimod.Sense.Ge, 3)
        found = ChainmailCQMSampler().sample_cqm(cqm, num_reads=2, seed=5, sweeps=100)
        self.assertFalse(found.record.is_feasible.any())
        self.assertFalse(found.record.is_satisfied[0, 3])

    def test_soft_constraints_products_and_spins(self):
        # Every model of the four variables, the penalty of the soft constraint added by hand.
        for seed in range(12):
            rng = np.random.default_rng(seed)
            cqm = dimod.ConstrainedQuadraticModel()
            for label, kind in (("s", dimod.SPIN), ("t", dimod.SPIN), ("a", dimod.BINARY), ("b", dimod.BINARY)):
                cqm.add_variable(kind, label)
            pairs = list(itertools.combinations("stab", 2))
            cqm.objective = dimod.Quadratic(dict(zip("stab", rng.integers(-9, 9, 4))),
                                            dict(zip(pairs, rng.integers(-9, 9, 6))), 3.0)
            soft = dimod.Quadratic(dict(zip("stab", rng.integers(-4, 5, 4))), {}, 1.0)
            soft.soft = (1.5, "linear")
            cqm.constraints["soft"] = dimod.Comparison(soft, dimod.Sense.Le, 0)
            cqm.constraints["never both"] = dimod.Comparison(dimod.Quadratic({}, {("a", "b"): 2}), dimod.Sense.Eq, 0)
            rows = np.array([state for state in itertools.product((-1, 1), (-1, 1), (0, 1), (0, 1))
                             if state[2] * state[3] == 0])
            def cost(these):
                missed = np.maximum(0, soft.energies((these, list("stab"))))
                return cqm.objective.energies((these, list("stab"))) + 1.5 * missed
            found = ChainmailCQMSampler().sample_cqm(cqm, initial_states={"s": -1, "t": 1, "a": 0, "b": 0})
            first = found.first.sample
            self.assertEqual(cost(np.array([[first[v] for v in "stab"]]))[0], cost(rows).min())

    def test_initial_states(self):
        start = {"a": 1, "b": 0, "c": 1, "n": 3}
        found = ChainmailCQMSampler().sample_cqm(self.model(), sweeps=1, initial_states=start)
        self.assertEqual(found.first.energy, 3.0)

    def test_what_it_does_not_take(self):
        cqm = self.model()
        cqm.add_variable(dimod.REAL, "r", 0.0, 1.0)
        with self.assertRaisesRegex(ValueError, "'r': expected BINARY, SPIN or INTEGER, found REAL"):
            ChainmailCQMSampler().sample_cqm(cqm)
        for sense, right, linear in ((dimod.Sense.Le, 1, {}), (dimod.Sense.Ge, 0, {}), (dimod.Sense.Le, 0, {"a": 1})):
            cqm = self.model()
            cqm.constraints["q"] = dimod.Comparison(dimod.Quadratic(linear, {("a", "b"): 1}), sense, right)
            with self.assertRaisesRegex(ValueError, "'q': expected a linear one, or products"):
                ChainmailCQMSampler().sample_cqm(cqm)
        cqm.constraints["q"].lhs.soft = (1.0, "quadratic")
        with self.assertRaisesRegex(ValueError, "'q': expected the penalty 'linear', found 'quadratic'"):
            ChainmailCQMSampler().sample_cqm(cqm)
        with self.assertRaisesRegex(ValueError, "num_reads"):
            ChainmailCQMSampler().sample_cqm(self.model(), num_reads=0)


class Absent(unittest.TestCase):
    def test_without_dimod_the_rest_works(self):
        program = ("import sys, chainmail\nassert 'dimod' not in sys.modules\n"
                   "sys.modules['dimod'] = None\n"
                   "try:\n    import chainmail.dimod\nexcept ImportError as e:\n    print(e)\n")
        out = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
        self.assertEqual(out, "chainmail.dimod needs the package dimod\n")


if __name__ == "__main__":
    unittest.main()
