# SPDX-License-Identifier: Apache-2.0
"""What solve() and sample() share: options and Ctrl-C."""
from __future__ import annotations

import difflib
import signal
import threading
from typing import Any

from . import _chainmail
from ._model import Model


# What others call them.
_ALIASES = {"num_reads": "trials", "num_sweeps": "sweeps"}


def _options(model: Model, given: "dict[str, Any]") -> _chainmail.Options:
    options = _chainmail.Options()
    for name, value in given.items():
        if name in _ALIASES:
            if given.get(_ALIASES[name]) is not None:
                raise TypeError(f"{name} and {_ALIASES[name]} are the same option")
            name = _ALIASES[name]
        if not hasattr(options, name):
            known = [row[0] for row in _chainmail.option_table()] + list(_ALIASES)
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise TypeError(f"unexpected option {name!r}{hint}")
        if value is None:
            continue
        if name == "initial":
            value = model._ordered(value)
        elif name == "fixed":
            value = model._numbered(value)
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
