# SPDX-License-Identifier: Apache-2.0
"""What a run found: answers by variable, tables, the report."""
from __future__ import annotations

import html
import json
import os
from types import SimpleNamespace
from typing import Any, Dict, Hashable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np

from . import _chainmail
from ._expression import Array, Expression


class Violation(NamedTuple):
    """A constraint that does not hold."""

    constraint: str
    left: float
    relation: str  # "=", "<=" or ">="
    right: float

    @property
    def amount(self) -> float:
        """By how much it is violated."""
        return abs(self.left - self.right)


class Answer:
    """Values of all variables, with their energy and violations."""

    def __init__(self, core: _chainmail.Answer, labels: Sequence[Hashable]) -> None:
        self._labels = labels
        self.values: Array = core.values  #: by variable, 0/1 or -1/1 or whole numbers as the problem has them
        self.energy: float = core.objective  #: the objective, in the problem's own terms
        self.feasible: bool = core.feasible
        self.violations: List[Violation] = [Violation(*row) for row in core.violations]

    def __getitem__(self, what: Any) -> Any:
        """The value of a variable by its label, or of an expression."""
        if isinstance(what, Expression):
            return what.value(self.values)
        try:
            return int(self.values[self._labels.index(what)])
        except ValueError:
            raise KeyError(what) from None

    def to_dict(self) -> Dict[Hashable, int]:
        """The values by label."""
        return dict(zip(self._labels, self.values.tolist()))

    def __repr__(self) -> str:
        return f"Answer(energy={self.energy}, feasible={self.feasible}, values={self.values})"


