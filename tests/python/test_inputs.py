"""Every form of input means the same problem; errors raise a fitting exception."""
import itertools
import os
import pathlib
import tempfile
import unittest

import networkx
import numpy as np
import pandas
import scipy.sparse

import chainmail as cm

QUICK = {"sweeps": 200, "threads": 1}


def matrix(n, seed=1):
    return np.random.default_rng(seed).integers(-9, 10, (n, n)).astype(float)


def lowest(f, n, values):
    return min(f(np.array(state)) for state in itertools.product(values, repeat=n))


class Forms(unittest.TestCase):
    def test_every_form_of_a_qubo_is_the_same_problem(self):
        q = matrix(40)
        forms = [q, q.astype(np.int32), q.astype(np.int8), q.astype(np.float32), q.T, np.asfortranarray(q),
                 q.tolist(), np.triu(q) + np.tril(q, -1).T, scipy.sparse.csr_matrix(q), scipy.sparse.csc_matrix(q),
                 scipy.sparse.coo_matrix(q), scipy.sparse.lil_matrix(q),
                 getattr(scipy.sparse, "csr_array", scipy.sparse.csr_matrix)(q),  # from scipy 1.8 on
                 {(i, j): q[i, j] for i in range(40) for j in range(40)},
                 {(j, i): q[i, j] for i in range(39, -1, -1) for j in range(40)},
                 cm.qubo(q)]
        first = cm.solve(forms[0], **QUICK)
        self.assertEqual(first.energy, first.best.values @ q @ first.best.values)
        for form in forms[1:]:
            with self.subTest(type(form)):
                found = cm.solve(form, **QUICK)
                np.testing.assert_array_equal(found.best.values, first.best.values)
                self.assertEqual(found.trace_csv(), first.trace_csv())

    def test_numbers_that_lie_or_look_otherwise(self):
        q = matrix(20)
        first = cm.solve(q, **QUICK)
        shifted = np.frombuffer(b"x" + q.tobytes(), np.float64, offset=1).reshape(20, 20)
        self.assertFalse(shifted.flags.aligned)
        record = np.zeros((20, 20), [("tag", np.int8), ("q", np.float64)])
        record["q"] = q
        forms = [shifted, record["q"], q.astype(">f8"), q.astype(np.float16), q.astype(np.longdouble), q[::-1, ::-1],
                 np.matrix(q), np.ma.masked_array(q), scipy.sparse.csr_matrix(q.astype(np.longdouble))]
        backwards = first.best.values[::-1]
        for form in forms:
            with self.subTest(form.dtype):
                found = cm.solve(form, **QUICK)
                self.assertEqual(found.energy, first.energy)
                if form is not forms[5]:
                    np.testing.assert_array_equal(found.best.values, first.best.values)
        self.assertEqual(backwards @ forms[5] @ backwards, first.energy)

    def test_values_by_enumeration(self):
        q, h = matrix(10, 3), matrix(10, 4)[0]
        qubo, ising = cm.solve(q, **QUICK), cm.solve(cm.ising(q, h, offset=2.5), **QUICK)
        self.assertEqual(qubo.energy, lowest(lambda x: x @ q @ x, 10, (0, 1)))
        self.assertEqual(ising.energy, lowest(lambda s: s @ q @ s + h @ s + 2.5, 10, (-1, 1)))
        self.assertEqual(set(qubo.best.values) | {0, 1}, {0, 1})
        self.assertEqual(set(ising.best.values) | {-1, 1}, {-1, 1})
        self.assertEqual(cm.solve(cm.qubo(q, offset=-3), **QUICK).energy, qubo.energy - 3)
        sparse = cm.ising(scipy.sparse.csr_matrix(q), h, offset=2.5)
        self.assertEqual(cm.solve(sparse, **QUICK).energy, ising.energy)

    def test_labels_are_kept(self):
        found = cm.solve({("b", "a"): -2, ("a", "a"): 1, ("b", "b"): 0.5}, **QUICK)
        self.assertEqual(found.best.to_dict(), {"a": 1, "b": 1})
        self.assertEqual(list(found.best.to_dict()), ["a", "b"])
        self.assertEqual((found.best["a"], found.best["b"], found.energy), (1, 1, -0.5))
        with self.assertRaises(KeyError):
            found.best["c"]
        mixed = cm.solve({("b", 3): 1.0, ((1, 2), (1, 2)): -1.0}, **QUICK)  # cannot be sorted: as they come
        self.assertEqual(list(mixed.best.to_dict()), ["b", 3, (1, 2)])
        spins = cm.solve(cm.ising({("u", "v"): 1.0}, {"u": -0.5, "w": 1.0}), **QUICK)
        self.assertEqual(spins.best.to_dict(), {"u": 1, "v": -1, "w": -1})
        self.assertEqual(cm.ising({(0, 1): 1.0}, [1.0, 2.0, 3.0]).labels, [0, 1, 2])
        frame = pandas.DataFrame([[1, -3], [0, 1]], columns=["p", "q"], index=["p", "q"])
        self.assertEqual(cm.solve(frame, **QUICK).best.to_dict(), {"p": 1, "q": 1})

    def test_a_graph_is_its_maximum_cut(self):
        graph = networkx.petersen_graph()
        found = cm.solve(graph, **QUICK)
        self.assertEqual(found.energy, 12)
        side = found.best.to_dict()
        self.assertEqual(sum(side[u] != side[v] for u, v in graph.edges), 12)
        weighted = networkx.Graph()
        weighted.add_edge("a", "b", weight=2.0)
        weighted.add_edge("b", "c", weight=-1.0)
        weighted.add_edge("c", "c", weight=9.0)  # a loop is never cut
        self.assertEqual(cm.solve(weighted, **QUICK).energy, 2.0)
        weighted.edges["a", "b"]["w"] = 5.0
        self.assertEqual(cm.solve(cm.max_cut(weighted, weight="w"), **QUICK).energy, 6.0)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            model = cm.qubo(matrix(12))
            for name in ("p.json", "p.coo"):
                path = pathlib.Path(folder, name)
                model.write(path)
                self.assertEqual(cm.solve(path, **QUICK).energy, cm.solve(model, **QUICK).energy)
                self.assertEqual(cm.solve(str(path), **QUICK).energy, cm.solve(model, **QUICK).energy)
            knapsack = cm.Model()
            x = knapsack.binary("x", 3)
            knapsack.maximize([5, 4, 3] @ x)
            knapsack.add([2, 3, 1] @ x <= 4, "capacity")
            knapsack.write(os.path.join(folder, "k.lp"))
            again = cm.read(os.path.join(folder, "k.lp"))
            self.assertEqual(again.labels, ["x_0", "x_1", "x_2"])
            self.assertEqual(cm.solve(again, **QUICK).best.to_dict(), {"x_0": 1, "x_1": 0, "x_2": 1})
            with self.assertRaisesRegex(ValueError, ".lp"):
                knapsack.write(os.path.join(folder, "k.json"))
            graph = pathlib.Path(folder, "g.col")
            graph.write_text("p edge 3 2\ne 1 2\ne 2 3\n")
            self.assertTrue(cm.read(graph, colors=2).solve(**QUICK).feasible)
            self.assertEqual(len(cm.read(graph, format="col", colors=3)), 9)
            planted = cm.read(os.path.join(folder, "p.json"))
            self.assertIsNone(planted.known_optimum)


