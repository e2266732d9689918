# SPDX-License-Identifier: Apache-2.0
from typing import Any, Callable, Iterable, List, Optional, Sequence

from ._chainmail import Status
from ._result import Result

def solve(
    problem: Any,
    *,
    progress: Optional[bool] = ...,
    callback: Optional[Callable[[Status], Any]] = ...,
    initial: Any = ...,
    fixed: Any = ...,
    num_reads: Optional[int] = ...,
    num_sweeps: Optional[int] = ...,
    # @OPTIONS: {name}: {given} = ...,@
) -> Result: ...

def solve_many(
    problems: Iterable[Any],
    *,
    progress: Optional[bool] = ...,
    num_reads: Optional[int] = ...,
    num_sweeps: Optional[int] = ...,
    # @OPTIONS: {name}: {given} = ...,@
) -> List[Optional[Result]]: ...
