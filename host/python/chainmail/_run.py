# SPDX-License-Identifier: Apache-2.0
"""What solve() and sample() share, and sample()."""
from __future__ import annotations

import difflib
import signal
import threading
from typing import Any, List, NamedTuple, Optional

from . import _chainmail
from ._expression import Array
from ._model import Model, _as_model
from ._progress import bar as _bar


def _options(model: Model, given: "dict[str, Any]") -> _chainmail.Options:
    options = _chainmail.Options()
    for name, value in given.items():
        if not hasattr(options, name):
            near = difflib.get_close_matches(name, [row[0] for row in _chainmail.option_table()], 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise TypeError(f"unexpected option {name!r}{hint}")
        if value is None:
            continue
        if name == "initial":
            value = model._ordered(value)
        elif isinstance(value, tuple):
            value = list(value)
        try:
            setattr(options, name, value)
        except TypeError:
            kind = type(getattr(options, name)).__name__
            hint = "a number" if kind == "NoneType" else f"a value like {getattr(options, name)!r}"
            raise TypeError(f"{name}: expected {hint}, not {value!r:.60}") from None
    return options


def _catches_interrupts() -> bool:
    """We handle Ctrl-C if it would otherwise raise KeyboardInterrupt here."""
    return (threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler)


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
    """Samples from exp(-beta (f + penalty * g)), where f is what is minimised.

    beta and penalty may be ascending lists; replicas at all pairs then exchange states, and each
    keeps its distribution. samples: per replica; warmup: rounds before the first; sweeps: between two samples.
    """
    model = _as_model(problem)
    sampling = _chainmail.Sampling()
    sampling.betas, sampling.penalties = _list(beta, "beta"), _list(penalty, "penalty")
    if min(samples, warmup, sweeps - 1) < 0:
        raise ValueError("expected samples and warmup of 0 or more, sweeps of 1 or more")
    sampling.samples, sampling.warmup, sampling.sweeps = samples, warmup, sweeps
    options = _options(model, {"seed": seed, "device": device, "threads": threads, "copies": copies,
                               "precision": precision})
    with _bar(progress) as shown:
        found = _chainmail.sample(model._core, sampling, options, shown, _catches_interrupts())
    return Samples(*found, model.labels)


def _list(value: Any, name: str) -> List[float]:
    from ._expression import _numbers

    numbers = _numbers(value)
    if numbers.ndim > 1:
        raise ValueError(f"{name}: expected a number or a list of them")
    return numbers.reshape(-1).tolist()  # type: ignore[no-any-return]
