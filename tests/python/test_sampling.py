"""Samples, by enumeration: moments, counts, chains that go on, fixed variables. A case whose bound is z standard
errors fails by chance as often as a normal variable passes z: five sigma, times the numbers compared, below 1e-4."""
import itertools
import unittest

import numpy as np

import chainmail as cm

RNG = np.random.default_rng(11)
J, H = np.triu(RNG.normal(size=(6, 6)), 1) / 2, RNG.normal(size=6) / 3
STATES = np.array(list(itertools.product([-1, 1], repeat=6)))


def exact(J, h, beta, states=STATES):
    weight = np.exp(-beta * (np.einsum("si,ij,sj->s", states, J, states) + states @ h))
    return weight / weight.sum()


def first_order(rho, n, seed):
    """A Gaussian series with autocorrelation rho ** lag: its time is (1 + rho) / (1 - rho)."""
    noise = np.random.default_rng(seed).normal(size=n)
    series = np.zeros(n)
    for k in range(1, n):
        series[k] = rho * series[k - 1] + np.sqrt(1 - rho * rho) * noise[k]
    return series


class Moments(unittest.TestCase):
    def compare(self, drawn, p, states=STATES):
        """Every moment within five standard errors of its own effective size."""
        edges = [(i, j) for i in range(6) for j in range(i + 1, 6) if J[i, j]]
        self.assertEqual([tuple(edge) for edge in drawn.edges], edges)
        observables = [(drawn.means[i], drawn.values[:, i], states[:, i]) for i in range(6)]
        observables += [(value, drawn.values[:, i] * drawn.values[:, j], states[:, i] * states[:, j])
                        for value, (i, j) in zip(drawn.correlations, edges)]
        for value, of, told in observables:
            error = np.sqrt(max(0.0, 1.0 - (p @ told) ** 2) / drawn.effective_size(of))
            self.assertLessEqual(abs(value - p @ told), 5 * error + 1e-12)

    def test_against_enumeration(self):
        drawn = cm.sample(cm.ising(J, H), beta=[0.5, 1.0], chains=3, samples=6000, sweeps=2, threads=1)
        self.assertEqual(len(drawn.at(1.0).energy), 18000)
        self.assertEqual(set(drawn.at(1.0).replica), {3, 4, 5})
        for beta in (0.5, 1.0):
            self.compare(drawn.at(beta), exact(J, H, beta))
        with self.assertRaisesRegex(ValueError, "one beta"):
            drawn.means
        with self.assertRaisesRegex(ValueError, "no samples at beta 2"):
            drawn.at(2)
        self.assertRegex(repr(drawn), "^Samples.36000 rows of 6 variables, 6 replicas, beta 0.5 to 1, energy .*")

    def test_counts(self):
        drawn = cm.sample(cm.ising(J, H), samples=20000, sweeps=3, threads=1)
        states, counts = drawn.counts
        self.assertEqual(counts.sum(), 20000)
        share = {tuple(state): count / 20000 for state, count in zip(states, counts)}
        for state, p in zip(STATES, exact(J, H, 1.0)):
            self.assertLess(abs(share.get(tuple(state), 0.0) - p), 5 * np.sqrt(2 * p / 20000) + 1e-4)

    def test_fixed_variables_condition_the_rest(self):
        rest = STATES[(STATES[:, 1] == 1) & (STATES[:, 4] == -1)]
        drawn = cm.sample(cm.ising(J, H), fixed={1: 1, 4: -1}, samples=10000, sweeps=3, threads=1)
        self.compare(drawn, exact(J, H, 1.0, rest), rest)
        self.assertEqual((set(drawn.values[:, 1]), set(drawn.values[:, 4])), ({1}, {-1}))
        for fixed, message in (({9: 1}, "no variable 9"), ({0: 0}, "is -1 or 1, not 0"), ({0: 0.5}, "whole values"),
                               (dict.fromkeys(range(6), 1), "one variable that is free")):
            with self.subTest(fixed), self.assertRaisesRegex(ValueError, message):
                cm.sample(cm.ising(J, H), fixed=fixed)
        with self.assertRaisesRegex(TypeError, "expected a dict"):
            cm.sample(cm.ising(J, H), fixed=[1])


