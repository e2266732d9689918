# SPDX-License-Identifier: Apache-2.0
"""solve(): options in, the library's run, a Result out. Its typed signature is in _solve.pyi."""
from __future__ import annotations

import errno
import inspect
import os
import textwrap
from typing import Any, Callable, Iterable, List, Optional, TypeVar

from . import _chainmail
from ._model import Model, _as_model
from ._progress import bar as _bar
from ._result import Result
from ._run import _catches_interrupts, _options

T = TypeVar("T")


def _documented(function: Callable[..., T]) -> Callable[..., T]:
    """Shows the options of option_table() in a function's signature and text."""
    defaults = _chainmail.Options()
    table = _chainmail.option_table()
    signature = inspect.signature(function)
    fixed = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    options = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=getattr(defaults, name))
               for name, _, _ in table]
    function.__signature__ = signature.replace(parameters=fixed + options)  # type: ignore[attr-defined]
    lines = [textwrap.fill(text, 96, initial_indent=f"{name:<12}", subsequent_indent=" " * 12)
             for name, text, common in table if common]
    # From 3.13 on a docstring comes without its indentation; here it does everywhere.
    function.__doc__ = inspect.cleandoc(function.__doc__ or "").replace("@OPTIONS@", "\n".join(lines))
    return function


@_documented
def solve(
    problem: Any,
    *,
    progress: Optional[bool] = None,
    callback: Optional[Callable[[_chainmail.Status], Any]] = None,
    initial: Any = None,
    fixed: Any = None,
    **options: Any,
) -> Result:
    """Finds the best feasible state of a problem.

    The problem is a Model, a file's name, a networkx graph (its maximum cut), or a QUBO as a dict
    {(u, v): q}, a numpy array or a scipy.sparse matrix; see also qubo(), ising(), max_cut() and read().

    progress    whether to show a progress line; None: in terminals and notebooks
    callback    is called with a Status after every round; StopIteration ends the run with the best so far
    initial     values to start from, in order or by label
    fixed       {label: value}: variables held at these values
    @OPTIONS@

    The other options are those of the command line: `chainmail solve --help-all`. Ctrl-C ends the run with the best
    answer so far; Result.stopped_by then is "interrupt".
    """
    if callback is not None and not callable(callback):
        raise TypeError(f"callback: expected a callable, not {callback!r:.60}")
    schedule = options.get("schedule")
    if schedule and not os.path.exists(schedule):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), schedule)
    model = _as_model(problem)
    wanted = _options(model, {"initial": initial, "fixed": fixed, **options})
    with _bar(progress) as shown:
        found = _chainmail.solve(model._core, wanted, callback, shown, _catches_interrupts())
    return Result(found, model._labels, model._core.maximises, wanted.solutions > 1)


@_documented
def solve_many(problems: Iterable[Any], *, progress: Optional[bool] = None, **options: Any) -> List[Optional[Result]]:
    """The results of solve() for each of many problems, small ones above all, solved side by side on the cores.

    @OPTIONS@

    Takes the other options of solve() except callback, initial, fixed and checkpoint; every problem has the same seed
    and the whole time limit. After Ctrl-C, problems that were not begun have None for a result.
    """
    models = [_as_model(problem) for problem in problems]
    refused = {"callback", "initial", "fixed", "checkpoint"}.intersection(options)
    if refused:
        raise TypeError(f"{refused.pop()!r} is for one problem at a time")
    wanted = _options(Model(), options)
    with _bar(progress) as shown:
        found = _chainmail.solve_many([model._core for model in models], wanted, shown, _catches_interrupts())
    return [None if one is None else Result(one, model._labels, model._core.maximises, wanted.solutions > 1)
            for one, model in zip(found, models)]
