"""Python values as the text of a model file."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Mapping

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quoted(text: str) -> str:
    """
    >>> quoted('a "b"')
    '"a \\\\"b\\\\""'
    """
    escape = lambda c: _ESCAPES.get(c) or (f"\\u{ord(c):04X}" if ord(c) < 32 or ord(c) == 127 else c)
    return '"' + "".join(escape(c) for c in text) + '"'


def key(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"a name must be a string, not {type(name).__name__}")
    return name if _BARE.match(name) else quoted(name)


def name(text: object) -> str:
    """What a setting is of: "theta'"; the sign of equality would end it."""
    if not isinstance(text, str) or "=" in text or not text.strip():
        raise TypeError(f"{text!r} is no name")
    return text


def number(value: numbers.Real) -> str:
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Rational):
        return quoted(f"{value.numerator}/{value.denominator}")
    value = float(value)
    if not math.isfinite(value):
        raise ValueError(f"a number of a model must be finite, not {value}")
    return repr(value)


def value(item: object) -> str:
    """
    >>> value({"position": 1.0, "guess": True}), value(["x", 2])
    ('{ position = 1.0, guess = true }', '["x", 2]')
    """
    if hasattr(item, "item") and getattr(item, "shape", None) == ():
        item = item.item()  # a number of NumPy's
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, str):
        return quoted(item)
    if isinstance(item, numbers.Real):
        return number(item)
    if isinstance(item, Mapping):
        inside = ", ".join(f"{key(name)} = {value(one)}" for name, one in item.items())
        return "{ " + inside + " }" if inside else "{}"
    if isinstance(item, Iterable) and not isinstance(item, (bytes, bytearray)):
        return "[" + ", ".join(value(one) for one in item) + "]"
    if type(item).__module__.split(".")[0] == "sympy":
        from ._sympy import to_text

        return quoted(to_text(item))
    raise TypeError(f"a model is made of numbers, texts, lists and dictionaries, not of {type(item).__name__}")


def table(name: str, entries: object) -> str:
    if not isinstance(entries, Mapping):
        raise TypeError(f"{name} must be a dictionary, not {type(entries).__name__}")
    lines = [f"{key(one)} = {value(item)}" for one, item in entries.items()]
    return "\n".join([f"[{name}]", *lines, "", ""])


def section(name: str, entries: Mapping) -> str:
    """A table whose entries that are not given are left out; nothing where none is."""
    given = {one: item for one, item in entries.items() if item is not None}
    return table(name, given) if given else ""
