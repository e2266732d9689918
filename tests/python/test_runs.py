"""Runs: the command line's bits, callbacks, Ctrl-C, threads, tables and reports."""
import csv
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import unittest.mock

import numpy as np

import chainmail as cm
from chainmail import _progress

CHAINMAIL = os.environ["CHAINMAIL"]
QUICK = {"sweeps": 200, "threads": 1}


def matrix(n, seed=1):
    return np.random.default_rng(seed).normal(size=(n, n))


def knapsack(n=30, seed=1):
    rng = np.random.default_rng(seed)
    model = cm.Model()
    x = model.binary("x", n)
    model.maximize(rng.integers(1, 30, n) @ x)
    model.add(rng.integers(1, 20, n) @ x <= 5 * n, "capacity")
    return model


class SameBits(unittest.TestCase):
    """The same problem, options and seed: the same trace and answer as `chainmail solve`."""

    CHANGING = ("seconds", "tune_seconds", "updates_per_ns", "peak_memory_kib")

    def compare(self, problem, text, name, **options):
        with tempfile.TemporaryDirectory() as folder:
            file, trace = os.path.join(folder, name), os.path.join(folder, "trace.csv")
            if text is None:
                problem.write(file)
            else:
                pathlib.Path(file).write_text(text)
            command = [CHAINMAIL, "solve", file, "-q", "--json", "-", "--trace", trace]
            for option, value in options.items():
                value = ",".join(map(str, value)) if isinstance(value, list) else str(value)
                command += ["--" + option.replace("_", "-")] + ([] if value == "True" else [value])
            told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            found = cm.solve(problem, **options)
            self.assertEqual(found.trace_csv(), pathlib.Path(trace).read_text())
            ours = found.info
            for key in told:
                if key not in self.CHANGING + ("problem", "names"):
                    self.assertEqual(ours[key], told[key], key)
            return found

    def test_options_few_people_need(self):
        q = np.triu(np.random.default_rng(3).integers(-9, 9, (12, 12)))
        plain = cm.solve(q, copies=2, sweeps=100)
        same = cm.solve(q, copies=2, sweeps=100, no_stop=True, pilot_chains=16, pilot_warmup=200, pilot_samples=400,
                        rehearsal=4000, emulate_latency="", tiles=1, mixed=False)
        self.assertEqual(plain.energy, same.energy)
        for name, value in [("pilot_chains", 0), ("pilot_samples", 1), ("tiles", 0)]:
            with self.assertRaisesRegex(ValueError, name):
                cm.solve(q, **{name: value})
        with self.assertRaisesRegex(TypeError, "did you mean pilot_warmup"):
            cm.solve(q, pilot_warmpu=3)
        self.assertIn("time_limit", cm.solve.__doc__)

    def test_matrices(self):
        q = matrix(60)
        pairs = [(i, j, q[i, j] + q[j, i] if i < j else q[i, i]) for i in range(60) for j in range(i, 60)]
        lines = "".join(f"{i} {j} {float(value)!r}\n" for i, j, value in pairs)
        text = f"p qubo 0 60 60 {60 * 59 // 2}\n{lines}"
        for seed in (1, 2):
            self.compare(q, text, "q.qubo", sweeps=300, seed=seed, threads=1)
        self.compare(q, text, "q.qubo", sweeps=300, trials=3, threads=2)
        self.compare(cm.ising(q, q[0]), None, "q.json", sweeps=300)
        self.compare(cm.qubo(q), None, "q.coo", sweeps=300, method="pt", precision="float")

    def test_graphs(self):
        import networkx

        graph = networkx.gnm_random_graph(50, 200, seed=3)
        lines = "".join(f"{u + 1} {v + 1} 1\n" for u, v in graph.edges)
        self.compare(graph, f"50 200\n{lines}", "g.rud", sweeps=300)

    def test_constraints(self):
        self.compare(knapsack(), None, "k.lp", sweeps=200)
        self.compare(knapsack(), None, "k.lp", sweeps=200, solutions=3, trials=2, seed=9)
        self.compare(knapsack(), None, "k.lp", sweeps=200, sweeps_per_swap=5, swap_sets="toggle", rows=6, columns=2)
        self.compare(knapsack(8), None, "k.lp", sweeps=200, plain_penalty=True)

    def test_copies_ladders_and_devices(self):
        model = cm.ising(np.round(4 * np.triu(matrix(5), 1)))
        self.compare(model, None, "s.json", copies=2, sweeps=200, placement="balanced")
        self.compare(model, None, "s.json", copies=2, sweeps=200, device="hls:5x2", beta0=0.1, penalty0=1.0)
        self.compare(model, None, "s.json", copies=2, sweeps=200, moves="chain", ladder="rigid")
        self.compare(model, None, "s.json", copies=2, sweeps=200, method="jcolumn", betas=[0.1, 0.5, 1.0],
                     penalties=[1.0, 2.0], penalty=1.5)
        self.compare(model, None, "s.json", copies=2, sweeps=200, literal=True)

    def test_samples(self):
        model = cm.ising(np.triu(matrix(6), 1))
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "s.json")
            model.write(file)
            command = [CHAINMAIL, "sample", file, "-q", "--all", "--betas", "0.5,1", "--samples", "50", "--seed", "4"]
            rows = list(csv.DictReader(io.StringIO(subprocess.run(command, check=True, capture_output=True,
                                                                  text=True).stdout)))
        ours = cm.sample(model, beta=[0.5, 1.0], samples=50, seed=4)
        self.assertEqual([r["spins"] for r in rows],
                         ["".join("+" if s > 0 else "-" for s in values) for values in ours.values])
        self.assertEqual([float(r["f"]) for r in rows], ours.energy.tolist())
        self.assertEqual([float(r["beta"]) for r in rows], ours.beta.tolist())


