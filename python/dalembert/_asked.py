"""What a call asks of runs, by the names of docs/options.md."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _values

_SCIPY_WORDS = {
    "rtol": "the relative error allowed per step is tol",
    "atol": "errors are measured beside the size of the motion, tol is all that is needed",
    "first_step": "steps are chosen from their series, and not longer than max_step",
    "y0": "the start is the model's, model.with_start(...), or that of solve_ivp",
    "events": "they are the model's, or functions in solve_ivp(model, t_span, events=...)",
    "args": "parameters are the model's: model.with_parameters(...)",
    "vectorized": "no Python runs within steps",
    "jac": "derivatives are derived",
}


def asked_options(
    t_span: Any, t_eval: Any, method: Any, tol: Any, options: Mapping[str, Any]
) -> dict[str, Any]:
    """What a run is asked to do, by the names of docs/options.md."""
    if not _SCIPY_WORDS.keys().isdisjoint(options):
        name = next(name for name in options if name in _SCIPY_WORDS)
        raise TypeError(f"there is no {name} here: {_SCIPY_WORDS[name]}")
    wishes = {name: item for name, item in options.items() if item is not None}
    if t_span is not None:
        start, end = span_of(t_span)
        wishes["start"] = start
        wishes["duration"] = end - start
    if t_eval is not None:
        times = _values.sequence("t_eval", t_eval)
        if len(times) == 0:
            raise ValueError("t_eval has no times; without it samples are taken every output_step")
        wishes["times"] = times.tolist()
    if method is not None:
        wishes["method"] = method
    if tol is not None:
        wishes["tolerance"] = tol
    return wishes


def span_of(t_span: Any) -> tuple[float, float]:
    if type(t_span) is tuple and len(t_span) == 2 and {*map(type, t_span)} <= {int, float}:  # as most calls have it
        start, end = t_span
        if abs(start) < 1e300 and abs(end) < 1e300:
            return float(start), float(end)
    if np.ndim(t_span) == 0 and not isinstance(t_span, Iterable):
        return 0.0, _values.real("t_span", t_span)
    values = _values.sequence("t_span", t_span)
    if len(values) != 2:
        raise ValueError(f"t_span must be (start, end), not {len(values)} numbers")
    return float(values[0]), float(values[1])


def positive_numbers(name: str, values: Any) -> list[float]:
    numbers = _values.sequence(name, [values] if np.ndim(values) == 0 and not isinstance(values, Iterable) else values)
    for one in numbers:
        if not (0 < one < math.inf):
            raise ValueError(f"{name} takes positive numbers, not {one}")
    return numbers.tolist()
