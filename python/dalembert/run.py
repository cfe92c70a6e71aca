"""What a run has computed."""

from __future__ import annotations

import functools
import json
import os
import warnings
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _dalembert, _values
from ._errors import Error, Warning
from .reports import Event

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes

    from .model import Model


class Dense:
    """The motion of a run at any times, on the constraints.

    Called with times of any shape it returns y = [q, v], with the times' shape behind.

    >>> import dalembert as dal
    >>> run = dal.Model.load("pendulum").run((0, 1), dense_output=True)
    >>> run.sol([0.1, 0.2, 0.3]).shape
    (2, 3)
    >>> bool(abs(run.sol(1.0)[0] - run["theta"][-1]) < 1e-14)
    True
    """

    def __init__(self, dense: _dalembert.Dense, coordinates: int, multipliers: int):
        self._dense = dense
        self._n = coordinates
        self._m = multipliers

    @property
    def t_min(self) -> float:
        """The earliest time of the motion."""
        return min(self._dense.start, self._dense.end)

    @property
    def t_max(self) -> float:
        """The latest time of the motion."""
        return max(self._dense.start, self._dense.end)

    def __call__(self, t: Any) -> np.ndarray:
        rows = self._dense.eval(_times(t))
        return rows.T.reshape(2 * self._n, *np.shape(t))

    def __repr__(self) -> str:
        return f"<dalembert.run.Dense from t = {self.t_min:.6g} to {self.t_max:.6g}>"

    def states(self, t: Any) -> dict[str, np.ndarray]:
        """q, v, a, lam and the outputs, each with the times' shape before its own.

        >>> import dalembert as dal
        >>> run = dal.Model.load("pendulum_cartesian").run((0, 1), dense_output=True)
        >>> {name: part.shape for name, part in run.sol.states([0.1, 0.2]).items()}
        {'q': (2, 2), 'v': (2, 2), 'a': (2, 2), 'lam': (2, 1), 'outputs': (2, 2)}
        """
        rows = self._dense.states(_times(t))
        ends = np.cumsum([self._n, self._n, self._n, self._m])
        parts = np.split(rows.reshape(*np.shape(t), rows.shape[1]), ends, axis=-1)
        return dict(zip(("q", "v", "a", "lam", "outputs"), parts))


