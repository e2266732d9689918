# SPDX-License-Identifier: Apache-2.0
"""Expressions over a model's variables, as numpy arrays of terms: `w @ x <= c`, `x @ Q @ x`.

An expression has a shape, like an array. Each of its elements is a constant, linear terms and
products of variables; terms carry the element they belong to.
"""
from __future__ import annotations

from typing import Any, Iterator, NamedTuple, Optional, Sequence, Tuple

import numpy as np

Array = Any  # numpy's own types need more than mypy's stubs of old versions know


class _Terms(NamedTuple):
    """coefficient[k] * product of the variables in variables[k], in the element element[k]."""

    element: Array  # (n,)
    variables: Array  # (n, degree)
    coefficient: Array  # (n,)

    @staticmethod
    def none(degree: int) -> "_Terms":
        return _Terms(np.zeros(0, np.int64), np.zeros((0, degree), np.int64), np.zeros(0))

    def joined(self, other: "_Terms") -> "_Terms":
        if not len(self.element):
            return other
        if not len(other.element):
            return self
        return _Terms(*(np.concatenate(pair) for pair in zip(self, other)))

    def scaled(self, factors: Array) -> "_Terms":
        """Every element times its factor."""
        return self._replace(coefficient=self.coefficient * factors[self.element])

    def picked(self, chosen: Array, size: int) -> "_Terms":
        """Element k becomes what element chosen[k] was; an element may be chosen often."""
        if not len(self.element):
            return self
        order = np.argsort(self.element, kind="stable")
        count = np.bincount(self.element, minlength=size)
        first = np.cumsum(count) - count
        element, at = _runs(first[chosen], count[chosen])
        return _Terms(element, self.variables[order][at], self.coefficient[order][at])


def _runs(first: Array, count: Array) -> Tuple[Array, Array]:
    """For every k the numbers first[k], first[k] + 1, ..., count[k] of them, with k for each."""
    owner = np.repeat(np.arange(len(count)), count)
    start = np.cumsum(count) - count
    return owner, np.arange(len(owner)) - start[owner] + first[owner]


def _numbers(value: Any) -> Array:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"expected real numbers, found {value!r:.60}")
    array = array.astype(np.float64, copy=False)
    if not np.all(np.isfinite(array)):
        raise ValueError("expected finite numbers")
    return array


def _common_shape(a: Tuple[int, ...], b: Tuple[int, ...]) -> Tuple[int, ...]:
    # numpy.broadcast_shapes came with 1.20 only.
    shape: Tuple[int, ...] = np.broadcast(np.broadcast_to(0, a), np.broadcast_to(0, b)).shape
    return shape


def _is_sparse(value: Any) -> bool:
    return hasattr(value, "tocoo") and hasattr(value, "shape")


class Constraint:
    """lower <= expression <= upper, element by element; for Model.add()."""

    def __init__(self, expression: "Expression", lower: Array, upper: Array) -> None:
        self.expression, self.lower, self.upper = expression, lower, upper

    def __bool__(self) -> bool:
        raise TypeError("a constraint has no truth value; write a <= x and x <= b as two constraints")

    def __repr__(self) -> str:
        return f"<Constraint of shape {self.expression.shape}>"