class Watching(unittest.TestCase):
    def test_a_callback_sees_every_round(self):
        seen = []
        found = cm.solve(matrix(30), callback=seen.append, sweeps=100, threads=1)
        self.assertEqual(len(seen), 50)  # a round of swaps after every second sweep
        self.assertIsInstance(seen[0], cm.Status)
        best = [s.best for s in seen]
        self.assertEqual(best, sorted(best, reverse=True))
        self.assertAlmostEqual(best[-1], found.energy, places=9)
        self.assertEqual((seen[-1].fraction, seen[-1].sweeps, seen[-1].tuning), (1.0, 100, False))
        self.assertGreater(seen[-1].seconds, 0)
        self.assertGreater(seen[-1].updates_per_ns, 0)
        seen.clear()
        found = knapsack().solve(callback=seen.append, **QUICK)
        self.assertEqual(seen[-1].best, found.energy)  # in the user's terms: it is maximised

    def test_a_callback_may_stop_it_or_fail(self):
        def stop(status):
            raise StopIteration

        found = cm.solve(matrix(30), callback=stop, sweeps=10**9)
        self.assertEqual(found.stopped_by, "interrupt")
        self.assertTrue(found.feasible)
        with self.assertRaises(ZeroDivisionError):
            cm.solve(matrix(30), callback=lambda status: 1 / 0, sweeps=10**9)

    def test_a_model_does_not_change_under_a_run(self):
        model = knapsack()

        def change(status):
            model.minimize(0)

        with self.assertRaisesRegex(RuntimeError, "being solved"):
            model.solve(callback=change, **QUICK)
        model.minimize(0)  # now it may

    def test_arrays_may_change_under_a_run(self):
        q = matrix(30)
        before = cm.solve(q, **QUICK)
        found = cm.solve(q, callback=lambda status: q.fill(0.0), **QUICK)
        self.assertEqual(found.trace_csv(), before.trace_csv())
        self.assertEqual(q.any(), False)

    def test_the_progress_line(self):
        out, sys.stderr = sys.stderr, io.StringIO()
        try:
            cm.solve(matrix(30), progress=True, time_limit=0.3, exact="off")
            drawn = sys.stderr.getvalue()
            sys.stderr = io.StringIO()
            cm.solve(matrix(30), time_limit=0.2)  # no terminal: silence
            cm.solve(matrix(30), progress=False, time_limit=0.2)
            silent = sys.stderr.getvalue()
        finally:
            sys.stderr = out
        self.assertIn("solving", drawn)
        self.assertIn("best -", drawn)
        self.assertTrue(drawn.endswith("\r\x1b[K"))
        self.assertEqual(silent, "")

    def test_the_progress_line_keeps_to_the_terminal(self):
        status = types.SimpleNamespace(fraction=0.5, tuning=False, sweeps=10**9, best=-1234567.891)
        out, sys.stderr = sys.stderr, io.StringIO()
        width = os.environ.get("COLUMNS")
        os.environ["COLUMNS"] = "30"
        try:
            _progress._Terminal()(status)
            drawn = sys.stderr.getvalue()
        finally:
            sys.stderr = out
            os.environ.pop("COLUMNS") if width is None else os.environ.update(COLUMNS=width)
        self.assertEqual(len(drawn), len("\r\x1b[K") + 29)

    def test_the_progress_line_of_notebooks(self):
        shown = []

        class Handle:
            def update(self, data, raw):
                shown.append(data["text/plain"])

        def display(data, raw, display_id):
            shown.append(data["text/plain"])
            return Handle()

        line = _progress._Notebook(display)
        cm.solve(matrix(30), callback=line, sweeps=20)
        line.close()
        self.assertIn("solving 100%", shown[-2])
        self.assertEqual(shown[-1], "")


