"""Dalembert: equations, motion without drift and forces of constrained mechanical systems.

>>> import dalembert as dal
>>> run = dal.Model.load("slider_crank").run((0, 1), tol=1e-12)
>>> run.success
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _processor

_processor.load()

from ._dalembert import __version__
from ._errors import Error, ModelError, SolveError, Warning
from ._scipy import solve_ivp
from .model import Model, import_urdf, shipped_models
from .run import Run

if TYPE_CHECKING:
    from ._sympy import from_sympy

__all__ = [
    "Error",
    "Model",
    "ModelError",
    "Run",
    "SolveError",
    "Warning",
    "__version__",
    "from_sympy",
    "import_urdf",
    "load",
    "shipped_models",
    "solve_ivp",
]

load = Model.load


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name == "from_sympy":  # SymPy is loaded when it is asked for
            from ._sympy import from_sympy

            return from_sympy
        raise AttributeError(f"module 'dalembert' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
