# SPDX-License-Identifier: Apache-2.0
"""Samplers for dimod: ChainmailSampler for binary quadratic models and polynomials, ChainmailCQMSampler for
constrained models. Written to dimod's documented interface (0.12); needs dimod, which is not installed with Chainmail.
"""
from __future__ import annotations

from typing import Any, Callable, Collection, Dict, Hashable, List, Mapping, Optional, Tuple

import numpy as np

try:
    import dimod as _dimod
except ImportError as missing:
    raise ImportError("chainmail.dimod needs the package dimod") from missing

from . import _chainmail
from ._model import Model
from ._sample import sample as _sample
from ._solve import solve as _solve

__all__ = ["ChainmailCQMSampler", "ChainmailSampler"]


class ChainmailSampler(_dimod.Sampler, _dimod.PolySampler):  # type: ignore[misc]
    """The lowest states of a binary quadratic model or polynomial or, with beta_range, Boltzmann samples of it.

    num_reads       rows of the sample set: the best states of this many independent runs
    seed            the same seed gives the same samples
    initial_states  a state (dict, or anything dimod.as_samples takes) that every run starts from
    beta_range      [hot, cold]: samples at the cold end, from replicas between the two that exchange states;
                    no search then, and num_reads samples
    Any other keyword is one of chainmail.solve(): time_limit, sweeps, target, device, threads, ...
    """

    @property
    def parameters(self) -> Dict[str, List[str]]:
        names = ["num_reads", "seed", "initial_states", "beta_range", "time_limit", "sweeps", "target", "device",
                 "threads", "copies", "method", "precision"]
        return {name: [] for name in names}

    @property
    def properties(self) -> Dict[str, Any]:
        return {"version": _chainmail.version, "devices": _chainmail.devices()}

    def sample(self, bqm: Any, **parameters: Any) -> Any:
        labels = list(bqm.variables)
        return _sampled(bqm, labels, lambda core, number: _set_objective(core, _terms(bqm, number)), **parameters)

    def sample_poly(self, polynomial: Any, **parameters: Any) -> Any:
        def set_objective(core: _chainmail.Model, number: Mapping[Hashable, int]) -> None:
            for term, bias in polynomial.items():
                core.add_product([number[v] for v in term], float(bias))

        # A set has no order of its own, and the order decides which samples a seed gives.
        labels = sorted(polynomial.variables, key=lambda label: (type(label).__name__, repr(label)))
        return _sampled(polynomial, labels, set_objective, **parameters)

    # sample_ising, sample_qubo, sample_hising and sample_hubo come from dimod, which makes models of them.


class ChainmailCQMSampler:
    """Solutions of a constrained quadratic model: binaries, spins and integers; linear constraints, hard or soft with
    penalty 'linear', and products that are zero.

    The sample set has is_feasible and is_satisfied, feasible rows first, and the constraints' labels in
    info["constraint_labels"].
    """

    @property
    def parameters(self) -> Dict[str, List[str]]:
        names = ["time_limit", "num_reads", "seed", "initial_states", "sweeps", "target", "solutions", "device",
                 "threads"]
        return {name: [] for name in names}

    @property
    def properties(self) -> Dict[str, Any]:
        return {"version": _chainmail.version, "devices": _chainmail.devices()}

    def sample_cqm(self, cqm: Any, time_limit: Optional[float] = None, *, num_reads: int = 1, seed: int = 1,
                   initial_states: Any = None, **parameters: Any) -> Any:
        if num_reads < 1:
            raise ValueError(f"num_reads: expected 1 or more, not {num_reads}")
        labels = list(cqm.variables)
        model = _constrained_model_of(cqm, labels)
        spins = _spins_of(cqm)
        initial = None if initial_states is None else {
            label: int(value > 0) if label in spins else value
            for label, value in _state_of(initial_states, labels).items()}
        result = _solve(model, trials=num_reads, seed=seed, initial=initial, time_limit=time_limit or 0.0,
                        **parameters)
        values = result.samples.values  # feasible first, then by energy
        for label in spins:
            values[:, labels.index(label)] = 2 * values[:, labels.index(label)] - 1
        return _dimod.SampleSet.from_samples_cqm((values, labels), cqm, info=_info_of(result))