class Sizes(unittest.TestCase):
    def made(self, series, replicas=1):
        rows = len(series)
        return cm.Samples(np.ones(rows), np.zeros(rows), np.zeros((rows, 1)), series, np.zeros(rows), ["a"],
                          np.arange(rows) % replicas, np.zeros((0, 2)))

    def test_a_known_autocorrelation(self):
        for rho, seed in ((0.0, 1), (0.5, 2), (0.9, 3)):
            drawn = self.made(first_order(rho, 200000, seed))
            time = (1 + rho) / (1 - rho)
            self.assertAlmostEqual(drawn.autocorrelation_time() / time, 1.0, delta=0.1)
            self.assertAlmostEqual(drawn.effective_size() * time / 200000, 1.0, delta=0.1)

    def test_replicas_that_swap_count_once(self):
        # Two chains that change places in every round: each place alone seems to forget faster than they do.
        a, b = first_order(0.9, 100000, 4), first_order(0.9, 100000, 5)
        turn = np.arange(100000) % 2 == 0
        both = np.stack([np.where(turn, a, b), np.where(turn, b, a)], axis=1).reshape(-1)
        drawn = self.made(both, 2)
        self.assertAlmostEqual(drawn.effective_size() * 19 / 200000, 1.0, delta=0.1)
        # Two replicas that are one and the same.
        self.assertAlmostEqual(self.made(np.repeat(a, 2), 2).effective_size() * 19 / 100000, 1.0, delta=0.1)

    def test_what_has_no_size(self):
        self.assertEqual(self.made(np.zeros(50)).effective_size(), 50)
        self.assertEqual(self.made(np.zeros(50)).autocorrelation_time(), 1)
        with self.assertRaisesRegex(ValueError, "two rounds"):
            self.made(np.zeros(3), 2).effective_size()
        with self.assertRaisesRegex(ValueError, "expected 50 numbers"):
            self.made(np.zeros(50)).effective_size(np.zeros(7))


class Chains(unittest.TestCase):
    def test_steps_go_on_where_the_last_ended(self):
        # So cold that a state stays: what one step ends with, the next begins with.
        for seed in range(5):
            chains = cm.Sampler(cm.ising(J, H), beta=60.0, chains=16, warmup=0, sweeps=1, threads=1, seed=seed)
            self.assertEqual(len(chains.states), 0)
            first = chains.step(20)
            self.assertGreater(len(np.unique(first.values[-16:], axis=0)), 1)  # in several valleys
            np.testing.assert_array_equal(chains.states, first.values[-16:])
            second = chains.step(20)
            self.assertEqual(sorted(map(tuple, second.values[-16:])), sorted(map(tuple, first.values[-16:])))

    def test_many_short_steps_have_the_distribution_of_a_long_one(self):
        chains = cm.Sampler(cm.ising(J, H), chains=20, warmup=50, sweeps=2, threads=1)
        values = np.concatenate([chains.step(5).values for _ in range(300)])
        p = exact(J, H, 1.0)
        for i in range(6):
            error = np.sqrt((1 - (p @ STATES[:, i]) ** 2) * 3 / len(values))
            self.assertLess(abs(values[:, i].mean() - p @ STATES[:, i]), 5 * error)

    def test_other_noise_in_every_step_and_the_same_again(self):
        def run():
            chains = cm.Sampler(cm.ising(J, H), chains=4, seed=7)
            return [chains.step(10).values for _ in range(3)]

        once, again = run(), run()
        np.testing.assert_array_equal(once, again)
        self.assertFalse(np.array_equal(once[0], once[1]))
        np.testing.assert_array_equal(once[0], cm.sample(cm.ising(J, H), chains=4, seed=7, samples=10).values)

    def test_a_model_that_changes(self):
        chains = cm.Sampler(cm.ising(np.zeros((6, 6)), np.full(6, 5.0)), chains=8)
        self.assertTrue(np.all(chains.step(1).values == -1))
        chains.update(cm.ising(np.zeros((6, 6)), np.full(6, -5.0)))
        self.assertTrue(np.all(chains.step(1).values == 1))
        with self.assertRaisesRegex(ValueError, "same variables"):
            chains.update(cm.ising(np.zeros((5, 5))))

    def test_starts(self):
        frozen = {"beta": 200.0, "warmup": 0, "samples": 1, "sweeps": 1}
        up = np.ones(6, int)
        drawn = cm.sample(cm.ising(-np.triu(np.ones((6, 6)), 1)), initial=up, chains=5, **frozen)
        np.testing.assert_array_equal(drawn.values, np.tile(up, (5, 1)))
        m = cm.Model()
        n = m.integer("n", 2, lower=-2, upper=9)
        m.add(n.sum() <= 11, "c")
        m.minimize(-5 * n.sum())
        drawn = cm.sample(m, penalty=1000.0, initial={"n_0": 9, "n_1": 2}, **frozen)
        np.testing.assert_array_equal(drawn.values, [[9, 2]])
        with self.assertRaisesRegex(ValueError, "-1 and 1"):
            cm.sample(cm.ising(J), initial=np.zeros(6), **frozen)

    def test_names_of_others(self):
        self.assertEqual(len(cm.sample(cm.ising(J), num_reads=7, num_sweeps=3).energy), 7)
        with self.assertRaisesRegex(TypeError, "warmup: expected a whole number, not 'x'"):
            cm.sample(cm.ising(J), warmup="x")
        with self.assertRaises(ValueError):
            cm.Sampler(cm.ising(J)).step(0)


if __name__ == "__main__":
    unittest.main()