class Run:
    """The numbers of a run and what it says of itself.

    ``run["theta1"]`` is a column by its name; ``run.t``, ``run.q``, ``run.v``, ``run.a``, ``run.lam`` (multipliers),
    ``run.force`` (constraint forces −Cᵀλ), ``run.outputs``, ``run.energy``, ``run.residuals`` are groups of them, a row
    per sample. All are views of the library's memory that cannot be written to; ``.copy()`` makes one that can.

    >>> import dalembert as dal
    >>> run = dal.Model.load("slider_crank").run((0, 1))
    >>> run.t.shape, run.q.shape, run.lam.shape, run.energy.shape
    ((101,), (101, 2), (101, 1), (101,))
    >>> run.success, run.outcome
    (True, 'finished')
    """

    def __init__(self, model: Model, result: _dalembert.RunResult, asked: dict[str, Any]):
        self.model = model
        self._result = result
        self._asked = asked
        self._numbers: np.ndarray = result.numbers
        for warning in result.warnings:
            warnings.warn(warning, Warning, stacklevel=3)
        if result.by_signal:
            warnings.warn(f"interrupted at t = {self.end_time:.6g}", Warning, stacklevel=3)

    # numbers

    @property
    def columns(self) -> list[str]:
        """Names of all columns; those of ``run.numbers``."""
        return self.model.columns

    @property
    def numbers(self) -> np.ndarray:
        """All columns, a row per sample."""
        return self._numbers

    def __getitem__(self, name: str | list[str]) -> np.ndarray:
        """A column by its name; of a list of names an array with a column for each."""
        if isinstance(name, list):
            return self._numbers[:, [self._place(one) for one in name]]
        return self._numbers[:, self._place(name)]

    def decimals(self, name: str) -> list[Decimal]:
        """A column of a run with ``digits``, with all of them; ``run[name]`` is rounded to doubles.

        >>> import dalembert as dal
        >>> oscillator = dal.Model(coordinates={"x": 1}, kinetic="x'^2/2", potential="x^2/2")
        >>> oscillator.run((0, 1), t_eval=[1], digits=40).decimals("x")
        [Decimal('0.5403023058681397174009366074429766037323')]
        """
        texts = self._result.decimals(self._place(name))
        if not texts and len(self) > 0:
            raise Error("a run in doubles has no more digits than its columns: run(..., digits=50)")
        return [Decimal(text) for text in texts]

    def _place(self, name: object) -> int:
        if isinstance(name, str) and name in self._places:
            return self._places[name]
        raise KeyError(f"there is no column {repr(name)[:60]}; {_values.near(name, self.columns)}")

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self._numbers)

    def keys(self) -> list[str]:
        """Names of all columns."""
        return self.columns

    @functools.cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.columns)}

    def _group(self, *names: str) -> np.ndarray:
        places = [i for i, (_, group, _) in enumerate(self.model._columns) if group in names]
        return self._numbers[:, places[0] : places[-1] + 1] if places else self._numbers[:, :0]

    @property
    def t(self) -> np.ndarray:
        """Times of the samples."""
        return self._numbers[:, 0]

    @property
    def q(self) -> np.ndarray:
        """Positions, a column per coordinate."""
        return self._group("q")

    @property
    def v(self) -> np.ndarray:
        """Velocities, a column per coordinate."""
        return self._group("v")

    @property
    def a(self) -> np.ndarray:
        """Accelerations, a column per coordinate."""
        return self._group("a")

    @property
    def lam(self) -> np.ndarray:
        """Multipliers λ of M a = f − Cᵀλ, in the order of ``model.constraints``."""
        return self._group("lambda")

    @property
    def force(self) -> np.ndarray:
        """Generalized constraint forces −Cᵀλ."""
        return self._group("force")

    @property
    def outputs(self) -> np.ndarray:
        """The outputs of the model, in the order of ``model.outputs``."""
        return self._group("output")

    @property
    def y(self) -> np.ndarray:
        """[q, v] with a row per quantity, as SciPy has it."""
        return self._numbers[:, 1 : 1 + 2 * len(self.model.coordinates)].T

    @property
    def energy(self) -> np.ndarray:
        """The total energy. The columns "kinetic", "potential", "work" (of the forces) stand beside it."""
        energies = self._group("energy")
        if energies.shape[1] == 0:
            raise Error("kinematic models have no energy")
        return energies[:, 2]

    @property
    def residuals(self) -> np.ndarray:
        """g of the holonomic constraints, then C v + c of all."""
        return self._group("g", "gv")

    # how it went

    @property
    def success(self) -> bool:
        """Whether the end was reached and the run's own checks agree."""
        return self._result.outcome == "finished"

    @property
    def outcome(self) -> str:
        """ "finished", "doubtful", "stopped early" or "interrupted"."""
        return self._result.outcome

    @property
    def message(self) -> str:
        """Why the run ended, and what speaks against its numbers."""
        reasons = [self._result.reason, *self._result.doubts]
        return "; ".join(reason for reason in reasons if reason) or "the end was reached"

    @functools.cached_property
    def details(self) -> dict[str, Any]:
        """All that the run says of itself: steps, residuals, energies, trusted digits, notes. Each of them is an
        attribute of the run as well: ``run.steps``."""
        return json.loads(self._result.report_json)

    @functools.cached_property
    def events(self) -> list[Event]:
        """The events of the model (``[[event]]``, ``[[contact]]``) in their order.

        >>> import dalembert as dal
        >>> [(one.name, round(one.t, 3)) for one in dal.Model.load("bouncing_ball").run((0, 1)).events]
        [('floor', 0.452), ('floor', 0.903)]
        """
        return [Event._of(record) for record in self.details["events"]]

    def event_times(self, name: str) -> np.ndarray:
        """When the event or contact of this name was."""
        if name not in self.model.events:
            known = _values.near(name, self.model.events) if self.model.events else "the model has none"
            raise KeyError(f"there is no event or contact {name!r}; {known}")
        return np.array([event.t for event in self.events if event.name == name], dtype=float)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.details[name]
        except KeyError:
            raise AttributeError(f"a run has no attribute {name!r}") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.details})

    @property
    def summary(self) -> str:
        """As the command line program ends a run."""
        return self._result.summary

    @functools.cached_property
    def sol(self) -> Dense | None:
        """The whole motion, of runs with ``dense_output=True``."""
        dense = self._result.dense
        if dense is None:
            return None
        return Dense(dense, len(self.model.coordinates), len(self.model.constraints))

    def continue_to(self, end: float, **options: Any) -> Run:
        """The run that goes on from the last sample to ``end``, with the options of this one unless others are given.

        >>> import dalembert as dal
        >>> first = dal.Model.load("pendulum").run((0, 1), tol=1e-12)
        >>> second = first.continue_to(3)
        >>> float(second.t[0]), float(second.t[-1]), bool((second.y[:, 0] == first.y[:, -1]).all())
        (1.0, 3.0, True)
        """
        if self.model.events:
            raise Error("which contacts are closed and which events have been is not in q and v: run the whole time at once")
        if len(self) == 0:
            raise Error("the run has no samples to go on from")
        asked = {name: item for name, item in self._asked.items() if name not in ("start", "duration", "times")}
        names = [name for name, group, _ in self.model._columns if group in ("q", "v")]
        decimals = [self._result.decimals(self._place(name))[-1:] for name in names]
        last = [texts[0] if texts else float(self[name][-1]) for name, texts in zip(names, decimals)]
        return self.model.with_start(dict(zip(names, last))).run((float(self.t[-1]), end), **{**asked, **options})

    # for others

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame of all columns, its index the time."""
        import pandas

        frame = pandas.DataFrame(self._numbers[:, 1:], columns=self.columns[1:], copy=False)
        frame.index = pandas.Index(self.t, name="t")
        frame.attrs = {"title": self.model.title, "units": self.model.units}
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """A Dataset with a variable per column, the time as coordinate, units as attributes."""
        import xarray

        units = self.model.units
        variables = {
            name: ("t", self._numbers[:, place], {"units": units[name]} if name in units else {})
            for name, place in self._places.items()
            if name != "t"
        }
        time = ("t", self.t, {"units": units["t"]} if "t" in units else {})
        return xarray.Dataset(variables, {"t": time}, {"title": self.model.title, "method": self.method})

    def plot(self, *names: str, against: str = "t", ax: Axes | None = None, **style: Any) -> Axes:
        """Draws columns (all q without names) with Matplotlib, in the style of its lines; returns the axes."""
        ax = _axes(ax)
        for name in names or self.model.coordinates:
            ax.plot(self[against], self[name], **{"label": _with_unit(self, name), **style})
        ax.set_xlabel(_with_unit(self, against))
        if len(names) == 1:
            ax.set_ylabel(_with_unit(self, names[0]))
        else:
            ax.legend()
        return ax

    def phase(self, name: str, *, ax: Axes | None = None, **style: Any) -> Axes:
        """Draws the velocity of a coordinate over its position."""
        ax = _axes(ax)
        ax.plot(self[name], self[name + "'"], **style)
        ax.set_xlabel(_with_unit(self, name))
        ax.set_ylabel(_with_unit(self, name + "'"))
        return ax

    def save(self, file: str | os.PathLike[str], *, columns: str | list[str] | None = None) -> None:
        """Writes the numbers: .csv, .json, .npz or .h5; ``columns`` are names, groups or patterns."""
        wanted = [] if columns is None else _values.words("columns", columns)
        self._result.write({"files": [_values.path(file)], "columns": wanted})

    def report(self, file: str | os.PathLike[str]) -> None:
        """Writes the page with curves, animation and equations: an .html file that needs no network."""
        self._result.write({"report": _values.path(file)})

    def animation(self, file: str | os.PathLike[str]) -> None:
        """Films the scene: .mp4, .webm, .gif or a series of .png; it takes Chromium and FFmpeg."""
        self._result.write({"animation": _values.path(file)})

    def _repr_html_(self) -> str | None:
        from ._notebook import page_in_frame

        return None if isinstance(self._result, _SentResult) else page_in_frame(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Numbers and report are sent to other processes, and the model by its text."""
        kept = {name: getattr(self._result, name) for name in _SENT}
        sent = isinstance(self._result, _SentResult)
        had_dense = self._result.had_dense if sent else self._result.dense is not None
        kept["_decimals"] = [self._result.decimals(place) for place in range(len(self.columns))]
        return _sent_run, (self.model, np.array(self._numbers), kept, had_dense, self._asked)

    def __repr__(self) -> str:
        return f"<dalembert.Run {self.outcome} at t = {self.end_time:.6g}, {len(self)} samples, {self.method}>"


