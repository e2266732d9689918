# SPDX-License-Identifier: Apache-2.0
"""A progress line for people: in terminals and notebooks, never in logs and pipes."""
from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager
from typing import Any, Iterator, Optional

from . import _chainmail

_WIDTH = 24


def _text(status: _chainmail.Status) -> str:
    done = min(max(status.fraction, 0.0), 1.0)
    full = round(done * _WIDTH)
    bar = "█" * full + "░" * (_WIDTH - full)
    head = f"{'tuning' if status.tuning else 'solving'} {100 * done:3.0f}% {bar}"
    if status.tuning or not status.sweeps:
        return head
    best = "nothing feasible yet" if status.best is None else f"best {status.best:.10g}"
    return f"{head}  {status.sweeps} sweeps  {best}"


class _Terminal:
    def __call__(self, status: _chainmail.Status) -> None:
        width = shutil.get_terminal_size().columns - 1  # a longer line would scroll
        sys.stderr.write("\r" + _text(status)[:width] + "\x1b[K")
        sys.stderr.flush()
        self.drawn = True

    drawn = False

    def close(self) -> None:
        if self.drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class _Notebook:
    def __init__(self, display: Any) -> None:
        self._display, self._handle = display, None

    def __call__(self, status: _chainmail.Status) -> None:
        shown = {"text/plain": _text(status)}
        if self._handle is None:
            self._handle = self._display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)


@contextmanager
def bar(wanted: Optional[bool]) -> Iterator[Any]:
    """What draws, or None, taken away at the end. Wanted None: only in terminals and notebooks."""
    shown = _drawer(wanted)
    try:
        yield shown
    finally:
        if shown is not None:
            shown.close()


def _drawer(wanted: Optional[bool]) -> Any:
    if wanted is False:
        return None
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None and hasattr(shell, "kernel"):
        from IPython.display import display

        return _Notebook(display)
    if wanted or (sys.stderr is not None and sys.stderr.isatty()):
        return _Terminal()
    return None
