"""solve() and sample(): options in, the library's run, results out."""
from __future__ import annotations

import errno
import os
import signal
import threading
from typing import Any, Callable, List, NamedTuple, Optional, Sequence

from . import _chainmail
from ._expression import Array
from ._model import Model, _as_model
from ._progress import bar as _bar
from ._result import Result


def _options(model: Model, given: "dict[str, Any]") -> _chainmail.Options:
    options = _chainmail.Options()
    for name, value in given.items():
        if value is None:
            continue
        if name == "initial":
            value = model._ordered(value)
        try:
            setattr(options, name, value)
        except TypeError:
            kind = type(getattr(options, name)).__name__
            hint = "a number" if kind == "NoneType" else f"a value like {getattr(options, name)!r}"
            raise TypeError(f"{name}: expected {hint}, not {value!r:.60}") from None
    return options


def _catches_interrupts() -> bool:
    """Ctrl-C is ours where it would otherwise raise KeyboardInterrupt here."""
    return (threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler)


def solve(
    problem: Any,
    *,
    seed: int = 1,
    time_limit: float = 0.0,
    sweeps: int = 0,
    target: Optional[float] = None,
    solutions: int = 1,
    trials: int = 1,
    device: str = "cpu",
    threads: int = 0,
    progress: Optional[bool] = None,
    callback: Optional[Callable[[_chainmail.Status], Any]] = None,
    initial: Any = None,
    checkpoint: str = "",
    method: str = "auto",
    sweeps_per_swap: int = 0,
    swap_sets: str = "auto",
    penalty: Optional[float] = None,
    copies: int = 1,
    placement: str = "auto",
    precision: str = "auto",
    moves: str = "single",
    xclbin: str = "",
    device_timeout: float = 10.0,
    ladder: str = "auto",
    schedule: str = "",
    betas: Sequence[float] = (),
    penalties: Sequence[float] = (),
    rows: int = 0,
    columns: int = 0,
    literal: bool = False,
    plain_penalty: bool = False,
    beta0: Optional[float] = None,
    penalty0: Optional[float] = None,
) -> Result:
    """Finds the best feasible state of a problem.

    The problem is a Model, a file's name, a networkx graph (its maximum cut), or a QUBO as a dict
    {(u, v): q}, a numpy array or a scipy.sparse matrix; see also qubo(), ising(), max_cut() and read().

    seed        the same seed gives the same result on any number of threads, and the command line's
    time_limit  seconds; 0: none. Without `sweeps` it alone ends a run
    sweeps      of every replica; 0: by the problem's size
    target      stop at a feasible objective this good
    solutions   with constraints: so many distinct answers
    trials      independent runs, of which the best answer counts; all are in Result.samples
    device      what runs the sweeps; devices() lists them
    threads     of the CPU; 0: one per core
    progress    a line that shows how far it is; None: in terminals and notebooks
    callback    is called with a Status after every round; StopIteration ends the run with the best so far
    initial     values to start from, in order or by label
    checkpoint  a file to save the run in and to resume it from

    The others are the command line's: `chainmail solve --help`. Ctrl-C ends the run with the best answer
    so far; Result.stopped_by then is "interrupt".
    """
    given = {name: value for name, value in locals().items()
             if name not in ("problem", "progress", "callback")}
    if callback is not None and not callable(callback):
        raise TypeError(f"callback: expected something to call, not {callback!r:.60}")
    if schedule and not os.path.exists(schedule):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), schedule)
    model = _as_model(problem)
    options = _options(model, {name: value if not isinstance(value, tuple) else list(value)
                               for name, value in given.items()})
    shown = _bar(progress)
    try:
        found = _chainmail.solve(model._core, options, callback, shown, _catches_interrupts())
    finally:
        if shown is not None:
            shown.close()
    return Result(found, model._labels, model._core.maximises)


class Samples(NamedTuple):
    """What sample() draws: a row for each sample of each replica."""

    beta: Array
    penalty: Array
    values: Array  # (samples, variables)
    energy: Array
    g: Array  # what constraints are violated by; 0: feasible
    labels: List[Any]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: a column for each variable, and beta, penalty, energy and g."""
        import pandas

        frame = pandas.DataFrame(self.values, columns=self.labels)
        for name in ("beta", "penalty", "energy", "g"):
            frame[name] = getattr(self, name)
        return frame


def sample(
    problem: Any,
    *,
    beta: Any = 1.0,
    penalty: Any = 0.0,
    samples: int = 1000,
    warmup: int = 100,
    sweeps: int = 50,
    seed: int = 1,
    device: str = "cpu",
    threads: int = 0,
    copies: int = 1,
    precision: str = "auto",
    progress: Optional[bool] = None,
) -> Samples:
    """Samples from exp(-beta (f + penalty * g)), f being what is minimised.

    beta and penalty may be ascending lists; replicas at all pairs then exchange states, which leaves each
    its distribution. samples: of each replica; warmup: rounds before the first; sweeps: between two.
    """
    model = _as_model(problem)
    sampling = _chainmail.Sampling()
    sampling.betas, sampling.penalties = _list(beta, "beta"), _list(penalty, "penalty")
    if min(samples, warmup, sweeps - 1) < 0:
        raise ValueError("expected samples and warmup of 0 or more, sweeps of 1 or more")
    sampling.samples, sampling.warmup, sampling.sweeps = samples, warmup, sweeps
    options = _options(model, {"seed": seed, "device": device, "threads": threads, "copies": copies,
                               "precision": precision})
    shown = _bar(progress)
    try:
        found = _chainmail.sample(model._core, sampling, options, shown, _catches_interrupts())
    finally:
        if shown is not None:
            shown.close()
    return Samples(*found, model.labels)


def _list(value: Any, name: str) -> List[float]:
    from ._expression import _numbers

    numbers = _numbers(value)
    if numbers.ndim > 1:
        raise ValueError(f"{name}: expected a number or a list of them")
    return numbers.reshape(-1).tolist()  # type: ignore[no-any-return]