def _sampled(of: Any, labels: List[Hashable], set_objective: Callable[[_chainmail.Model, Mapping[Hashable, int]], None],
             *, num_reads: int = 1, seed: int = 1, initial_states: Any = None, beta_range: Any = None,
             **parameters: Any) -> Any:
    if num_reads < 1:
        raise ValueError(f"num_reads: expected 1 or more, not {num_reads}")
    if not labels:
        return _dimod.SampleSet.from_samples(([], labels), vartype=of.vartype, energy=[])
    core = _chainmail.Model()
    (core.add_spins if of.vartype is _dimod.SPIN else core.add_binaries)(len(labels))
    set_objective(core, {label: k for k, label in enumerate(labels)})
    model = Model._of(core, labels)
    if beta_range is not None:
        if initial_states is not None:
            raise ValueError("initial_states and beta_range exclude each other")
        hot, cold = (float(beta) for beta in beta_range)
        betas = np.geomspace(hot, cold, 8) if cold > hot else [cold]
        drawn = _sample(model, beta=betas, samples=num_reads, seed=seed, **parameters)
        values, info = drawn.values[drawn.beta == drawn.beta[-1]], {}
    else:
        initial = None if initial_states is None else _state_of(initial_states, labels)
        result = _solve(model, trials=num_reads, seed=seed, initial=initial, **parameters)
        values, info = result.samples[:num_reads].values, _info_of(result)
    rows = (values.astype(np.int8), labels)
    return _dimod.SampleSet.from_samples(rows, vartype=of.vartype, energy=of.energies(rows), info=info)


def _spins_of(cqm: Any) -> "set[Hashable]":
    return {v for v in cqm.variables if cqm.vartype(v) is _dimod.SPIN}


def _info_of(result: Any) -> Dict[str, Any]:
    return {"timing": {"seconds": result.seconds}, "stopped_by": result.stopped_by, "sweeps": result.sweeps,
            "notes": result.notes}


def _state_of(states: Any, labels: List[Hashable]) -> "dict[Hashable, Any]":
    """One state by label; of several the first."""
    if isinstance(states, Mapping):
        return dict(states)
    rows, names = _dimod.as_samples(states)
    if len(rows) != 1:
        raise ValueError(f"initial_states: expected one state, found {len(rows)}")
    return dict(zip(names, rows[0]))


_Terms = Tuple[float, List[Tuple[int, float]], List[Tuple[int, int, float]]]


def _terms(model: Any, number: Mapping[Hashable, int], spins: Collection[Hashable] = ()) -> _Terms:
    """Offset, linear and quadratic part of a dimod model, by the variables' numbers; of `spins`, s = 2 b - 1, in b."""
    offset, linear, quadratic = float(model.offset), [], []
    for v, bias in model.linear.items():
        linear.append((number[v], float(bias) * (2 if v in spins else 1)))
        offset -= float(bias) if v in spins else 0.0
    for (u, v), bias in model.quadratic.items():
        (a, c), (b, d) = ((2.0, -1.0) if w in spins else (1.0, 0.0) for w in (u, v))
        quadratic.append((number[u], number[v], a * b * float(bias)))
        linear += [(number[w], part * float(bias)) for w, part in ((u, a * d), (v, b * c)) if part]
        offset += c * d * float(bias)
    return offset, linear, quadratic


def _set_objective(core: _chainmail.Model, terms: _Terms) -> None:
    offset, linear, quadratic = terms
    core.add_constant(offset)
    core.add_linear(np.array([v for v, _ in linear], np.int64), np.array([c for _, c in linear], float))
    core.add_triplets(np.array([u for u, _, _ in quadratic], np.int64),
                      np.array([v for _, v, _ in quadratic], np.int64),
                      np.array([c for _, _, c in quadratic], float))


def _constrained_model_of(cqm: Any, labels: List[Hashable]) -> Model:
    core = _chainmail.Model()
    for k, label in enumerate(labels):
        kind = cqm.vartype(label)
        if kind in (_dimod.BINARY, _dimod.SPIN):
            core.add_binary(f"v{k}")
        elif kind is _dimod.INTEGER:
            lower, upper = cqm.lower_bound(label), cqm.upper_bound(label)
            core.add_integer(int(np.ceil(lower)), int(np.floor(upper)), f"v{k}")
        else:
            raise ValueError(f"variable {label!r}: expected BINARY, SPIN or INTEGER, found {kind.name}")
    number = {label: k for k, label in enumerate(labels)}
    spins = _spins_of(cqm)
    _set_objective(core, _terms(cqm.objective, number, spins))
    for k, (label, constraint) in enumerate(cqm.constraints.items()):
        left = constraint.lhs
        price = 0.0
        if getattr(left, "is_soft", None) is not None and left.is_soft():
            if left.penalty() != "linear":
                raise ValueError(f"constraint {label!r}: expected the penalty 'linear', found {left.penalty()!r}")
            price = float(left.weight())
        offset, linear, quadratic = _terms(left, number, spins)
        products = [(u, v, bias) for u, v, bias in quadratic if bias != 0.0]
        right = float(constraint.rhs) - offset
        sense = constraint.sense.value
        if products and (any(bias != 0.0 for _, bias in linear) or right != 0.0 or price > 0.0
                         or not (sense == "==" and len(products) == 1
                                 or sense != ">=" and all(bias > 0.0 for _, _, bias in products))):
            raise ValueError(f"constraint {label!r}: expected a linear one, or products that are zero")
        lower = -np.inf if sense == "<=" else right
        upper = np.inf if sense == ">=" else right
        core.add_constraint(f"c{k}", [v for v, _ in linear], [c for _, c in linear], lower, upper, products, price,
                            None)
    return Model._of(core, labels)
