# SPDX-License-Identifier: Apache-2.0
"""Sampling: sample(), chains that go on (Sampler), and what samples tell (Samples)."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _chainmail
from ._expression import Array, _numbers
from ._model import Model, _as_model, _whole
from ._progress import bar as _bar
from ._run import _catches_interrupts, _options


class Samples(NamedTuple):
    """What sample() draws: a row for each sample of each replica."""

    beta: Array
    penalty: Array
    values: Array  # (samples, variables)
    energy: Array
    g: Array  # what constraints are violated by; 0: feasible
    labels: List[Any]
    replica: Array  # which of the replicas, from 0; rows of one round stand together
    edges: Array  # (edges, 2): the pairs of variables that the objective couples

    def at(self, beta: float, penalty: Optional[float] = None) -> "Samples":
        """Those of one beta (and one penalty)."""
        rows = self.beta == beta
        if penalty is not None:
            rows &= self.penalty == penalty
        if not np.any(rows):
            raise ValueError(f"no samples at beta {beta}" + (f", penalty {penalty}" if penalty is not None else ""))
        return self._replace(**{name: getattr(self, name)[rows]
                                for name in ("beta", "penalty", "values", "energy", "g", "replica")})

    @property
    def means(self) -> Array:
        """The mean of every variable."""
        return self._one_distribution().values.mean(axis=0)

    @property
    def correlations(self) -> Array:
        """The mean of the product of the two variables of every edge."""
        values = self._one_distribution().values
        return np.array([values[:, i] @ values[:, j] for i, j in self.edges.tolist()], float) / len(values)

    @property
    def counts(self) -> Tuple[Array, Array]:
        """The states that occur, a row each, and how often each of them does."""
        states, counts = np.unique(self._one_distribution().values, axis=0, return_counts=True)
        return states, counts

    def autocorrelation_time(self, of: Any = None) -> float:
        """Rounds between two independent ones: 1 + 2 (sum of autocorrelations) of the energy, or of a number per row.

        Replicas at the same beta exchange states, so it is that of their mean in each round.
        """
        return _autocorrelation_time(self._rounds(of))

    def effective_size(self, of: Any = None) -> float:
        """How many independent samples would tell the mean of the energy, or of a number per row, as well."""
        each = self._column(of)
        rounds = self._rounds(of)
        spread = float(rounds.var())
        if spread == 0.0:
            return float(len(each))
        return float(each.var()) / (spread * _autocorrelation_time(rounds) / len(rounds))

    def _one_distribution(self) -> "Samples":
        if np.ptp(self.beta) > 0.0 or np.ptp(self.penalty) > 0.0:
            raise ValueError("expected samples of one beta and one penalty; at(beta, penalty) chooses them")
        return self

    def _column(self, of: Any) -> Array:
        column = self._one_distribution().energy if of is None else _numbers(of)
        if column.shape != (len(self.beta),):
            raise ValueError(f"expected {len(self.beta)} numbers, found shape {column.shape}")
        return column

    def _rounds(self, of: Any) -> Array:
        """The mean over the replicas, round by round."""
        column = self._column(of)
        replicas = len(np.unique(self.replica))
        if len(column) < 2 * replicas:
            raise ValueError("expected at least two rounds of samples")
        return column.reshape(-1, replicas).mean(axis=1)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: a column for each variable, and beta, penalty, energy and g."""
        import pandas

        frame = pandas.DataFrame(self.values, columns=self.labels)
        for name in ("beta", "penalty", "energy", "g"):
            frame[name] = getattr(self, name)
        return frame

    def __repr__(self) -> str:
        if not len(self.beta):
            return "Samples(0 rows)"
        betas = np.unique(self.beta)
        shown = f"beta {betas[0]:g}" + (f" to {betas[-1]:g}" if len(betas) > 1 else "")
        return (f"Samples({len(self.beta)} rows of {self.values.shape[1]} variables, "
                f"{len(np.unique(self.replica))} replicas, {shown}, energy {self.energy.min():g} to "
                f"{self.energy.max():g})")


def _autocorrelation_time(series: Array) -> float:
    """Summed up to the first window of five times itself (Sokal), where noise would take over."""
    n = len(series)
    centred = series - series.mean()
    if not np.any(centred):
        return 1.0
    spectrum = np.fft.rfft(centred, 2 * n)
    correlation = np.fft.irfft(spectrum * np.conj(spectrum))[:n]
    times = 2.0 * np.cumsum(correlation / correlation[0]) - 1.0
    enough = np.arange(n) >= 5.0 * times
    return max(1.0, float(times[np.argmax(enough)] if np.any(enough) else times[-1]))


