"""Expressions mean what numpy would make of their values; constraints are kept."""
import itertools
import os
import tempfile
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
        self.same((w @ x - 3) ** 2.0, (w @ a - 3) ** 2)
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
        self.same(x[0] * x[1] * x[3] * z, a[0] * a[1] * a[3] * c)
        self.same((x * y[0, 0] - 1) ** 3 + x * y[0, 1], (a * b[0, 0] - 1) ** 3 + a * b[0, 1])
        self.same((y.sum(axis=0) * y[1]).T * y[0, 2] * w[0] - 2, b.sum(axis=0) * b[1] * b[0, 2] * w[0] - 2)
        self.assertEqual((len(x), x.size, x.ndim, y.size, y.ndim), (4, 4, 1, 6, 2))

    def test_what_makes_no_sense(self):
        x, y = self.x, self.y
        for attempt in (lambda: x ** 5, lambda: x @ y, lambda: y @ x, lambda: x + np.ones(3), lambda: x ** 0.5,
                        lambda: x + float("nan"), lambda: x + cm.Model().binary("q"), lambda: x / 0,
                        lambda: self.model.minimize(x),
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

    def test_permutation_makes_one(self):
        model = cm.Model()
        x = model.permutation("tour", 4)
        model.maximize((np.arange(16).reshape(4, 4) ** 2 * x).sum())
        np.testing.assert_array_equal(model.solve().best[x], np.eye(4))
        twice = model.evaluate(np.ones(16))
        self.assertEqual([v.constraint for v in twice.violations],
                         [f"tour_{side}_{k}" for side in ("row", "column") for k in range(4)])

    def everything(self, seed):
        """A model with all a file can say, and what it means written out."""
        rng = np.random.default_rng(seed)
        c, w, v, u = (rng.integers(-5, 6, 5) for _ in range(4))
        pairs = np.triu(rng.integers(-4, 5, (5, 5)), 1)
        right, price, on = int(rng.integers(-3, 6)), float(rng.integers(1, 9)) / 2, int(rng.integers(2))
        model = cm.Model("everything")
        x = model.binary("x", 4)
        n = model.integer("n", lower=-2, upper=3)
        model.minimize(c[:4] @ x + c[4] * n + x @ pairs[:4, :4] @ x + (pairs[:4, 4] @ x) * n)
        model.add(w[:4] @ x + w[4] * n <= right, "soft", price=price)
        model.add(v[:4] @ x + v[4] * n == 2, "wish", price=0.5)
        model.add(u[:4] @ x + u[4] * n >= -1, "on", when=x[0] == on)
        model.add(x[1] * x[2] == 0, "apart")
        model.sos1(x[1:3], "bits")

        def cost(state):
            if state[1] * state[2] != 0 or (state[0] == on and u @ state < -1):
                return None
            return c @ state + state @ pairs @ state + price * max(0, w @ state - right) + 0.5 * abs(v @ state - 2)

        states = [np.array(state) for state in itertools.product((0, 1), (0, 1), (0, 1), (0, 1), range(-2, 4))]
        return model, states, cost

    def test_all_that_files_say_by_enumeration(self):
        for seed in range(25):
            model, states, cost = self.everything(seed)
            known = [cost(state) for state in states]
            for state, value in zip(states, known):
                told = model.evaluate(state)
                self.assertEqual(told.feasible, value is not None)
                if value is not None:
                    self.assertEqual(told.energy, value)
            best = min(value for value in known if value is not None)
            for options in ({}, {"exact": "off", **QUICK}):
                found = model.solve(**options)
                self.assertTrue(found.feasible)
                self.assertEqual(found.energy, best)
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "m.lp")
                model.write(file)
                self.assertEqual(cm.solve(file).energy, best)

    def test_sets_of_integers_and_conditions(self):
        model = cm.Model()
        n = model.integer("n", 3, lower=0, upper=4)
        on = model.binary("on")
        model.sos1(n)
        model.add(n.sum() <= 1, when=on)
        model.maximize([2, 3, 1] @ n + 2 * on)
        self.assertEqual(model.solve().best.to_dict(), {"n_0": 0, "n_1": 4, "n_2": 0, "on": 0})
        other = cm.Model().binary("x")
        for when in (other, n[0] + on, on == 2, on <= 1, 2 * on, 3, n):
            with self.subTest(str(when)), self.assertRaisesRegex(ValueError, "when: expected a binary"):
                model.add(n[0] <= 1, when=when)
        model.add(n[0] <= 1, "bad", when=n[0])
        with self.assertRaisesRegex(ValueError, "'bad'"):
            model.solve()

    def test_what_cannot_be_a_constraint(self):
        model = cm.Model()
        x = model.binary("x", 3)
        for price in (0, -1, np.inf, np.nan):
            with self.subTest(price), self.assertRaisesRegex(ValueError, "price|finite"):
                model.add(x.sum() <= 1, price=price)
        for wrong in (2 * x, x * x, x + 1, x[:2] + x[1:]):
            with self.assertRaisesRegex(ValueError, "found expressions"):
                model.sos1(wrong)
        with self.assertRaisesRegex(TypeError, "expected variables of this model"):
            model.sos1(cm.Model().binary("y", 2))
        model.add(x[0] * model.integer("n", upper=3) <= 1, "mixed")
        with self.assertRaisesRegex(ValueError, "'mixed' has a product of 'n', which is not binary"):
            model.solve()

    def test_polynomials_by_enumeration(self):
        for seed in range(12):
            rng = np.random.default_rng(seed)
            model = cm.Model()
            make, values = ((model.binary, (0, 1)), (model.spin, (-1, 1)),
                            (lambda name, n: model.integer(name, n, lower=-1, upper=2), (-1, 0, 1, 2)))[seed % 3]
            x = make("x", 4)
            f = (rng.integers(-5, 6, 4) @ x - 2) ** 2 - 3 * x[0] ** 3
            if seed < 9:
                f = f + 4 * x[0] * x[1] * x[2] * x[3] - int(rng.integers(1, 9)) * x[1] * x[2] * x[3]
            model.minimize(f)
            found = model.solve(seed=seed, **QUICK)
            self.assertEqual(found.energy, min(f.value(state) for state in itertools.product(values, repeat=4)))
            self.assertEqual(found.energy, f.value(found.best.values))
        squares = cm.Model()
        n = squares.integer("n", lower=-3, upper=5)
        squares.minimize((n - 2) ** 2)
        self.assertEqual(squares.solve(**QUICK).best.values.tolist(), [2])
        with self.assertRaisesRegex(ValueError, "at most two variables in a constraint"):
            squares.add(n * n * n <= 4)

    def test_products_in_constraints(self):
        model = cm.Model()
        x = model.binary("x", 4)
        model.maximize([5, 4, 3, 1] @ x)
        model.add(3 * x[0] * x[1] + 2 * x[1] * x[2] + x[3] <= 4, "shared")
        found = model.solve()
        self.assertTrue(found.proved)
        self.assertEqual(found.best.values.tolist(), [1, 1, 0, 1])

    def test_plain_words(self):
        model = cm.Model()
        for call, message in ((lambda: model.binary(5), "name: expected a text, not 5"),
                              (lambda: model.binary("x", 2.5), "shape: expected a whole number, not 2.5"),
                              (lambda: model.integer("x", upper="a"), "upper: expected a whole number, not 'a'"),
                              (lambda: model.integer("x", upper=2 ** 64), "upper: 18446744073709551616 is too large"),
                              (lambda: cm.Model(3), "name: expected a text, not 3"),
                              (lambda: cm.read(__file__, format=3), "format: expected a text"),
                              (lambda: cm.read(__file__, colors="a"), "colors: expected a whole number")):
            with self.subTest(message), self.assertRaisesRegex((TypeError, ValueError), message):
                call()

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
