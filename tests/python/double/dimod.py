"""A small double of dimod, written to its documentation (0.12): just what a sampler meets. dimod itself is no
Debian package, so the tests of chainmail.dimod run on this."""
import abc
import collections
import enum

import numpy as np


class Vartype(enum.Enum):
    SPIN, BINARY, INTEGER, REAL = "SPIN", "BINARY", "INTEGER", "REAL"


SPIN, BINARY, INTEGER, REAL = Vartype.SPIN, Vartype.BINARY, Vartype.INTEGER, Vartype.REAL


class Sense(enum.Enum):
    Le, Ge, Eq = "<=", ">=", "=="


class Quadratic:
    """linear, quadratic and offset, and energies of samples, as BQM, QM and a CQM's views have them."""

    def __init__(self, linear=(), quadratic=(), offset=0.0):
        self.linear, self.quadratic, self.offset = dict(linear), dict(quadratic), offset

    @property
    def variables(self):
        pairs = [v for pair in self.quadratic for v in pair]
        return list(dict.fromkeys([*self.linear, *pairs]))

    def energies(self, samples_like):
        rows, labels = as_samples(samples_like)
        column = {v: rows[:, k].astype(float) for k, v in enumerate(labels)}
        energy = np.full(len(rows), float(self.offset))
        for v, bias in self.linear.items():
            energy += bias * column[v]
        for (u, v), bias in self.quadratic.items():
            energy += bias * column[u] * column[v]
        return energy

    soft = None  # (weight, penalty)

    def is_soft(self):
        return self.soft is not None

    def weight(self):
        return self.soft[0]

    def penalty(self):
        return self.soft[1]


class BinaryQuadraticModel(Quadratic):
    def __init__(self, linear, quadratic, offset, vartype):
        super().__init__(linear, quadratic, offset)
        for v in self.variables:
            self.linear.setdefault(v, 0.0)
        self.vartype = vartype

    @classmethod
    def from_ising(cls, h, J, offset=0.0):
        return cls(h if isinstance(h, dict) else dict(enumerate(h)), J, offset, SPIN)

    @classmethod
    def from_qubo(cls, Q, offset=0.0):
        linear = {u: bias for (u, v), bias in Q.items() if u == v}
        return cls(linear, {pair: bias for pair, bias in Q.items() if pair[0] != pair[1]}, offset, BINARY)


class BinaryPolynomial(dict):
    """By the frozenset of a term's variables; there are no squares."""

    def __init__(self, poly, vartype):
        super().__init__({frozenset(term): bias for term, bias in dict(poly).items()})
        self.vartype = vartype

    @classmethod
    def from_hising(cls, h, J, offset=None):
        return cls({**{(v,): bias for v, bias in h.items()}, **J, **({} if offset is None else {(): offset})}, SPIN)

    @classmethod
    def from_hubo(cls, H, offset=None):
        return cls({**H, **({} if offset is None else {(): offset})}, BINARY)

    @property
    def variables(self):
        return set().union(*self)

    def energies(self, samples_like):
        rows, labels = as_samples(samples_like)
        column = {v: rows[:, k].astype(float) for k, v in enumerate(labels)}
        energy = np.zeros(len(rows))
        for term, bias in self.items():
            energy += bias * np.prod([column[v] for v in term], axis=0)
        return energy


Comparison = collections.namedtuple("Comparison", "lhs sense rhs")


class ConstrainedQuadraticModel:
    def __init__(self):
        self._variables, self.objective, self.constraints = {}, Quadratic(), {}

    @property
    def variables(self):
        return list(self._variables)

    def add_variable(self, vartype, v, lower_bound=0, upper_bound=1):
        self._variables[v] = (vartype, lower_bound, upper_bound)

    def vartype(self, v):
        return self._variables[v][0]

    def lower_bound(self, v):
        return self._variables[v][1]

    def upper_bound(self, v):
        return self._variables[v][2]