INTERRUPTED = """
import numpy as np, chainmail as cm, sys, time
matrix = np.random.default_rng(1).normal(size=(200, 200))
print("solving", flush=True)
r = cm.solve(matrix, **OPTIONS)
try:
    print(r.stopped_by, r.feasible, r.energy < 0, flush=True)
    time.sleep(20)  # Ctrl-C is Python's again
except KeyboardInterrupt:
    print("raised", flush=True)
"""


class Interrupts(unittest.TestCase):
    def interrupt(self, options):
        program = INTERRUPTED.replace("OPTIONS", options)
        run = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        self.assertEqual(run.stdout.readline(), "solving\n")
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.stdout.readline(), "interrupt True True\n")
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.stdout.readline(), "raised\n")
        run.stdout.close()
        self.assertEqual(run.wait(10), 0)

    def test_ctrl_c_returns_the_best_so_far(self):
        # The limit only ends what nothing else did.
        self.interrupt("{'time_limit': 20}")
        self.interrupt("{'time_limit': 20, 'callback': lambda status: None}")

    def test_ctrl_c_while_a_matrix_is_read(self):
        program = ("import numpy as np, chainmail as cm\nprint('reading', flush=True)\n"
                   "try:\n    cm.qubo(np.broadcast_to(np.float64(0), (1 << 19, 1 << 19)))\n"  # a minute of reading
                   "except KeyboardInterrupt:\n    print('raised', flush=True)\n")
        run = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        self.assertEqual(run.stdout.readline(), "reading\n")
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.stdout.readline(), "raised\n")
        run.stdout.close()
        self.assertEqual(run.wait(10), 0)

    def test_signals_that_python_handles_otherwise_are_left_alone(self):
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            cm.solve(matrix(20), **QUICK)
            self.assertIs(signal.getsignal(signal.SIGINT), signal.SIG_IGN)
        finally:
            signal.signal(signal.SIGINT, before)


