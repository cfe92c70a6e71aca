"""The parts of a model that Python gives, as the text of a model file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _text, _values


def model_text(
    *,
    title="",
    source="",
    space=None,
    reactions=None,
    parameters=None,
    inputs=None,
    coordinates=None,
    definitions=None,
    bodies=None,
    joints=None,
    force_elements=None,
    kinetic=None,
    potential=None,
    dissipation=None,
    mass=None,
    force=None,
    kinematics=None,
    forces=None,
    holonomic=None,
    nonholonomic=None,
    disabled=None,
    events=None,
    contacts=None,
    outputs=None,
    view=None,
    solve=None,
    units=None,
) -> str:
    top = {"title": title or None, "source": source or None, "kind": "kinematic" if kinematics else None}
    top |= {"space": space, "reactions": reactions}
    text = "".join(f"{name} = {_text.value(item)}\n" for name, item in top.items() if item is not None)
    text += "\n" if text else ""
    text += _text.table("parameters", parameters) if parameters else ""
    text += _text.table("inputs", {name: input_table(name, data) for name, data in inputs.items()}) if inputs else ""
    for name, entries in (("coordinates", coordinates), ("definitions", definitions)):
        text += _text.table(name, entries) if entries else ""
    for name, elements in (("body", bodies), ("joint", joints), ("force", force_elements)):
        text += _elements(name, elements)
    text += _text.section("energy", {"kinetic": kinetic, "potential": potential, "dissipation": dissipation})
    text += _text.section("equations", {"mass": mass, "force": force})
    text += _text.table("kinematics", kinematics) if kinematics else ""
    text += _text.table("forces", forces) if forces else ""
    text += _text.section(
        "constraints", {"disabled": disabled, "holonomic": holonomic, "nonholonomic": nonholonomic}
    )
    for name, elements in (("contact", contacts), ("event", events)):
        text += _elements(name, elements)
    for name, entries in (("outputs", outputs), ("view", view), ("solve", solve), ("units", units)):
        text += _text.table(name, entries) if entries else ""
    return text


PARTS = sorted(model_text.__kwdefaults__)


def _elements(name: str, elements: Mapping | None) -> str:
    """Bodies, joints, force elements: tables by their names."""
    if not elements:
        return ""
    if not isinstance(elements, Mapping):
        raise TypeError(f"{name} must be a dictionary by names, not {type(elements).__name__}")
    return "".join(_text.table(f"[{name}]", {"name": one, **entries}) for one, entries in elements.items())


def input_table(name: str, data: Any) -> dict[str, Any]:
    """Times and values, with the interpolation behind them; a series of pandas; or the keys of docs/inputs.md."""
    if callable(data):
        raise TypeError(
            f"the input {name!r} takes data, not a function: no Python runs within steps; sample it, as (t, f(t))"
        )
    if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        raise TypeError(f"the input {name!r} takes (times, values), not {_values.shown(data)}")
    if hasattr(data, "index") and hasattr(data, "to_numpy") and getattr(data, "ndim", 0) == 1:
        data = (data.index.to_numpy(), data.to_numpy())
    if not isinstance(data, Mapping):
        parts = list(data)
        if not 2 <= len(parts) <= 3:
            raise ValueError(f"the input {name!r} takes (times, values) or (times, values, interpolation)")
        data = dict(zip(("times", "values", "interpolation"), parts))
    result = dict(data)
    for part in ("times", "values"):
        if part not in result:
            continue
        numbers = _values.sequence(f"the input {name!r}: {part}", result[part])
        if not np.isfinite(numbers).all():
            raise ValueError(f"the {part} of the input {name!r} must be finite")
        result[part] = numbers.tolist()
    return result


def settings(values: Mapping[str, Any]) -> list[str]:
    """As --set of the command line takes them."""
    return [f"{_text.name(name)}={_setting(name, item)}" for name, item in values.items()]


def _setting(name: str, item: Any) -> str:
    if isinstance(item, str):
        return _values.text(name, item)
    try:
        return _text.value(item).strip('"')
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None
