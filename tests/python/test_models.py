"""Expressions mean what numpy would make of their values; constraints are kept."""
import itertools
import unittest

import numpy as np
import scipy.sparse

import chainmail as cm

QUICK = {"sweeps": 300, "threads": 1}


class Expressions(unittest.TestCase):
    def setUp(self):
        self.model = cm.Model()
        self.x, self.y = self.model.binary("x", 4), self.model.integer("y", (2, 3), lower=-2, upper=5)
        self.z = self.model.binary("z")
        rng = np.random.default_rng(5)
        self.values = np.concatenate([rng.integers(0, 2, 4), rng.integers(-2, 6, 6), [1]])
        self.a, self.b, self.c = self.values[:4], self.values[4:10].reshape(2, 3), self.values[10]
        self.w, self.matrix = rng.normal(size=4), rng.normal(size=(4, 4))

    def same(self, expression, expected):
        self.assertIsInstance(expression, cm.Expression)
        self.assertEqual(expression.shape, np.shape(expected))
        np.testing.assert_allclose(expression.value(self.values), expected, atol=1e-12)

    def test_arithmetic(self):
        x, y, z, a, b, c, w, q = self.x, self.y, self.z, self.a, self.b, self.c, self.w, self.matrix
        self.same(3 * x + 1, 3 * a + 1)
        self.same(w * x - 2, w * a - 2)
        self.same(2 - x / 4, 2 - a / 4)
        self.same(w @ x, w @ a)
        self.same(x @ w, a @ w)
        self.same(q @ x, q @ a)
        self.same(x @ q @ x, a @ q @ a)
        self.same(x @ scipy.sparse.csr_matrix(q) @ x, a @ q @ a)
        self.same(scipy.sparse.coo_matrix(q) @ x, q @ a)
        self.same(x @ x, a @ a)
        self.same((w @ x - 3) ** 2, (w @ a - 3) ** 2)
        self.same((x + 1) * (2 * x - z), (a + 1) * (2 * a - c))
        self.same(y * z, b * c)
        self.same(y.sum(), b.sum())
        self.same(y.sum(axis=0), b.sum(axis=0))
        self.same(y.sum(axis=-1), b.sum(axis=-1))
        self.same(y.T, b.T)
        self.same(y.reshape(3, 2), b.reshape(3, 2))
        self.same(y[1], b[1])
        self.same(y[:, ::-1], b[:, ::-1])
        self.same(x[[0, 0, 3]], a[[0, 0, 3]])
        self.same(y[0, 1] * z, b[0, 1] * c)
        self.same(y + x[:3], b + a[:3])
        self.same(-z, -c)
        self.same(sum(x), a.sum())
        self.same(np.array([[1.0], [2.0]]) * x, np.array([[1.0], [2.0]]) * a)
        self.assertEqual((len(x), x.size, x.ndim, y.size, y.ndim), (4, 4, 1, 6, 2))

    def test_what_makes_no_sense(self):
        x, y = self.x, self.y
        for attempt in (lambda: x * x * x, lambda: x @ y, lambda: y @ x, lambda: x + np.ones(3), lambda: x ** 3,
                        lambda: x + float("nan"), lambda: x + cm.Model().binary("q"), lambda: x / 0,
                        lambda: self.model.minimize(x), lambda: self.model.add(x @ x <= 3),
                        lambda: self.model.binary("n", -1), lambda: self.model.binary("n", 1 << 40),
                        lambda: self.model.integer("n", lower=3, upper=2),
                        lambda: self.model.minimize(cm.Model().binary("q")),
                        lambda: self.model.add(cm.Model().binary("q") <= 1)):
            with self.assertRaises(ValueError):
                attempt()
        for attempt in (lambda: x + "a", lambda: x * 1j, lambda: bool(x <= 1), lambda: 0 <= x[0] <= 1,
                        lambda: len(self.z), lambda: self.model.add(True), lambda: x != 1, lambda: {x: 1},
                        lambda: self.model.binary("n", 1.5)):
            with self.assertRaises(TypeError):
                attempt()

    def test_objectives_by_enumeration(self):
        rng = np.random.default_rng(8)
        for kind, values in (("binary", (0, 1)), ("spin", (-1, 1))):
            q, w = rng.integers(-5, 6, (7, 7)), rng.integers(-5, 6, 7)
            model = cm.Model()
            v = getattr(model, kind)("v", 7)
            model.minimize(v @ v)  # replaced by the next
            model.maximize(v @ q @ v + w @ v + 4)
            found = model.solve(**QUICK)
            best = max(s @ q @ s + w @ s + 4 for s in map(np.array, itertools.product(values, repeat=7)))
            self.assertEqual(found.energy, best)
            self.assertEqual(model.evaluate(found.best.values).energy, best)


class Constraints(unittest.TestCase):
    def test_all_relations(self):
        model = cm.Model()
        x = model.integer("x", 3, lower=-4, upper=9)
        model.minimize(x.sum())
        model.add(x[0] >= 2, "least")
        model.add(2 * x[1] + 1 == 7, "exactly")
        model.add(5 >= -x[2] + 3, "turned")
        model.add(x <= 8, "all")
        found = model.solve(**QUICK)
        self.assertTrue(found.feasible)
        self.assertEqual(found.violations, [])
        np.testing.assert_array_equal(found.best.values, [2, 3, -2])
        wrong = model.evaluate([1, 3, 9])
        self.assertFalse(wrong.feasible)
        rows = {v.constraint: v for v in wrong.violations}
        self.assertEqual(set(rows), {"least", "all_2"})
        self.assertEqual((rows["least"].left, rows["least"].relation, rows["least"].right), (1, ">=", 2))
        self.assertEqual(rows["all_2"].amount, 1)
        self.assertIsInstance(x[0] <= 1, cm.Constraint)
        self.assertIn("Constraint", repr(x[0] <= 1))

    def test_a_permutation(self):
        cost = np.random.default_rng(2).integers(1, 50, (5, 5))
        model = cm.Model()
        x = model.binary("x", (5, 5))
        model.minimize((cost * x).sum())
        model.add(x.sum(axis=0) == 1, "column")
        model.add(x.sum(axis=1) == 1, "row")
        found = model.solve(**QUICK)
        best = min(sum(cost[i, p[i]] for i in range(5)) for p in itertools.permutations(range(5)))
        self.assertEqual(found.energy, best)
        self.assertEqual(found.best[x].sum(), 5)
        self.assertEqual(found.best["x_0_1"], found.best[x][0, 1])
        self.assertEqual(model.labels[1], "x_0_1")
        self.assertEqual(repr(model), "<Model: 25 variables, constrained>")

    def test_impossible_ones_are_told(self):
        model = cm.Model()
        x = model.binary("x", 2)
        model.minimize(x.sum())
        model.add(x.sum() >= 3, "too many")
        found = model.solve(**QUICK)
        self.assertFalse(found.feasible)
        self.assertEqual(found.violations[0].constraint, "too many")
        self.assertTrue(found.notes)

    def test_without_an_objective(self):
        model = cm.Model()
        x = model.binary("x", 3)
        model.minimize(0)
        model.add(x.sum() == 2)
        self.assertEqual(model.solve(**QUICK).best.values.sum(), 2)

    def test_nothing_at_all(self):
        with self.assertRaisesRegex(ValueError, "at least one variable"):
            cm.Model().solve()
        spins = cm.Model()
        s = spins.spin("s", 2)
        with self.assertRaisesRegex(ValueError, "cannot have constraints"):
            spins.add(s.sum() <= 0)


if __name__ == "__main__":
    unittest.main()
