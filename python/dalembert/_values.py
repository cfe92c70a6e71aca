"""What calls are given, checked before the library sees it: each mistake says which argument it is in."""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np


def real(context: str, value: Any) -> float:
    """A number; NumPy's, fractions and decimals too.

    >>> real("l", "1")
    Traceback (most recent call last):
    TypeError: l takes numbers, not '1'
    """
    if isinstance(value, (bool, np.bool_, str, bytes)) or value is None:
        raise TypeError(f"{context} takes numbers, not {value!r}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{context} takes numbers below 1.8e308") from None
    except (TypeError, ValueError):
        raise TypeError(f"{context} takes numbers, not {shown(value)}") from None


def whole_number(name: str, value: Any, least: int | None = 0) -> int:
    try:
        if isinstance(value, (bool, np.bool_, str, bytes)) or int(value) != value:
            raise TypeError
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} takes a whole number, not {shown(value)}") from None
    if least is not None and value < least:
        raise ValueError(f"{name} is not negative, as {value}" if least == 0 else f"{name} is at least {least}")
    if abs(value) >= 2**63:
        raise ValueError(f"{name} is below 2^63, unlike {value}")
    return int(value)


def flag(name: str, value: Any) -> bool:
    if value is True or value is False:
        return value
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} takes True or False, not {shown(value)}")
    return bool(value)


def function(name: str, value: Any, *others: Any) -> Any:
    """A function or one of the others; None: there is none."""
    if value is None or value is False:
        return None
    if not callable(value) and not any(value is one for one in others):
        raise TypeError(f"{name} must be a function, not {shown(value)}")
    return value


def sequence(context: str, values: Any) -> np.ndarray:
    """Numbers in a row: lists, arrays of any kind, generators."""
    if isinstance(values, (str, bytes, Mapping, set, frozenset)) or values is None:
        raise TypeError(f"{context} takes a sequence of numbers, not {shown(values)}")
    if isinstance(values, Iterable) and not hasattr(values, "__len__"):
        values = list(values)  # a generator
    try:
        found = np.asarray(values)
        if found.dtype.kind in "cmMSUV":
            raise TypeError
        numbers = found.astype(float)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{context} takes a sequence of numbers, not {shown(values)}") from None
    if numbers.ndim != 1:
        raise ValueError(f"{context} takes a sequence of numbers, not an array of {numbers.ndim} dimensions")
    return numbers


def plain_numbers(values: Mapping[str, Any]) -> list[tuple[str, float]] | None:
    """Values that are all finite floats, or integers that are such; None: others say more than doubles hold.

    >>> plain_numbers({"x": 1, "y": 0.5}), plain_numbers({"x": "pi/4"})
    ([('x', 1.0), ('y', 0.5)], None)
    """
    numbers = [(name, one.item() if isinstance(one, np.generic) else one) for name, one in values.items()]
    for _, one in numbers:
        is_exact = abs(one) <= 2**53 if type(one) is int else type(one) is float and math.isfinite(one)
        if not is_exact:
            return None
    return [(name, float(one)) for name, one in numbers]


def names(context: str, values: Any, example: str) -> dict[str, Any]:
    """What belongs to names; None: nothing does."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise TypeError(f"{context} takes names with their values, as {example}, not {shown(values)}")
    for name in values:
        if not isinstance(name, str):
            raise TypeError(f"{context}: {name!r} is no name")
    return dict(values)


def words(context: str, values: Any) -> list[str]:
    """Texts; one alone is a list of one."""
    listed = [values] if isinstance(values, str) or not isinstance(values, Iterable) else list(values)
    for one in listed:
        if not isinstance(one, str):
            raise TypeError(f"{context} takes names, not {shown(one)}")
    return listed


def text(context: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{context} takes a text, not {shown(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{context} has a half of a surrogate pair, which is no character") from None
    return value


def path(value: Any) -> str:
    return os.fsdecode(os.fspath(value))


def shown(value: Any) -> str:
    """A value for a message, of one line.

    >>> shown([1] * 1000)
    'list [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,...'
    """
    try:
        line = repr(value).replace("\n", " ")
    except Exception:
        line = "..."
    return f"{type(value).__name__} {line[:40]}..." if len(line) > 43 else line


def near(name: object, known: Iterable[str]) -> str:
    """What may have been meant.

    >>> near("thta", ["x", "theta"])
    "did you mean 'theta'?"
    """
    listed = list(known)
    found = difflib.get_close_matches(str(name), listed, 1)
    return f"did you mean {found[0]!r}?" if found else f"there are {', '.join(listed[:12])}"