class Errors(unittest.TestCase):
    def refused(self, kind, problem, text="", **options):
        with self.assertRaisesRegex(kind, text):
            cm.solve(problem, **{**QUICK, **options})

    def test_arrays(self):
        self.refused(ValueError, np.zeros((2, 3)), "square")
        self.refused(ValueError, np.zeros(3), "square")
        self.refused(ValueError, np.zeros((2, 2, 2)), "square")
        self.refused(ValueError, np.zeros((0, 0)), "at least one")
        self.refused(ValueError, np.array([[np.nan]]), "finite")
        self.refused(ValueError, np.array([[0, np.inf], [-np.inf, 0]]), "finite")
        self.refused(TypeError, np.zeros((2, 2), complex), "real")
        self.refused(TypeError, np.array([["a"]]), "real")
        self.refused(TypeError, np.array([[object()]]), "real")
        self.refused(ValueError, np.triu(np.full((2, 2), 1.5e308)), "more than a double")
        self.refused(ValueError, np.ma.masked_array(np.eye(2), [[True, False], [False, False]]), "masked")
        self.refused(ValueError, pandas.DataFrame(np.eye(2), columns=["a", "b"]), "same labels")
        self.refused(ValueError, scipy.sparse.csr_matrix((2, 3)), "square")
        self.refused(ValueError, scipy.sparse.csr_matrix((1 << 30, 1 << 30)), "at most 1048576")
        self.refused(TypeError, scipy.sparse.csr_matrix(np.eye(2) * 1j), "real")
        self.refused(ValueError, scipy.sparse.coo_matrix(np.array([[np.nan]])), "finite")
        broken = scipy.sparse.csr_matrix(np.eye(3))
        broken.indices = np.array([0, 7, 2], np.int32)
        self.refused(ValueError, broken, "variable from 0 to 2")
        broken = scipy.sparse.csr_matrix(np.eye(3))
        broken.indptr = np.array([0, 1, 2, 99], np.int32)
        self.refused(ValueError, broken, "compressed")

    def test_dicts_and_graphs(self):
        self.refused(ValueError, {}, "at least one")
        self.refused(ValueError, {"ab": 1.0}, "keys")
        self.refused(ValueError, {("a", "b", "c"): 1.0}, "keys")
        self.refused(TypeError, {("a", "b"): 1j})
        self.refused(TypeError, {("a", "b"): "x"})
        self.refused(ValueError, {("a", "b"): float("nan")}, "finite")
        self.refused(ValueError, networkx.Graph(), "nodes")
        graph = networkx.path_graph(3)
        graph.edges[0, 1]["weight"] = float("nan")
        self.refused(ValueError, graph, "finite")
        for nothing in (None, 3.0, b"x", object()):
            self.refused(TypeError, nothing, "expected a Model")
        with self.assertRaisesRegex(ValueError, "fields"):
            cm.ising(np.eye(3), [1.0, 2.0])

    def test_files_say_where(self):
        with self.assertRaises(FileNotFoundError) as missing:
            cm.solve("/no/such/file.json")
        self.assertEqual(missing.exception.filename, "/no/such/file.json")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.lp")
            pathlib.Path(path).write_text("Minimize\n x\nSubject To\n c: x + <= 2\nBinary\n x\nEnd\n")
            with self.assertRaisesRegex(ValueError, r"bad\.lp:4: "):
                cm.read(path)
            with self.assertRaises(ValueError):
                cm.read(path, format="no such format")
            with self.assertRaises(ValueError):
                cm.read(folder)

    def test_options(self):
        q = matrix(4)
        for name, value in [("seed", -1), ("seed", "x"), ("seed", 1.5), ("time_limit", "soon"), ("betas", [1, "x"]),
                            ("device", 3), ("sweeps", -1), ("callback", 3), ("target", "low")]:
            self.refused(TypeError, q, name, **{name: value})
        for name, value in [("time_limit", -1.0), ("time_limit", float("nan")), ("trials", 0), ("solutions", 0),
                            ("copies", 65), ("threads", 5000), ("rows", 1001), ("target", float("inf")),
                            ("penalty", float("nan")), ("beta0", -1.0), ("penalty0", -1.0), ("precision", "x"),
                            ("moves", "x"), ("method", "x"), ("ladder", "x"), ("placement", "x"), ("swap_sets", "x"),
                            ("device", "no such device"), ("betas", [2.0, 1.0]), ("penalties", [1.0]),
                            ("device_timeout", 0.0)]:
            self.refused(ValueError, q, **{name: value})
        self.refused(ValueError, q, "^solutions and checkpoint", solutions=2, checkpoint="c")  # words of the keywords
        with self.assertRaises(TypeError):
            cm.solve(q, no_such_option=1)
        self.refused(FileNotFoundError, q, schedule="/no/such/ladder.json")

    def test_devices(self):
        with self.assertRaisesRegex(RuntimeError, "/dev/no-such-port"):
            cm.solve(np.eye(2), device="uart:/dev/no-such-port")
        with self.assertRaisesRegex((RuntimeError, ValueError), "no-such.xclbin|xrt"):
            cm.solve(np.eye(2), device="xrt", xclbin="/no-such.xclbin", device_timeout=1.0)
        with self.assertRaises(ValueError):  # too large for it
            cm.solve(matrix(40), device="hls:5x2")

    def test_states(self):
        model = cm.qubo({("a", "b"): 1.0})
        for values in ([0], [0, 2], [0, 0.5], [0, np.nan], {"a": 1}, {"a": 1, "b": 1, "c": 1}):
            with self.subTest(values), self.assertRaises(ValueError):
                model.evaluate(values)
            with self.subTest(values), self.assertRaises(ValueError):
                model.solve(initial=values, **QUICK)
        self.assertEqual(model.evaluate({"a": 1, "b": 1}).energy, 1.0)


if __name__ == "__main__":
    unittest.main()
