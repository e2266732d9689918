# SPDX-License-Identifier: Apache-2.0
from typing import Any, Callable, List, Optional, Sequence

from ._chainmail import Status
from ._result import Result

def solve(
    problem: Any,
    *,
    progress: Optional[bool] = ...,
    callback: Optional[Callable[[Status], Any]] = ...,
    initial: Any = ...,
    # @OPTIONS: {name}: {given} = ...,@
) -> Result: ...