_SENT = ("outcome", "reached_end", "reason", "doubts", "report_json", "summary", "by_signal")


class _SentResult:
    """Of a run that another process has made: its warnings were told there."""

    warnings: list[str] = []

    def __init__(self, numbers: np.ndarray, kept: dict[str, Any], had_dense: bool):
        numbers.flags.writeable = False
        self.numbers = numbers
        self.had_dense = had_dense
        self.__dict__.update(kept)

    @property
    def dense(self) -> None:
        if self.had_dense:
            raise Error("dense output stays in the process of the run; send its values, run.sol(times)")

    def decimals(self, place: int) -> list[str]:
        return self._decimals[place]

    def write(self, wanted: dict[str, Any]) -> None:
        raise Error("a run that was pickled has its numbers alone; files and pages are made where it ran")


def _sent_run(
    model: Model, numbers: np.ndarray, kept: dict[str, Any], had_dense: bool, asked: dict[str, Any]
) -> Run:
    result = _SentResult(numbers, kept, had_dense)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warning)
        return Run(model, result, asked)


def _times(t: Any) -> np.ndarray:
    try:
        found = np.asarray(t)
        if found.dtype.kind in "cmMSUV":
            raise TypeError
        return np.ascontiguousarray(found, dtype=float).reshape(-1)
    except (TypeError, ValueError):
        raise TypeError(f"a motion is asked for at numbers or arrays of them, not at {_values.shown(t)}") from None


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot

    return matplotlib.pyplot.subplots()[1]


def _with_unit(run: Run, name: str) -> str:
    unit = run.model.units.get(name)
    return f"{name} [{unit}]" if unit else name