class Sampler:
    """Chains that go on: replicas keep their states between calls of step(), and when the model changes.

    >>> chains = Sampler(ising({(0, 1): -1.0}), beta=0.5, chains=8)
    >>> len(chains.step(100).energy)
    800

    beta and penalty may be ascending lists; replicas at all pairs then exchange states, and each keeps its
    distribution exp(-beta (f + penalty * g)). chains: how many replicas at each beta; fixed: values of some variables
    by label, the rest is drawn given those; sweeps: between two samples; warmup: rounds before the first of all.
    """

    def __init__(
        self,
        problem: Any,
        *,
        beta: Any = 1.0,
        penalty: Any = 0.0,
        chains: int = 1,
        fixed: Any = None,
        initial: Any = None,
        warmup: int = 100,
        sweeps: int = 50,
        seed: int = 1,
        device: str = "cpu",
        threads: int = 0,
        copies: int = 1,
        precision: str = "auto",
    ) -> None:
        self.model = _as_model(problem)
        if min(_whole(warmup, "warmup"), _whole(sweeps, "sweeps") - 1, _whole(chains, "chains") - 1) < 0:
            raise ValueError("expected warmup of 0 or more, sweeps and chains of 1 or more")
        self._sampling = _chainmail.Sampling()
        betas, penalties = _list(beta, "beta"), _list(penalty, "penalty")
        self._sampling.betas, self._sampling.penalties = np.repeat(betas, chains).tolist(), penalties
        self._sampling.warmup, self._sampling.sweeps = warmup, sweeps
        self._fixed = fixed
        self._options = _options(self.model, {"seed": seed, "device": device, "threads": threads, "copies": copies,
                                              "precision": precision})
        self._seed = self._options.seed
        self._calls = 0
        self._replicas = len(betas) * chains * len(penalties)
        if initial is not None:
            state = self.model._ordered(initial)
            self._sampling.initial = [state.tolist()] * self._replicas

    @property
    def states(self) -> Array:
        """The present state of every replica, a row each; empty before the first step."""
        return np.array(self._sampling.initial, np.int64)

    def update(self, problem: Any) -> None:
        """Other numbers for the same variables: the replicas go on from where they are."""
        model = _as_model(problem)
        if model.labels != self.model.labels:
            raise ValueError("expected a problem of the same variables")
        self.model = model

    def step(self, samples: int = 1, *, progress: Optional[bool] = False) -> Samples:
        """The next samples, this many of each replica."""
        if _whole(samples, "samples") < 1:
            raise ValueError("expected samples of 1 or more")
        self._sampling.samples = samples
        # Other noise in every call.
        self._options.seed = (self._seed + self._calls * 0x9E3779B97F4A7C15) % (1 << 64)
        self._options.fixed = [] if self._fixed is None else self.model._numbered(self._fixed)
        with _bar(progress) as shown:
            found = _chainmail.sample(self.model._core, self._sampling, self._options, shown, _catches_interrupts())
        rows = len(found[0])
        drawn = Samples(*found, self.model.labels, np.arange(rows) % self._replicas,
                        np.array(self.model._core.edges, np.int64).reshape(-1, 2))
        if rows:
            self._sampling.initial = drawn.values[-self._replicas:].tolist()
            self._sampling.warmup = 0
        self._calls += 1
        return drawn


def sample(
    problem: Any,
    *,
    beta: Any = 1.0,
    penalty: Any = 0.0,
    chains: int = 1,
    fixed: Any = None,
    initial: Any = None,
    samples: int = 1000,
    warmup: int = 100,
    sweeps: int = 50,
    seed: int = 1,
    device: str = "cpu",
    threads: int = 0,
    copies: int = 1,
    precision: str = "auto",
    progress: Optional[bool] = None,
    num_reads: Optional[int] = None,
    num_sweeps: Optional[int] = None,
) -> Samples:
    """Samples from exp(-beta (f + penalty * g)), where f is what is minimised.

    The options are those of Sampler, whose first step this is. samples, or num_reads: of each replica; sweeps, or
    num_sweeps: between two samples.
    """
    sampler = Sampler(problem, beta=beta, penalty=penalty, chains=chains, fixed=fixed, initial=initial, warmup=warmup,
                      sweeps=sweeps if num_sweeps is None else num_sweeps, seed=seed, device=device, threads=threads,
                      copies=copies, precision=precision)
    return sampler.step(samples if num_reads is None else num_reads, progress=progress)


def _list(value: Any, name: str) -> List[float]:
    numbers = _numbers(value)
    if numbers.ndim > 1:
        raise ValueError(f"{name}: expected a number or a list of them")
    return numbers.reshape(-1).tolist()  # type: ignore[no-any-return]
