"""What a model is, and what methods make of it: objects that print well and have their numbers as attributes."""

from __future__ import annotations

import dataclasses
import html
import json
import warnings
from collections.abc import Iterator, KeysView
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _values
from ._errors import Warning

if TYPE_CHECKING:
    import pandas


_LONGEST_LINE = 8  # powers of a series that a page has room for


class Report:
    """A text for people; ``data`` is the same as a dictionary."""

    def __init__(self, texts: Any):
        self._text: str = texts.text
        self.data: dict[str, Any] = json.loads(texts.json)
        for warning in texts.warnings:
            warnings.warn(warning, Warning, stacklevel=4)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"


class Check(Report):
    """Start, degrees of freedom, index and redundancy of a model.

    >>> import dalembert as dal
    >>> check = dal.Model.load("pendulum_cartesian").check()
    >>> check.degrees_of_freedom, check.index, check.redundant
    (1, 3, [])
    """

    @property
    def _structure(self) -> dict[str, Any]:
        return self.data.get("structure", self.data)

    @property
    def degrees_of_freedom(self) -> int:
        """Coordinates without the rank of the constraints."""
        return self._structure["degrees_of_freedom"]

    @property
    def index(self) -> int | None:
        """Differentiation index; None where motions remain undetermined."""
        return self._structure.get("index")

    @property
    def rank(self) -> int:
        """Of the constraints at the start."""
        return self._structure["rank"]

    @property
    def redundant(self) -> list[str]:
        """Names of the constraints that depend on others."""
        return [row["constraint"] for row in self._structure.get("redundant", [])]

    @property
    def start(self) -> dict[str, float]:
        """The consistent start: positions and velocities by their names."""
        places = {one["name"]: one["position"] for one in self.data.get("coordinates", [])}
        return places | {
            one["name"] + "'": one["velocity"] for one in self.data.get("coordinates", []) if "velocity" in one
        }

    @property
    def changes(self) -> dict[str, tuple[float, float]]:
        """What had to move to meet the constraints: from, to."""
        return {one["name"]: (one["from"], one["to"]) for one in self.data.get("start", {}).get("changes", [])}

    @property
    def ok(self) -> bool:
        """Whether the model can be run as it is."""
        return "error" not in self.data

    def _repr_html_(self) -> str:
        rows = [("degrees of freedom", self.degrees_of_freedom), ("index", self.index), ("rank", self.rank)]
        rows.append(("redundant", ", ".join(self.redundant) or "none"))
        rows += [(f"start of {name}", f"{value:.10g}") for name, value in self.start.items()]
        cells = "".join(f"<tr><th>{html.escape(str(a))}</th><td>{html.escape(str(b))}</td></tr>" for a, b in rows)
        return f"<table>{cells}</table>"


def _fraction(text: str) -> Fraction:
    """Of any length: int() takes 4300 digits of a text at most, and of a Decimal all."""
    numerator, _, denominator = text.partition("/")
    return Fraction(int(Decimal(numerator)), int(Decimal(denominator or 1)))


class Series(Report):
    """Coefficients of an expansion at the start, by power of t - t0.

    >>> import dalembert as dal
    >>> series = dal.Model(coordinates={"x": 1}, kinetic="x'^2/2", potential="x^2/2").series(20, digits=30)
    >>> series["x"][4]
    Decimal('0.0416666666666666666666666666667')
    """

    def __init__(self, texts: Any, exact: bool, digits: int):
        super().__init__(texts)
        self._latex: str = texts.latex
        make = _fraction if exact else Decimal if digits else float
        coefficients = self.data.get("coefficients", {})
        self._coefficients = {name: [make(c) for c in list_] for name, list_ in coefficients.items()}

    @property
    def t0(self) -> str:
        """Where the series is, as a text."""
        return self.data["t0"]

    def keys(self) -> KeysView[str]:
        """Names of coordinates, velocities and multipliers."""
        return self._coefficients.keys()

    def __iter__(self) -> Iterator[str]:
        return iter(self._coefficients)

    def __len__(self) -> int:
        return len(self._coefficients)

    def __getitem__(self, name: str) -> list:
        try:
            return self._coefficients[name]
        except (KeyError, TypeError):
            raise KeyError(f"there is no series {repr(name)[:60]}; {_values.near(name, self)}") from None

    def _repr_html_(self) -> str | None:
        """Notebooks take it before LaTeX: of long series alone, whose lines do not fit."""
        return None if self.data["order"] <= _LONGEST_LINE else super()._repr_html_()

    def _repr_latex_(self) -> str:
        return f"$${self._latex.strip()}$$"


class Comparison(Report):
    """Methods side by side; ``runs`` has a dictionary of each run."""

    def __init__(self, texts: Any):
        super().__init__(texts)
        self._csv: str = texts.latex

    @property
    def runs(self) -> list[dict[str, Any]]:
        """What was measured of each run."""
        return self.data["runs"]

    @property
    def confirmed(self) -> bool:
        """Whether an independent method finds the same motion as the reference."""
        return self.data["reference_confirmed"]

    def to_csv(self) -> str:
        """A line per run."""
        return self._csv

    def to_pandas(self) -> pandas.DataFrame:
        """A row per run."""
        import pandas

        return pandas.json_normalize(self.runs)


class Stability(Report):
    """Admissible gains and steps of a kinematic model; ``data`` has the numbers."""


@dataclasses.dataclass(frozen=True)
class Event:
    """An event of a run: what it was, the state before and behind it (docs/events.md).

    ``kind`` is "rising", "falling", "touching", "time"; of contacts "impact", "rest", "opening".
    """

    t: float
    name: str
    kind: str
    q: np.ndarray
    v: np.ndarray
    q_after: np.ndarray
    v_after: np.ndarray
    impulses: dict[str, float]
    energy_change: float
    note: str

    @classmethod
    def _of(cls, record: dict[str, Any]) -> Event:
        q, v = np.array(record["q"], dtype=float), np.array(record["v"], dtype=float)
        behind = [np.array(record[name], dtype=float) if name in record else own
                  for name, own in (("q_after", q), ("v_after", v))]
        rest = (record.get("impulses", {}), record.get("energy_change", 0.0), record.get("note", ""))
        return cls(record["t"], record["name"], record["kind"], q, v, *behind, *rest)