class Threads(unittest.TestCase):
    def test_threads_solve_at_once_and_the_lock_is_free(self):
        q = matrix(60)
        alone = cm.solve(q, **QUICK)
        model = cm.qubo(q)
        ticks, found, done = [], [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.002)

        ticker = threading.Thread(target=tick)
        ticker.start()
        workers = [threading.Thread(target=lambda: found.append(model.solve(**QUICK))) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        before = len(ticks)
        cm.solve(q, time_limit=0.5)  # one long call: the other thread goes on all the while
        during = len(ticks) - before
        done.set()
        ticker.join()
        self.assertEqual(len(found), 8)
        for one in found:
            np.testing.assert_array_equal(one.best.values, alone.best.values)
        self.assertGreater(during, 20)


class Results(unittest.TestCase):
    def test_everything_a_result_tells(self):
        found = knapsack().solve(solutions=3, trials=2, **QUICK)
        self.assertTrue(found.feasible)
        too_much = knapsack().evaluate(np.ones(30)).violations
        self.assertIsInstance(too_much[0], cm.Violation)
        self.assertEqual(found.energy, found.best.energy)
        self.assertEqual(found.violations, [])
        self.assertEqual(found.stopped_by in ("sweeps", "bound"), True)
        self.assertGreater(found.sweeps, 0)
        self.assertGreater(found.seconds, 0)
        self.assertIsInstance(found.notes, list)
        self.assertIn("Result(energy=", repr(found))
        self.assertIn("verdict", str(found))
        self.assertEqual(json.loads(found.json()), found.info)
        self.assertTrue(found.trace_csv().startswith("sweep,"))
        self.assertIn("Answer(energy=", repr(found.best))
        samples = found.samples
        self.assertIsInstance(samples, cm.Answers)
        self.assertGreaterEqual(len(samples), 3)
        self.assertEqual(samples[0].energy, found.energy)
        self.assertIsInstance(samples[0], cm.Answer)
        self.assertIsInstance(samples[:2], cm.Answers)
        self.assertEqual(samples.values.shape, (len(samples), 30))
        self.assertEqual(samples.energies.tolist(), sorted(samples.energies.tolist(), reverse=True))
        self.assertTrue(samples.feasible.all())
        self.assertEqual([a.energy for a in samples], samples.energies.tolist())

    def test_feasible_answers_come_first(self):
        def answer(value, objective, feasible):
            return types.SimpleNamespace(values=np.array([value]), objective=objective, feasible=feasible, violations=[])

        trials = [answer(1, 5.0, False), answer(2, 3.0, True), answer(3, 9.0, False), answer(4, 4.0, True)]
        core = types.SimpleNamespace(best=trials[3], trials=trials, others=[answer(5, 1.0, True)], stopped_by="sweeps",
                                     proved=False, bound=None, gap=None, sweeps=1, seconds=1.0, notes=[], course=[])
        for maximises, distinct, order in ((True, False, [4, 2, 3, 1]), (False, False, [2, 4, 1, 3]),
                                           (True, True, [4, 5]), (False, True, [5, 4])):
            samples = cm.Result(core, ["x"], maximises, distinct).samples
            self.assertEqual(samples.values[:, 0].tolist(), order)

    def test_trials_of_problems_without_constraints(self):
        q = matrix(40)
        found = cm.solve(q, trials=6, sweeps=6, sweeps_per_swap=2, threads=1)
        self.assertEqual(len(found.samples), 6)
        for answer in found.samples:
            self.assertAlmostEqual(answer.energy, answer.values @ q @ answer.values, places=9)
        self.assertEqual(found.samples[0].energy, min(found.samples.energies))
        self.assertAlmostEqual(found.samples[0].energy, found.energy, places=9)

    def test_tables(self):
        frame = cm.solve({("a", "b"): -1.0, ("a", "c"): 0.5}, trials=3, **QUICK).to_pandas()
        self.assertEqual(list(frame.columns), ["a", "b", "c", "energy", "feasible"])
        self.assertEqual(len(frame), 3)
        self.assertEqual(frame["energy"].iloc[0], -1.0)
        drawn = cm.qubo({("a", "b"): -1.0}).sample(samples=10)
        self.assertIsInstance(drawn, cm.Samples)
        frame = drawn.to_pandas()
        self.assertEqual(list(frame.columns), ["a", "b", "beta", "penalty", "energy", "g"])
        self.assertEqual(len(frame), 10)

    def test_reports(self):
        found = cm.solve(matrix(20), **QUICK)
        with tempfile.TemporaryDirectory() as folder:
            found.report(pathlib.Path(folder, "report.html"))
            text = pathlib.Path(folder, "report.html").read_text()
            with self.assertRaises(FileNotFoundError):
                found.report("/no/such/folder/report.html")
        self.assertIn("<svg", text)
        inline = found._repr_html_()
        self.assertTrue(inline.startswith("<iframe"))
        self.assertIn("&lt;svg", inline)
        self.assertIn("&lt;h1&gt;QUBO, 20 variables&lt;/h1&gt;", inline)
        self.assertIn("scrollHeight", inline)  # grows to the report's height
        self.assertNotIn("allow-scripts", inline)
        roster = cm.Model("roster")
        x = roster.binary("x", (2, 3))
        roster.minimize(x.sum())
        roster.add(x.sum(axis=1) == 1)
        text = roster.solve(**QUICK)._repr_html_()
        self.assertIn("&lt;h1&gt;roster&lt;/h1&gt;", text)
        self.assertIn("class=&quot;sheet&quot;", text)
        self.assertNotIn("class=&quot;sheet&quot;", roster.solve(group="off", **QUICK)._repr_html_())
        with self.assertRaisesRegex(ValueError, "group: expected auto, off"):
            roster.solve(group="rows", **QUICK)

    def test_plots(self):
        found = cm.solve(matrix(60), exact="off", sweeps=2000, threads=1)
        energies = [energy for _, energy in found.course]
        self.assertEqual(energies, sorted(set(energies), reverse=True))  # it only improves
        self.assertAlmostEqual(energies[-1], found.energy)
        self.assertEqual(cm.solve(matrix(4)).course[-1][1], cm.solve(matrix(4)).energy)  # exact: one point
        try:
            import matplotlib.figure
        except ImportError:
            with self.assertRaisesRegex(ImportError, "needs matplotlib"):
                found.plot()
            return
        figure = found.plot()
        self.assertIsInstance(figure, matplotlib.figure.Figure)
        axes, = figure.axes
        steps = axes.lines[0]
        self.assertEqual(list(steps.get_ydata()), energies + energies[-1:])
        self.assertEqual(steps.get_drawstyle(), "steps-post")
        self.assertIn(f"{energies[-1]:.9g}", [text.get_text() for text in axes.texts])
        with unittest.mock.patch.dict(sys.modules, {"matplotlib.figure": None}):
            with self.assertRaisesRegex(ImportError, "needs matplotlib"):
                found.plot()

    def test_several_solutions_are_distinct(self):
        m = cm.Model()
        x = [m.binary(f"x{k}") for k in range(4)]
        m.add(x[0] + x[1] + x[2] + x[3] == 2)
        m.minimize(x[0] + x[1] + x[2] + x[3])
        found = m.solve(solutions=4, trials=10, **QUICK).samples
        self.assertEqual(len(found), 4)
        self.assertEqual(len({answer.values.tobytes() for answer in found}), 4)
        self.assertEqual(len(m.solve(trials=10, **QUICK).samples), 10)

    def test_results_travel_between_processes(self):
        import pickle

        found = knapsack().solve(solutions=3, trials=2, **QUICK)
        for again in (pickle.loads(pickle.dumps(found)), pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(found))))):
            self.assertEqual(again.best.to_dict(), found.best.to_dict())
            self.assertEqual(again.samples.energies.tolist(), found.samples.energies.tolist())
            self.assertEqual((again.json(), again.trace_csv(), str(again)),
                             (found.json(), found.trace_csv(), str(found)))
            self.assertEqual(again._repr_html_(), found._repr_html_())
            self.assertEqual(again.course, found.course)
        import concurrent.futures
        import multiprocessing

        # Forked after runs with threads of their own.
        with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
            runs = list(pool.map(cm.solve, [matrix(30)] * 2))
        self.assertEqual(runs[0].trace_csv(), runs[1].trace_csv())

    def test_starts_targets_and_checkpoints(self):
        q = matrix(30)
        found = cm.solve(q, sweeps=2000, threads=1)
        again = cm.solve(q, initial=found.best.values, sweeps=2, threads=1)
        self.assertLessEqual(again.energy, found.energy + 1e-9)
        reached = cm.solve(q, target=found.energy, sweeps=10**8, threads=1)
        self.assertEqual(reached.stopped_by, "target")
        start = knapsack().solve(**QUICK).best
        self.assertGreaterEqual(knapsack().solve(initial=start.to_dict(), sweeps=2).energy, start.energy)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "run.ckpt")
            cm.solve(q, checkpoint=file, sweeps=200, threads=1)
            self.assertTrue(os.path.exists(file))
            resumed = cm.solve(q, checkpoint=file, sweeps=200, threads=1)
            self.assertEqual(resumed.trace_csv(), cm.solve(q, sweeps=200, threads=1).trace_csv())

    def test_devices(self):
        names = cm.devices()
        self.assertTrue(names[0].startswith("cpu"))
        self.assertTrue(any(name.startswith("hls:5x2:") for name in names))
        self.assertRegex(cm.__version__, r"^\d+\.\d+\.\d+$")