class Answers(Sequence[Answer]):
    """Several answers, feasible ones first, then by energy."""

    def __init__(self, answers: Sequence[Answer], labels: Sequence[Hashable]) -> None:
        self._answers, self._labels = list(answers), labels

    @overload
    def __getitem__(self, k: int) -> Answer: ...
    @overload
    def __getitem__(self, k: slice) -> "Answers": ...

    def __getitem__(self, k: Union[int, slice]) -> Union[Answer, "Answers"]:
        return Answers(self._answers[k], self._labels) if isinstance(k, slice) else self._answers[k]

    def __len__(self) -> int:
        return len(self._answers)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self._answers)

    def __repr__(self) -> str:
        shown = ", ".join(repr(answer) for answer in self._answers[:3])
        return f"Answers({len(self)}: {shown}{', ...' if len(self) > 3 else ''})"

    @property
    def values(self) -> Array:
        """A row for each answer."""
        return np.array([a.values for a in self._answers])

    @property
    def energies(self) -> Array:
        return np.array([a.energy for a in self._answers])

    @property
    def feasible(self) -> Array:
        return np.array([a.feasible for a in self._answers])

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: a column for each variable, and energy and feasible."""
        import pandas

        frame = pandas.DataFrame(self.values, columns=list(self._labels))
        frame["energy"], frame["feasible"] = self.energies, self.feasible
        return frame


def _kept_answer(core: Any) -> Any:
    return SimpleNamespace(values=core.values, objective=core.objective, feasible=core.feasible,
                           violations=core.violations)


class _Kept:
    """What a run found, without the run: what a Result becomes when it is pickled."""

    def __init__(self, core: Any) -> None:
        self.best = _kept_answer(core.best)
        self.others = [_kept_answer(one) for one in core.others]
        self.trials = [_kept_answer(one) for one in core.trials]
        self.stopped_by, self.sweeps, self.seconds, self.notes = core.stopped_by, core.sweeps, core.seconds, core.notes
        self.proved, self.bound, self.gap, self.course = core.proved, core.bound, core.gap, core.course
        self._texts: Dict[str, str] = {
            name: getattr(core, name)() for name in ("summary", "json", "html", "trace_csv")}

    def summary(self) -> str:
        return self._texts["summary"]

    def json(self) -> str:
        return self._texts["json"]

    def html(self) -> str:
        return self._texts["html"]

    def trace_csv(self) -> str:
        return self._texts["trace_csv"]


class Result:
    """What solve() returns. Notebooks show its report, with plots."""

    def __init__(self, core: Union[_chainmail.Solution, _Kept], labels: Sequence[Hashable],
                 maximises: bool, distinct: bool = False) -> None:
        self._core, self._labels, self._maximises, self._distinct = core, labels, maximises, distinct
        self.best = Answer(core.best, labels)  #: the best answer
        self.stopped_by: str = core.stopped_by  #: "proof", "sweeps", "target", "bound", "time limit", "interrupt", ...
        self.proved: bool = core.proved  #: nothing can be better, and that was proved
        self.bound: Optional[float] = core.bound  #: no feasible energy is better
        self.gap: Optional[float] = core.gap  #: between that and the best, as a share of the best
        self.sweeps: int = core.sweeps
        self.seconds: float = core.seconds
        #: seconds and the best energy, wherever it improved
        self.course: List[Tuple[float, float]] = core.course
        self.notes: List[str] = core.notes  #: what had to be rounded or is impossible, in words

    @property
    def energy(self) -> float:
        """The energy of the best answer."""
        return self.best.energy

    @property
    def feasible(self) -> bool:
        """Whether the best answer satisfies every constraint."""
        return self.best.feasible

    @property
    def violations(self) -> List[Violation]:
        """The constraints that the best answer violates."""
        return self.best.violations

    @property
    def samples(self) -> Answers:
        """The best answer of each trial or, with solutions=k, the k best distinct ones; best first."""
        found = [self._core.best, *self._core.others] if self._distinct else self._core.trials
        answers = [Answer(one, self._labels) for one in found]
        sign = -1.0 if self._maximises else 1.0
        answers.sort(key=lambda a: (not a.feasible, sign * a.energy))
        return Answers(answers, self._labels)

    def to_pandas(self) -> Any:
        """The samples as a pandas.DataFrame."""
        return self.samples.to_pandas()

    def report(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the report with plots, as one self-contained HTML file."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self._core.html())

    def json(self) -> str:
        """Everything about the run, as `chainmail solve --json` writes it."""
        return self._core.json()

    @property
    def info(self) -> Dict[str, Any]:
        """The same as a dictionary."""
        found: Dict[str, Any] = json.loads(self._core.json())
        return found

    def trace_csv(self) -> str:
        """Energy, g and best against sweeps, as `chainmail solve --trace` writes it."""
        return self._core.trace_csv()

    def __reduce__(self) -> Any:
        return Result, (_Kept(self._core), list(self._labels), self._maximises, self._distinct)

    def __repr__(self) -> str:
        return (f"Result(energy={self.energy}, feasible={self.feasible}, stopped_by={self.stopped_by!r}, "
                f"seconds={self.seconds:.3g})")

    def __str__(self) -> str:
        return self._core.summary()

    def plot(self) -> Any:
        """The course of the run, the best energy against time, as a matplotlib figure."""
        try:
            from matplotlib.figure import Figure
        except ImportError as missing:
            raise ImportError("Result.plot() needs matplotlib (Debian: python3-matplotlib); Result.report(file) "
                              "writes the same curve without it") from missing
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.add_subplot(xlabel="time (s)", ylabel="energy", title="best so far")
        if self.course:
            seconds, energies = (list(column) for column in zip(*self.course))
            end = max(self.seconds, seconds[-1])
            axes.step(seconds + [end], energies + [energies[-1]], where="post")
            axes.plot([end], energies[-1:], "o", color="C0")
            axes.annotate(f"{energies[-1]:.9g}", (end, energies[-1]), (-6, 6), textcoords="offset points", ha="right")
            if seconds[0] > 0 and len(seconds) > 2 and seconds[len(seconds) // 2] < 0.05 * end:
                axes.set_xscale("log")
        if self.bound is not None and self.course and self.gap is not None and self.gap < 0.5:
            axes.axhline(self.bound, linestyle="--", color="0.4", label=f"bound {self.bound:.9g}")
            axes.legend()
        return figure

    def _repr_html_(self) -> str:
        # In a frame: the report's styles are its own and not to touch the notebook's. It grows to the
        # report's height; where notebooks drop the handler it can be pulled larger.
        fit = ("const f = this, d = f.contentDocument, fit = () => f.style.height = d.body.scrollHeight + 24 + 'px';"
               "fit(); d.addEventListener('toggle', fit, true)")
        return (f'<iframe srcdoc="{html.escape(self._core.html())}" sandbox="allow-same-origin" onload="{fit}" '
                'style="width: 100%; height: 90vh; border: none; resize: vertical; overflow: auto"></iframe>')