class Expression:
    """Made by Model.binary(), Model.spin() and Model.integer(), and by arithmetic on these."""

    __array_ufunc__ = None  # so that numpy leaves `array * expression` to the methods below
    __hash__ = None  # type: ignore[assignment]  # == makes a constraint

    def __init__(self, model: Any, shape: Tuple[int, ...], constant: Array, terms: Sequence[_Terms] = ()) -> None:
        self.model, self.shape, self._constant = model, shape, constant
        self._terms = (*terms, *(_Terms.none(degree) for degree in range(len(terms) + 1, 3)))  # by degree, from 1

    @property
    def _linear(self) -> _Terms:
        return self._terms[0]

    @property
    def _products(self) -> _Terms:
        """Of two."""
        return self._terms[1]

    @classmethod
    def _of_variables(cls, model: Any, variables: Array) -> "Expression":
        flat = variables.reshape(-1)
        n = len(flat)
        linear = _Terms(np.arange(n), flat[:, None].astype(np.int64), np.ones(n))
        return cls(model, variables.shape, np.zeros(n), [linear])

    def __array__(self, dtype: Any = None) -> Array:
        """One object: numpy and scipy must not take an expression apart."""
        box = np.empty((), dtype=object)
        box[()] = self
        return box

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def T(self) -> "Expression":
        return self._take(np.arange(self.size).reshape(self.shape).T)

    def reshape(self, *shape: Any) -> "Expression":
        return self._take(np.arange(self.size).reshape(*shape))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single expression has no length")
        return self.shape[0]

    def __getitem__(self, key: Any) -> "Expression":
        return self._take(np.asarray(np.arange(self.size).reshape(self.shape)[key]))

    def __iter__(self) -> Iterator["Expression"]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return f"<Expression of shape {self.shape}, {sum(len(of.element) for of in self._terms)} terms>"

    def _take(self, chosen: Array) -> "Expression":
        flat = chosen.reshape(-1)
        return Expression(self.model, chosen.shape, self._constant[flat],
                          [of.picked(flat, self.size) for of in self._terms])

    def _spread(self, shape: Tuple[int, ...]) -> "Expression":
        if shape == self.shape:
            return self
        return self._take(np.broadcast_to(np.arange(self.size).reshape(self.shape), shape))

    def _collected(self, target: Array, shape: Tuple[int, ...]) -> "Expression":
        """Sums: element k is added to element target[k]."""
        size = int(np.prod(shape, dtype=np.int64))
        constant = np.bincount(target, self._constant, minlength=size) if self.size else np.zeros(size)
        return Expression(self.model, shape, constant,
                          [of._replace(element=target[of.element]) for of in self._terms])

    def sum(self, axis: Optional[int] = None) -> "Expression":
        """The sum of all elements, or along an axis."""
        if axis is None:
            return self._collected(np.zeros(self.size, np.int64), ())
        axis = range(self.ndim)[axis]
        shape = self.shape[:axis] + self.shape[axis + 1:]
        numbers = np.expand_dims(np.arange(int(np.prod(shape, dtype=np.int64))).reshape(shape), axis)
        return self._collected(np.broadcast_to(numbers, self.shape).reshape(-1), shape)

    def value(self, values: Array) -> Array:
        """Its value if variable k has values[k]: a number, or an array of its shape."""
        values = np.asarray(values)
        result = self._constant.copy()
        for terms in self._terms:
            np.add.at(result, terms.element, terms.coefficient * values[terms.variables].prod(axis=1))
        return result.reshape(self.shape)[()]

    # ---- arithmetic --------------------------------------------------------------------------

    def _of(self, other: Any) -> "Expression":
        if isinstance(other, Expression):
            if other.model is not self.model:
                raise ValueError("expressions of two models cannot be combined")
            return other
        numbers = _numbers(other)
        return Expression(self.model, numbers.shape, numbers.reshape(-1))

    def __add__(self, other: Any) -> "Expression":
        right = self._of(other)
        shape = _common_shape(self.shape, right.shape)
        a, b = self._spread(shape), right._spread(shape)
        return Expression(self.model, shape, a._constant + b._constant, _joined(a._terms, b._terms))

    def __neg__(self) -> "Expression":
        return self * -1.0

    def __sub__(self, other: Any) -> "Expression":
        return self + -self._of(other)

    def __rsub__(self, other: Any) -> "Expression":
        return self._of(other) + -self

    def __mul__(self, other: Any) -> "Expression":
        right = self._of(other)
        shape = _common_shape(self.shape, right.shape)
        a, b = self._spread(shape), right._spread(shape)
        terms = _joined([of.scaled(b._constant) for of in a._terms], [of.scaled(a._constant) for of in b._terms])
        for p, of_a in enumerate(a._terms):
            for q, of_b in enumerate(b._terms):
                if len(of_a.element) and len(of_b.element):
                    lower = [_Terms.none(degree) for degree in range(1, p + q + 2)]
                    terms = _joined(terms, [*lower, _crossed(of_a, of_b, a.size)])
        return Expression(self.model, shape, a._constant * b._constant, terms)

    def __truediv__(self, other: Any) -> "Expression":
        with np.errstate(divide="ignore"):
            quotient: Expression = self * (1.0 / _numbers(other))
        return quotient

    def __pow__(self, exponent: Any) -> "Expression":
        if exponent not in (2, 3, 4):
            raise ValueError("expected ** 2, 3 or 4")
        power = self
        for _ in range(1, int(exponent)):
            power = power * self
        return power

    def __matmul__(self, other: Any) -> "Expression":
        if isinstance(other, Expression):
            if self.ndim != 1 or other.shape != self.shape:
                raise ValueError(f"cannot multiply shapes {self.shape} and {other.shape}")
            return (self * other).sum()
        return self._under(other if _is_sparse(other) else _numbers(other), transposed=True)

    def __rmatmul__(self, other: Any) -> "Expression":
        return self._under(other if _is_sparse(other) else _numbers(other), transposed=False)

    def _under(self, matrix: Any, transposed: bool) -> "Expression":
        """matrix @ self, or self @ matrix."""
        if matrix.ndim == 2 and transposed:
            matrix = matrix.T
        if self.ndim != 1 or matrix.ndim not in (1, 2) or matrix.shape[-1] != self.size:
            raise ValueError(f"cannot multiply shapes {matrix.shape} and {self.shape}")
        if _is_sparse(matrix):
            entries = matrix.tocoo()
            row, column, value = entries.row, entries.col, _numbers(entries.data)
        elif matrix.ndim == 1:
            column = np.flatnonzero(matrix)
            row, value = np.zeros(len(column), np.int64), matrix[column]
        else:
            row, column = np.nonzero(matrix)
            value = matrix[row, column]
        spread: Expression = self._take(np.asarray(column, np.int64)) * value
        return spread._collected(np.asarray(row, np.int64), matrix.shape[:-1])

    __radd__, __rmul__ = __add__, __mul__

    # ---- comparisons make constraints --------------------------------------------------------

    def _between(self, other: Any, lower: float, upper: float) -> Constraint:
        left: Expression = self - other
        limits = -left._constant
        left = Expression(self.model, left.shape, np.zeros(left.size), left._terms)
        return Constraint(left, limits + lower, limits + upper)

    def __le__(self, other: Any) -> Constraint:
        return self._between(other, -np.inf, 0.0)

    def __ge__(self, other: Any) -> Constraint:
        return self._between(other, 0.0, np.inf)

    def __eq__(self, other: Any) -> Constraint:  # type: ignore[override]
        return self._between(other, 0.0, 0.0)

    def __ne__(self, other: Any) -> Constraint:  # type: ignore[override]
        raise TypeError("!= is not a constraint; expected <=, >= or ==")


def _joined(a: Sequence[_Terms], b: Sequence[_Terms]) -> "list[_Terms]":
    """Sums, degree by degree."""
    longer = a if len(a) > len(b) else b
    return [*(of_a.joined(of_b) for of_a, of_b in zip(a, b)), *longer[min(len(a), len(b)):]]


def _crossed(a: _Terms, b: _Terms, size: int) -> _Terms:
    """Products of every term of a with every one of b in the same element."""
    order = np.argsort(b.element, kind="stable")
    count = np.bincount(b.element, minlength=size)
    first = np.cumsum(count) - count
    mine, at = _runs(first[a.element], count[a.element])
    other = order[at]
    pairs = np.concatenate([a.variables[mine], b.variables[other]], axis=1)
    return _Terms(a.element[mine], pairs, a.coefficient[mine] * b.coefficient[other])