class Sampling(unittest.TestCase):
    def test_the_exact_distribution(self):
        q = np.array([[0.5, -1.0, 0.0], [0.0, 0.2, 0.7], [0.0, 0.0, -0.3]])
        drawn = cm.sample(q, beta=1.0, samples=20000, sweeps=2, threads=1)
        states = drawn.values @ [4, 2, 1]
        all_states = [np.array([s >> 2 & 1, s >> 1 & 1, s & 1]) for s in range(8)]
        weight = np.exp([-(x @ q @ x) for x in all_states])
        share = np.bincount(states, minlength=8) / len(states)
        np.testing.assert_allclose(share, weight / weight.sum(), atol=0.025)
        np.testing.assert_allclose(drawn.energy, [all_states[s] @ q @ all_states[s] for s in states], atol=1e-12)
        self.assertEqual((set(drawn.beta), set(drawn.penalty), set(drawn.g)), ({1.0}, {0.0}, {0.0}))

    def test_what_cannot_be_sampled(self):
        for options in ({"beta": [2.0, 1.0]}, {"beta": []}, {"beta": np.nan}, {"samples": -1}, {"sweeps": 0},
                        {"beta": [[1.0]]}):
            with self.subTest(options), self.assertRaises(ValueError):
                cm.sample(matrix(3), **options)


if __name__ == "__main__":
    unittest.main()
