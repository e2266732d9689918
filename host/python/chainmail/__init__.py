# SPDX-License-Identifier: Apache-2.0
"""Chainmail: constrained binary problems by two-dimensional parallel tempering.

>>> import chainmail as cm
>>> r = cm.solve({("a", "b"): -2, ("a", "a"): 1, ("b", "b"): 0.5})
>>> r.best.to_dict(), r.best.energy
({'a': 1, 'b': 1}, -0.5)

A problem is a QUBO (dict, numpy array, scipy.sparse matrix), a networkx graph, a file, or a Model with
constraints. `chainmail.dimod` has samplers for those who work with dimod.
"""
from ._chainmail import Status, devices
from ._chainmail import version as __version__
from ._expression import Constraint, Expression
from ._model import Model, ising, max_cut, qubo, read
from ._result import Answer, Answers, Result, Violation
from ._sample import Sampler, Samples, sample
from ._solve import solve, solve_many

__all__ = [
    "Answer", "Answers", "Constraint", "Expression", "Model", "Result", "Sampler", "Samples", "Status", "Violation",
    "__version__", "devices", "ising", "max_cut", "qubo", "read", "sample", "solve", "solve_many",
]
