# SPDX-License-Identifier: Apache-2.0
"""Models: built from expressions, made from matrices and graphs, or read from files."""
from __future__ import annotations

import errno
import operator
import os
from typing import TYPE_CHECKING, Any, Hashable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _chainmail
from ._expression import Array, Constraint, Expression, _numbers
from ._result import Answer, Result

if TYPE_CHECKING:
    from ._sample import Samples

_MOST = 1 << 20  # variables; the library says the same, but only once they are being made


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what}: expected a text, not {value!r:.60}")
    return value


def _whole(value: Any, what: str) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what}: expected a whole number, not {value!r:.60}") from None
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError(f"{what}: {number} is too large")
    return number


class Model:
    """What is to be solved: variables, an objective, constraints.

    >>> m = Model()
    >>> x = m.binary("x", 3)
    >>> m.maximize([5, 4, 3] @ x)
    >>> m.add([2, 3, 1] @ x <= 4, "capacity")
    >>> m.solve().best.values
    array([1, 0, 1])
    """

    def __init__(self, name: str = "") -> None:
        self._core = _chainmail.Model()
        if name:
            self._core.set_name(_text(name, "name"))
        self._labels: List[Hashable] = []
        self._constraints = self._sets = 0

    @classmethod
    def _of(cls, core: _chainmail.Model, labels: Sequence[Hashable]) -> "Model":
        model = cls()
        model._core, model._labels = core, list(labels)
        return model

    # ---- variables ---------------------------------------------------------------------------

    def binary(self, name: str = "", shape: Union[None, int, Tuple[int, ...]] = None) -> Expression:
        """Variables of 0 and 1: one, or an array of them named name_0, name_1, ..."""
        return self._variables(name, shape, self._core.add_binary)

    def spin(self, name: str = "", shape: Union[None, int, Tuple[int, ...]] = None) -> Expression:
        """Variables of -1 and 1. A model of spins has only spins and no constraints."""
        return self._variables(name, shape, self._core.add_spin)

    def integer(self, name: str = "", shape: Union[None, int, Tuple[int, ...]] = None, *,
                lower: int = 0, upper: int) -> Expression:
        """Whole numbers from lower to upper."""
        limits = _whole(lower, "lower"), _whole(upper, "upper")
        return self._variables(name, shape, lambda one: self._core.add_integer(*limits, one))

    def _variables(self, name: str, shape: Any, add: Any) -> Expression:
        if shape is None:
            wanted: Tuple[int, ...] = ()
        else:
            wanted = tuple(_whole(n, "shape") for n in (shape if isinstance(shape, tuple) else (shape,)))
        if any(n < 0 for n in wanted):
            raise ValueError(f"expected a shape of numbers of 0 or more, found {shape}")
        size = 1
        for n in wanted:
            size *= n
        first = len(self)
        if first + size > _MOST:
            raise ValueError(f"expected at most {_MOST} variables, found {first + size}")
        prefix = _text(name, "name") or f"v{first}"
        for index in np.ndindex(*wanted):
            one = "_".join([prefix, *map(str, index)]) if wanted else prefix
            add(one)
            self._labels.append(one)
        return Expression._of_variables(self, np.arange(first, first + size).reshape(wanted))

    # ---- objective and constraints -----------------------------------------------------------

    def minimize(self, objective: Any) -> None:
        """Sets the objective, in place of an earlier one."""
        self._set_objective(objective, False)

    def maximize(self, objective: Any) -> None:
        """Sets the objective, in place of an earlier one."""
        self._set_objective(objective, True)

    def _set_objective(self, objective: Any, maximise: bool) -> None:
        if not isinstance(objective, Expression):
            zero = Expression._of_variables(self, np.zeros(0, np.int64)).sum()
            objective = zero + objective
        if objective.model is not self:
            raise ValueError("the objective has variables of another model")
        if objective.shape != ():
            raise ValueError(f"expected one expression, found shape {objective.shape}; sum() makes one of it")
        linear, products = objective._linear, objective._products
        self._core.clear_objective()
        self._core.set_maximise(maximise)
        self._core.add_constant(float(objective._constant[0]))
        self._core.add_linear(linear.variables[:, 0], linear.coefficient)
        self._core.add_triplets(np.ascontiguousarray(products.variables[:, 0]),
                                np.ascontiguousarray(products.variables[:, 1]), products.coefficient)
        for longer in objective._terms[2:]:
            for variables, value in zip(longer.variables.tolist(), longer.coefficient.tolist()):
                self._core.add_product(variables, value)

    def add(self, constraint: Constraint, name: str = "", *, price: Optional[float] = None,
            when: Union[None, Expression, Constraint] = None) -> None:
        """Adds a constraint, or one for each element, named name_0, name_1, ...

        price: makes it soft: it may be missed, at this price per unit, which counts in the objective.
        when: a binary, or `binary == 0` or `== 1`: the constraint counts only while that holds.
        Products of binaries may stand where the constraint forces each to zero, as in x * y == 0.
        """
        if not isinstance(constraint, Constraint):
            raise TypeError(f"expected a constraint such as w @ x <= c, found {constraint!r:.60}")
        left = constraint.expression
        if left.model is not self:
            raise ValueError("the constraint has variables of another model")
        if price is not None and not (np.isfinite(_numbers(price)) and price > 0):
            raise ValueError(f"price: expected a finite number above 0, not {price!r:.60}")
        if any(len(longer.element) for longer in left._terms[2:]):
            raise ValueError("expected products of at most two variables in a constraint")
        condition = None if when is None else self._condition(when)
        products: List[List[Tuple[int, int, float]]] = [[] for _ in range(left.size)]
        for k, (i, j), value in zip(*(array.tolist() for array in left._products)):
            products[k].append((i, j, value))
        prefix = _text(name, "name") or f"c{self._constraints}"
        order = np.argsort(left._linear.element, kind="stable")
        element = left._linear.element[order]
        variable, coefficient = left._linear.variables[order, 0], left._linear.coefficient[order]
        bounds: Any = np.searchsorted(element, np.arange(left.size + 1))
        for k, index in enumerate(np.ndindex(*left.shape)):
            part = slice(bounds[k], bounds[k + 1])
            one = "_".join([prefix, *map(str, index)]) if left.shape else prefix
            self._core.add_constraint(one, variable[part].tolist(), coefficient[part].tolist(),
                                      float(constraint.lower[k]), float(constraint.upper[k]), products[k],
                                      float(price or 0.0), condition)
            self._constraints += 1

    def _condition(self, when: Any) -> Tuple[int, bool]:
        """The number of a binary and the value it is to have."""
        value = 1.0
        if isinstance(when, Constraint):
            equal = when.expression.size == 1 and when.lower[0] == when.upper[0]
            value = float(when.lower[0]) if equal else -1.0
            when = when.expression
        linear = when._linear if isinstance(when, Expression) else None
        if (linear is None or when.model is not self or when.size != 1 or when._constant[0] != 0.0
                or any(len(of.element) for of in when._terms[1:]) or linear.coefficient.tolist() != [1.0]
                or value not in (0.0, 1.0)):
            raise ValueError("when: expected a binary of this model, or one compared as in x == 0 or x == 1")
        return int(linear.variables[0, 0]), value == 1.0

    def sos1(self, variables: Expression, name: str = "") -> None:
        """At most one of the variables is not zero."""
        if not isinstance(variables, Expression) or variables.model is not self:
            raise TypeError(f"expected variables of this model, found {variables!r:.60}")
        linear = variables._linear
        if (len(linear.element) != variables.size or any(len(of.element) for of in variables._terms[1:])
                or np.any(variables._constant != 0.0) or np.any(linear.coefficient != 1.0)):
            raise ValueError("expected variables, found expressions of them")
        self._core.add_set(name or f"s{self._sets}", linear.variables[:, 0].tolist())
        self._sets += 1

    def permutation(self, name: str, size: int) -> Expression:
        """size x size binaries with a single 1 in every row and every column: x[i, k] is 1 if i is at place k."""
        x = self.binary(name, (size, size))
        self.add(x.sum(axis=1) == 1, f"{name}_row")
        self.add(x.sum(axis=0) == 1, f"{name}_column")
        return x

    # ---- the whole ---------------------------------------------------------------------------

    @property
    def labels(self) -> List[Hashable]:
        """The variables' names, or the labels of the dictionary or graph it was made from, in order."""
        return list(self._labels)

    @property
    def known_optimum(self) -> Optional[float]:
        """The best objective, if the file or its generator has it."""
        return self._core.known_optimum

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        kind = "constrained" if self._core.constrained else "spins" if self._core.spins else "binaries"
        return f"<Model: {len(self)} variables, {kind}>"

    def evaluate(self, values: Any) -> Answer:
        """Evaluates values, given in order or by label."""
        return Answer(self._core.evaluate(self._ordered(values)), self._labels)

    def _ordered(self, values: Any) -> Array:
        if isinstance(values, Mapping):
            missing = [label for label in self._labels if label not in values]
            if missing or len(values) != len(self._labels):
                unknown = [label for label in values if label not in set(self._labels)]
                raise ValueError(f"expected a value for every variable; missing {missing[:3]}, "
                                 f"unknown {unknown[:3]}")
            values = [values[label] for label in self._labels]
        numbers = _numbers(values)
        if numbers.shape != (len(self),):
            raise ValueError(f"expected {len(self)} values, found shape {numbers.shape}")
        if np.any(numbers != np.round(numbers)):
            raise ValueError("expected whole values")
        return numbers.astype(np.int64)

    def _numbered(self, fixed: Any) -> List[Tuple[int, int]]:
        """Numbers and values of some variables, given by label."""
        if not isinstance(fixed, Mapping):
            raise TypeError(f"fixed: expected a dict {{label: value}}, found {type(fixed).__name__}")
        number = {label: k for k, label in enumerate(self._labels)}
        unknown = [label for label in fixed if label not in number]
        if unknown:
            raise ValueError(f"fixed: no variable {unknown[0]!r}")
        values = _numbers(list(fixed.values()))
        if np.any(values != np.round(values)):
            raise ValueError("fixed: expected whole values")
        return [(number[label], int(value)) for label, value in zip(fixed, values)]

    def write(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """As .lp with constraints or integers, else as .json or .coo; read() reads it."""
        self._core.write(os.fspath(file))

    def solve(self, **options: Any) -> Result:
        """See chainmail.solve()."""
        from ._solve import solve
        return solve(self, **options)

    def sample(self, **options: Any) -> "Samples":
        """See chainmail.sample()."""
        from ._sample import sample
        return sample(self, **options)


# ---- models of matrices, graphs, files -----------------------------------------------------------


def qubo(Q: Any, *, offset: float = 0.0) -> Model:
    """x' Q x + offset over x of 0 and 1, every entry counted once; Q a dict {(u, v): q}, a numpy
    array or a scipy.sparse matrix."""
    return _quadratic(Q, None, offset, False)


def ising(J: Any, h: Any = None, *, offset: float = 0.0) -> Model:
    """s' J s + h' s + offset over s of -1 and 1, to be minimised, every entry counted once."""
    return _quadratic(J, h, offset, True)


def _quadratic(matrix: Any, linear: Any, offset: float, spins: bool) -> Model:
    core = _chainmail.Model()
    if isinstance(matrix, Mapping):
        if linear is not None and not isinstance(linear, Mapping):
            linear = dict(enumerate(linear))
        labels: Sequence[Hashable] = core.add_pairs(dict(matrix), linear and dict(linear), spins)
        linear = None
    else:
        shape = getattr(matrix, "shape", None)
        if shape is None:
            if not isinstance(matrix, Sequence) or isinstance(matrix, (str, bytes)):
                raise TypeError("expected a Model, a file's name, a networkx graph, a dict {(u, v): q}, a numpy array "
                                f"or a scipy.sparse matrix, found {type(matrix).__name__}")
            matrix = np.asarray(matrix)
            shape = matrix.shape
        if len(shape) != 2 or shape[0] != shape[1]:
            raise ValueError(f"expected a square matrix, found shape {tuple(shape)}")
        if shape[0] > _MOST:
            raise ValueError(f"expected at most {_MOST} variables, found {shape[0]}")
        if np.any(getattr(matrix, "mask", False)) and isinstance(matrix, np.ma.MaskedArray):
            raise ValueError("expected a matrix without masked entries")
        labels = range(shape[0])
        if hasattr(matrix, "columns") and hasattr(matrix, "index"):  # pandas
            labels = list(matrix.columns)
            if labels != list(matrix.index):
                raise ValueError("expected the same labels for rows and columns")
        (core.add_spins if spins else core.add_binaries)(shape[0])
        if hasattr(matrix, "tocoo"):
            if getattr(matrix, "format", "") in ("csr", "csc"):
                core.add_compressed(matrix.indptr, matrix.indices, matrix.data)
            else:
                entries = matrix.tocoo()
                core.add_triplets(entries.row, entries.col, entries.data)
        else:
            core.add_dense(np.asarray(matrix))
    if linear is not None:
        fields = _numbers(linear)
        if fields.shape != (len(labels),):
            raise ValueError(f"expected {len(labels)} fields, found shape {fields.shape}")
        core.add_linear(np.arange(len(labels)), fields)
    if len(labels) == 0:
        raise ValueError("expected at least one variable")
    core.add_constant(float(offset))
    return Model._of(core, labels)


def max_cut(graph: Any, *, weight: str = "weight") -> Model:
    """Splits the nodes of a networkx graph into two parts, -1 and 1, so that the edges between them weigh
    most. Edges without the attribute weigh 1; its energy is the weight of the cut."""
    nodes = list(graph.nodes)
    if not nodes:
        raise ValueError("expected a graph with nodes")
    number = {node: k for k, node in enumerate(nodes)}
    first, second, weights = [], [], []
    for u, v, w in graph.edges(data=weight, default=1.0):
        first.append(number[u])
        second.append(number[v])
        weights.append(float(w))
    _numbers(weights)
    return Model._of(_chainmail.Model.max_cut(len(nodes), first, second, weights), nodes)


def read(file: Union[str, "os.PathLike[str]"], *, format: str = "detect", colors: int = 0) -> Model:
    """Any file `chainmail solve` reads; `colors` is the number of colours for a graph (.col)."""
    path = os.fspath(file)
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    core = _chainmail.Model.read(path, _text(format, "format"), _whole(colors, "colors"))
    return Model._of(core, [core.name(v) for v in range(len(core))])


def _as_model(problem: Any) -> Model:
    if isinstance(problem, Model):
        return problem
    if isinstance(problem, (str, os.PathLike)):
        return read(problem)
    if hasattr(problem, "nodes") and hasattr(problem, "edges"):
        return max_cut(problem)
    return qubo(problem)