def as_samples(samples_like):
    """A two-dimensional array and the labels of its columns."""
    if isinstance(samples_like, tuple):
        rows, labels = samples_like
    elif isinstance(samples_like, dict):
        rows, labels = [list(samples_like.values())], list(samples_like)
    elif samples_like and isinstance(samples_like[0], dict):
        labels = list(samples_like[0])
        rows = [[row[v] for v in labels] for row in samples_like]
    else:
        rows, labels = np.atleast_2d(samples_like), None
    rows = np.asarray(rows)
    rows = rows.reshape(len(rows), len(labels)) if labels is not None else rows
    return rows, list(labels) if labels is not None else list(range(rows.shape[1]))


class SampleSet:
    def __init__(self, rows, labels, vartype, info, vectors):
        self.variables, self.vartype, self.info = labels, vartype, info
        self.record = collections.namedtuple("Record", ["sample", *vectors])(rows, **vectors)

    @classmethod
    def from_samples(cls, samples_like, vartype, energy, info=None, **vectors):
        rows, labels = as_samples(samples_like)
        vectors = {"energy": np.asarray(energy), "num_occurrences": np.ones(len(rows), int), **vectors}
        return cls(rows, labels, vartype, dict(info or {}), vectors)

    @classmethod
    def from_samples_bqm(cls, samples_like, bqm, **kwargs):
        return cls.from_samples(samples_like, vartype=bqm.vartype, energy=bqm.energies(samples_like), **kwargs)

    @classmethod
    def from_samples_cqm(cls, samples_like, cqm, rtol=1e-6, atol=1e-8, info=None):
        satisfied = []
        for lhs, sense, rhs in cqm.constraints.values():
            over = lhs.energies(samples_like) - rhs
            off = {Sense.Le: over, Sense.Ge: -over, Sense.Eq: abs(over)}[sense]
            satisfied.append(off <= atol + rtol * abs(rhs))
        satisfied = np.array(satisfied).T.reshape(len(as_samples(samples_like)[0]), -1)
        info = {**(info or {}), "constraint_labels": list(cqm.constraints)}
        return cls.from_samples(samples_like, INTEGER, cqm.objective.energies(samples_like), info,
                                is_satisfied=satisfied, is_feasible=satisfied.all(axis=1))

    def __len__(self):
        return len(self.record.sample)

    @property
    def first(self):
        k = int(np.argmin(self.record.energy))
        Sample = collections.namedtuple("Sample", "sample energy")
        return Sample(dict(zip(self.variables, self.record.sample[k].tolist())), self.record.energy[k])


class Sampler(abc.ABC):
    """One of the three methods is to be written; the others follow from it."""

    @property
    @abc.abstractmethod
    def parameters(self):
        """Keywords of the sample methods, each with the properties that belong to it."""

    @property
    @abc.abstractmethod
    def properties(self):
        """What else there is to know of it."""

    def sample(self, bqm, **parameters):
        raise NotImplementedError

    def sample_ising(self, h, J, **parameters):
        return self.sample(BinaryQuadraticModel.from_ising(h, J), **parameters)

    def sample_qubo(self, Q, **parameters):
        return self.sample(BinaryQuadraticModel.from_qubo(Q), **parameters)


class PolySampler(abc.ABC):
    """sample_poly is to be written; the others follow from it."""

    @property
    @abc.abstractmethod
    def parameters(self):
        """As a Sampler's."""

    @property
    @abc.abstractmethod
    def properties(self):
        """As a Sampler's."""

    @abc.abstractmethod
    def sample_poly(self, polynomial, **parameters):
        """A sample set of a binary polynomial."""

    def sample_hising(self, h, J, **parameters):
        return self.sample_poly(BinaryPolynomial.from_hising(h, J), **parameters)

    def sample_hubo(self, H, **parameters):
        return self.sample_poly(BinaryPolynomial.from_hubo(H), **parameters)
