"""The equations of motion: for reading, for SymPy, as functions of arrays."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np

from . import _dalembert
from ._errors import Error


class Part:
    """One of the matrices of M a = f − Cᵀλ: entries as texts, a function of arrays.

    >>> import dalembert as dal
    >>> M = dal.Model.load("slider_crank").equations.M
    >>> M[0, 1]
    '-1/2*l1*l2*(m2 + 2*m3)*cos(theta1 + theta2)'
    >>> M([0.5, 0.1]).shape, M([[0.5, 0.1], [0.6, 0.1], [0.7, 0.1]]).shape
    ((2, 2), (3, 2, 2))
    """

    def __init__(self, equations: Equations, symbol: str, shape: tuple[int, ...]):
        self._equations = equations
        self.symbol = symbol
        self.shape = shape

    def __call__(self, q: Any, v: Any = 0.0, t: Any = 0.0) -> np.ndarray:
        """The numbers at states: arrays whose last axis is the coordinates; times for all states or for each."""
        n = len(self._equations.coordinates)
        q = np.asarray(q, dtype=float)
        v = np.asarray(v, dtype=float)
        t = np.asarray(t, dtype=float)
        if q.ndim == 0 and n == 1:
            q = q.reshape(1)
        if q.ndim == 0 or q.shape[-1] != n:
            raise ValueError(f"q needs {n} values, {', '.join(self._equations.coordinates)}, along its last axis")
        if v.ndim and v.shape[-1] != n:
            raise ValueError(f"v needs {n} values along its last axis, or is one number for all")
        states = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], t.shape)
        rows = [np.ascontiguousarray(np.broadcast_to(part, (*states, n))).reshape(-1, n) for part in (q, v)]
        times = np.ascontiguousarray(np.broadcast_to(t, states)).reshape(-1)
        numbers = self._equations._matrices.eval(self.symbol, times, *rows)
        return np.asarray(numbers).reshape(*states, *self.shape)

    @property
    def entries(self) -> np.ndarray:
        """All entries as texts."""
        return self._equations._entries(self.symbol)

    def __getitem__(self, place: Any) -> Any:
        return self.entries[place]

    def __repr__(self) -> str:
        return f"{self.symbol} = {self.entries.tolist()}"

    def _repr_latex_(self) -> str:
        return f"$${self.symbol_latex} = {self._equations._latex_of(self.symbol)}$$"

    @property
    def symbol_latex(self) -> str:
        """As formulas write it."""
        return {"gamma": r"\gamma"}.get(self.symbol, self.symbol)


class Equations:
    """M a = f − Cᵀλ, g = 0, C v + c = 0, C a = γ.

    Printed it is text, in a notebook LaTeX. ``M``, ``f``, ``C``, ``c``, ``g``, ``gamma`` are functions of (q, v, t).

    >>> import dalembert as dal
    >>> equations = dal.Model.load("pendulum_cartesian").equations
    >>> equations.M([0.6, -0.8]), equations.C([0.6, -0.8])
    (array([[1., 0.],
           [0., 1.]]), array([[ 0.6, -0.8]]))
    """

    def __init__(self, handle: _dalembert.Model, numbers: bool = False):
        self._handle = handle
        self._texts = _dalembert.equations(handle, numbers)
        self.data: dict[str, Any] = json.loads(self._texts.json)
        self.coordinates: list[str] = handle.coordinates
        self.constraints: list[str] = handle.constraints

    @property
    def latex(self) -> str:
        """The equations as a part of a LaTeX document."""
        return self._texts.latex

    def with_numbers(self) -> Equations:
        """With the values of the parameters put in."""
        return Equations(self._handle, True)

    def __str__(self) -> str:
        return self._texts.text

    __repr__ = __str__

    def _repr_latex_(self) -> str:
        lines = [line for line in self.latex.splitlines() if not line.startswith("%")]
        return "\n".join(lines)

    @functools.cached_property
    def _matrices(self) -> _dalembert.Matrices:
        return _dalembert.Matrices(self._handle)

    def _shape(self, symbol: str) -> tuple[int, ...]:
        n, m = len(self.coordinates), len(self.constraints)
        return {"M": (n, n), "f": (n,), "C": (m, n), "c": (m,), "g": (self._handle.holonomic,), "gamma": (m,)}[symbol]

    def _entries(self, symbol: str, key: str = "text") -> np.ndarray:
        entries = np.full(self._shape(symbol), "0", dtype=object)
        block = self.data["blocks"].get(symbol)
        if block is None:
            return entries
        rows = {name: i for i, name in enumerate(block["rows"])}
        columns = {name: i for i, name in enumerate(block["columns"])}
        for entry in block["entries"]:
            place = (rows[entry["row"]],) + ((columns[entry["column"]],) if columns else ())
            entries[place] = entry[key]
            if symbol == "M":
                entries[place[::-1]] = entry[key]
        return entries

    def _latex_of(self, symbol: str) -> str:
        entries = np.atleast_2d(self._entries(symbol, "latex").T).T
        rows = r" \\ ".join(" & ".join(row) for row in entries)
        return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"

    def _part(self, symbol: str) -> Part:
        if self._handle.is_kinematic:
            raise Error("a kinematic model has no mass matrix and no forces; see .data for its blocks")
        return Part(self, symbol, self._shape(symbol))

    @property
    def M(self) -> Part:
        """The mass matrix."""
        return self._part("M")

    @property
    def f(self) -> Part:
        """The forces."""
        return self._part("f")

    @property
    def C(self) -> Part:
        """The derivatives of the constraints by velocities."""
        return self._part("C")

    @property
    def c(self) -> Part:
        """What constraints move at by themselves: C v + c = 0."""
        return self._part("c")

    @property
    def g(self) -> Part:
        """The holonomic constraints."""
        return self._part("g")

    @property
    def gamma(self) -> Part:
        """The accelerations that constraints demand: C a = γ."""
        return self._part("gamma")

    def to_sympy(self, dynamic: bool = False) -> dict[str, Any]:
        """K, V, M, f, g, C, gamma as expressions of SymPy.

        Coordinates and velocities are symbols ``theta``, ``theta'``; with ``dynamic`` they are functions of time, as
        ``sympy.physics.mechanics.dynamicsymbols`` makes them.
        """
        from ._sympy import blocks_to_sympy

        return blocks_to_sympy(self, dynamic)
