"""Prints the energy and the least seconds of a call with an array and with a dict; for python_test.cpp."""
import time

import numpy as np

import chainmail as cm

i, j = np.indices((100, 100))
array = ((i * 7919 + j * 104729) % 19 - 9).astype(float)
pairs = {(a, b): array[a, b] + (array[b, a] if a != b else 0.0) for a in range(100) for b in range(a, 100)}


def least(problem):
    best = 1.0
    for _ in range(100):
        start = time.perf_counter()
        found = cm.solve(problem, sweeps=20, threads=1)
        found.best.values, found.energy
        best = min(best, time.perf_counter() - start)
    return found.energy, best


energy, of_array = least(array)
same, of_dict = least(pairs)
assert energy == same
print(energy, of_array, of_dict)
