"""What Model.sweep is given, checked and written as the texts of the command line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _values


def number(context: str, value: Any) -> str:
    result = _values.real(context, value)
    if not math.isfinite(result):
        raise ValueError(f"{context} takes finite numbers, not {result}")
    return repr(result)


def grid(name: str, values: Any) -> str:
    if isinstance(values, str):
        return f"{name}={values}"
    context = f"vary: {name!r}"
    if isinstance(values, Mapping) or np.ndim(values) > 1:
        raise TypeError(
            f"{context} takes a sequence of numbers, not {type(values).__name__} of {np.ndim(values)} dimensions"
        )
    if isinstance(values, (set, frozenset)):
        raise TypeError(f"{context} takes numbers in an order, which a set has not")
    listed = list(values) if isinstance(values, Iterable) and np.ndim(values) == 1 else [values]
    if isinstance(values, Iterable) and not hasattr(values, "__len__"):
        listed = list(values)  # a generator
    if not listed:
        raise ValueError(f"{context} has no values")
    return f"{name}={','.join(number(context, value) for value in listed)}"


def distribution(name: str, given: Any) -> str:
    if isinstance(given, str):
        return f"{name}={given}"
    context = f"sample: {name!r}"
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise TypeError(
            f"{context} takes a distribution, as 'normal(0.3, 0.05)' or ('normal', 0.3, 0.05), not {given!r}"
        )
    kind, *numbers = list(given) or [None]
    if not isinstance(kind, str):
        raise TypeError(f"{context}: a distribution begins with its name, as ('normal', 0.3, 0.05), not {kind!r}")
    return f"{name}={kind}({','.join(number(context, value) for value in numbers)})"


def collected(collect: Any) -> list[str]:
    texts = [collect] if isinstance(collect, str) else list(collect) if isinstance(collect, Iterable) else [collect]
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f'collect takes texts, as "max(x), end(x\')", not {text!r}')
    return [text for text in texts if text.strip()]
