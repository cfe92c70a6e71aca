"""The keywords of models and runs, for type checkers and editors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class ModelParts(TypedDict, total=False):
    """The sections of docs/model-file.md."""

    space: str
    reactions: bool
    parameters: Mapping[str, Any]
    inputs: Mapping[str, Any]
    coordinates: Mapping[str, Any]
    definitions: Mapping[str, Any]
    bodies: Mapping[str, Mapping[str, Any]]
    joints: Mapping[str, Mapping[str, Any]]
    force_elements: Mapping[str, Mapping[str, Any]]
    kinetic: str
    potential: str
    dissipation: str
    mass: Sequence[Sequence[Any]]
    force: Sequence[Any]
    kinematics: Mapping[str, Any]
    forces: Mapping[str, Any]
    holonomic: Mapping[str, str] | Sequence[str]
    nonholonomic: Mapping[str, str] | Sequence[str]
    disabled: Sequence[str]
    events: Mapping[str, Mapping[str, Any]]
    contacts: Mapping[str, Mapping[str, Any]]
    outputs: Mapping[str, Any]
    view: Mapping[str, Any]
    solve: Mapping[str, Any]
    units: Mapping[str, str]


class RunOptions(TypedDict, total=False):
    """The options of docs/options.md, by their keys. None of them is as if it had not been given."""

    start: float
    duration: float
    output_step: float
    times: Sequence[float]
    tolerance: float
    step: float
    max_step: float
    max_steps: int
    order: int
    digits: int
    threads: int
    native: Literal["auto", "on", "off"]
    projection: bool
    stabilization: Literal["none", "baumgarte", "linear", "projection"]
    alpha: float
    beta: float
    runge_kutta: Literal["euler", "heun", "kutta3", "rk4", "dopri5", "dop853"]
    index_form: Literal["index1", "index2", "ggl"]
    formula: Literal["ndf", "bdf"]
    rho: float


class AllOptions(RunOptions, total=False):
    """With those that ``Model.run`` has by their own names."""

    method: str
