"""Memory stays flat over 10,000 calls, and a matrix is not copied on its way into a model."""
import gc
import resource
import subprocess
import sys
import unittest

import numpy as np

import chainmail as cm


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


MATRIX = """
import resource, sys, numpy as np, scipy.sparse, chainmail as cm
n = 3000
q = np.triu(np.random.default_rng(1).normal(size=(n, n)), 1)
if sys.argv[1] == "sparse":
    q = scipy.sparse.csr_matrix(q)
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
held = np.ones((40_000_000,), np.int8); held.fill(1)  # so that the peak is of now
before = int(open("/proc/self/statm").read().split()[1]) * 4096
open("/proc/self/clear_refs", "w").write("5")  # resets the peak
model = cm.qubo(q)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(int(status["VmHWM"].split()[0]) * 1024 - before)
"""


class Memory(unittest.TestCase):
    def test_flat_over_ten_thousand_calls(self):
        q = np.random.default_rng(1).integers(-5, 6, (12, 12)).astype(float)
        pairs = {(f"v{i}", f"v{j}"): q[i, j] for i in range(12) for j in range(12)}

        def fail(status):
            raise KeyError("no")

        def call(k):
            if k % 5 == 0:
                cm.solve(pairs, sweeps=4, threads=1, trials=2).samples.values
            elif k % 50 == 1:
                model = cm.Model()
                x = model.binary("x", 6)
                model.maximize(q[0, :6] @ x + x @ q[:6, :6] @ x)
                model.add(x.sum() <= 3, "three")
                model.solve(sweeps=4, threads=1).json()
            elif k % 5 in (1, 2):
                cm.sample(q, samples=3, warmup=1, sweeps=1, threads=1)
            elif k % 5 == 3:
                with self.assertRaises(KeyError):
                    cm.solve(q, sweeps=4, threads=1, callback=fail)
            else:
                with self.assertRaises(ValueError):
                    cm.solve(q, device="none")
                cm.solve(q, sweeps=4, threads=1, callback=lambda status: status.best)

        for k in range(1000):
            call(k)
        gc.collect()
        before = resident()
        for k in range(10000):
            call(k)
        gc.collect()
        grown = resident() - before
        print(f"10,000 calls: {grown / 1024:.0f} KiB more", file=sys.stderr)
        self.assertLess(grown, 2 << 20)

    def test_a_matrix_is_read_in_place(self):
        products = 3000 * 2999 // 2
        for kind in ("dense", "sparse"):
            peak = int(subprocess.run([sys.executable, "-c", MATRIX, kind], check=True, capture_output=True).stdout)
            print(f"{kind}: {peak / 2**20:.1f} MiB more at the peak; the model's couplings are "
                  f"{products * 16 / 2**20:.1f} MiB", file=sys.stderr)
            self.assertLess(peak, 1.1 * products * 16 + (2 << 20))


if __name__ == "__main__":
    unittest.main()
