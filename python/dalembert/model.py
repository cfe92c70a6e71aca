"""Models."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _dalembert, _text, _values
from . import study as _study
from ._asked import asked_options, positive_numbers
from ._errors import Warning
from ._model_text import PARTS, input_table, model_text, settings
from ._study_tasks import check_executor
from .equations import Equations
from .reports import Check, Comparison, Series, Stability
from .run import Run

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import AllOptions, ModelParts, RunOptions
    from .study import StudyResults


class Model:
    """A mechanical system: coordinates, energies, forces, constraints.

    Its parts are the sections of a model file: title, source, space, reactions, parameters, inputs, coordinates,
    definitions, bodies, joints, force_elements, kinetic, potential, dissipation, mass, force, kinematics, forces,
    holonomic, nonholonomic, disabled, events, contacts, outputs, view, solve, units.
    Expressions are texts; ``x'`` is the velocity of the coordinate ``x``. Coordinates have their start as value: a position, or ``{"position": 1, "velocity": 2}``.

    >>> import dalembert as dal
    >>> model = dal.Model(
    ...     coordinates={"x": 1.0, "y": 0.0},
    ...     parameters={"l": 1.0, "m": 1.0, "g": 9.81},
    ...     kinetic="m/2*(x'^2 + y'^2)",
    ...     potential="m*g*y",
    ...     holonomic={"rod": "x^2 + y^2 = l^2"},
    ... )
    >>> model.coordinates, model.constraints
    (['x', 'y'], ['rod'])
    >>> run = model.run((0, 1))
    >>> run.success
    True

    Models never change: :meth:`with_parameters` and :meth:`with_start` return others. They can be used by several
    threads at once, and pickled.
    """

    def __init__(self, *, title: str = "", source: str = "", **parts: Unpack[ModelParts]):
        for name in parts:
            if name not in PARTS:
                raise TypeError(f"a model has no part {name!r}; {_values.near(name, PARTS)}")
        text = _values.text("a model", model_text(title=title, source=source, **parts))
        self._take(_dalembert.load_text(text, [], title or "model"))

    def _take(self, handle: _dalembert.Model) -> None:
        self._handle = handle
        self._names = None
        self._equations: dict[bool, Equations] = {}
        for warning in handle.warnings:
            warnings.warn(warning, Warning, stacklevel=4)

    @classmethod
    def _of(cls, handle: _dalembert.Model) -> Model:
        model = cls.__new__(cls)
        model._take(handle)
        return model

    @classmethod
    def load(cls, source: str | os.PathLike[str], /, **values: Any) -> Model:
        """A model from a file, a shipped name or the text of a model file; other values of parameters and starts.

        >>> import dalembert as dal
        >>> dal.Model.load("slider_crank", l1=0.3).title
        'Slider-crank'
        """
        if isinstance(source, str) and "\n" in source:
            return cls.from_text(source, **values)
        name = _values.text("the name of a model", _values.path(source))
        return cls._of(_dalembert.load(name, settings(values)))

    @classmethod
    def from_text(cls, text: str, /, name: str = "model", **values: Any) -> Model:
        """A model from the text of a model file; ``name`` stands for the file in messages."""
        text, name = _values.text("from_text", text), _values.text("name", name)
        return cls._of(_dalembert.load_text(text, settings(values), name))

    @classmethod
    def from_sympy(cls, lagrangian: Any, coordinates: Any = None, **parts: Any) -> Model:
        """A model from a Lagrangian of SymPy; see :func:`dalembert.from_sympy`."""
        from ._sympy import from_sympy

        return from_sympy(lagrangian, coordinates, **parts)

    @property
    def title(self) -> str:
        """Of the model file."""
        return self._handle.title

    @property
    def text(self) -> str:
        """The model file that says the same."""
        return self._handle.text

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates, in the order of q."""
        return self._handle.coordinates

    @property
    def constraints(self) -> list[str]:
        """Names, first of the holonomic constraints, as the multipliers are ordered."""
        return self._handle.constraints

    @property
    def outputs(self) -> list[str]:
        """Names of the outputs, ``run["name"]`` of a run."""
        return self._handle.outputs

    @property
    def events(self) -> list[str]:
        """Names of the events and contacts."""
        return self._handle.events

    @property
    def columns(self) -> list[str]:
        """Names of all that a run has numbers of."""
        return [name for name, _, _ in self._columns]

    @property
    def units(self) -> dict[str, str]:
        """Of the columns that have one."""
        return {name: unit for name, _, unit in self._columns if unit}

    @property
    def _columns(self) -> list[tuple[str, str, str]]:
        if self._names is None:
            self._names = self._handle.columns
        return self._names

    @property
    def parameters(self) -> dict[str, float]:
        """Values of the parameters.

        >>> import dalembert as dal
        >>> dal.Model.load("pendulum").with_parameters(l=0.5).parameters["l"]
        0.5
        """
        return self._handle.parameter_values

    def with_parameters(self, values: Mapping[str, float] | None = None, /, **more: float) -> Model:
        """The same model with other numbers for some parameters. Nothing is derived or compiled again.

        >>> import dalembert as dal
        >>> long = dal.Model.load("pendulum").with_parameters(l=2)
        >>> long.run((0, 1)).success
        True
        """
        given = {**_values.names("with_parameters", values, "{'l': 0.5}"), **more}
        numbers = [(name, _values.real(f"the parameter {name!r}", item)) for name, item in given.items()]
        return self._of(self._handle.with_parameters(numbers))

    def with_start(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Model:
        """The same model with other start values: ``theta1=0.3``, ``{"theta1'": 2}``; numbers or expressions. Numbers
        derive and compile nothing again, but at the first start with these names.

        >>> import dalembert as dal
        >>> dal.Model.load("pendulum").with_start({"theta'": 1}).run((0, 1)).v[0]
        array([1.])
        """
        given = {**_values.names("with_start", values, "{'x': 1}"), **more}
        numbers = _values.plain_numbers(given)
        if numbers is None or not {name.removesuffix("'") for name in given} <= set(self.coordinates):
            return self._of(self._handle.with_settings(settings(given)))
        return self._of(self._handle.with_start(numbers))

    def with_inputs(self, inputs: Mapping[str, Any] | None = None, /, **more: Any) -> Model:
        """The same model with functions of time that data give, in place of its inputs or of parameters: (times,
        values), interpolated linearly, (times, values, "cubic"), or a dictionary with the keys of docs/inputs.md.

        >>> import dalembert as dal
        >>> crank = dal.Model.load("slider_crank")
        >>> driven = crank.with_inputs(torque=([0, 0.5, 1], [0, 10, 0]))
        >>> driven.run((0, 1)).success
        True
        """
        given = {**_values.names("inputs", inputs, "{'torque': (times, values)}"), **more}
        tables = [f"{name}={_text.value(input_table(name, data))}" for name, data in given.items()]
        return self._of(self._handle.with_settings(tables))

    def check(self) -> Check:
        """Start, degrees of freedom, index, redundant constraints.

        >>> import dalembert as dal
        >>> dal.Model.load("slider_crank").check().degrees_of_freedom
        1
        """
        return Check(_dalembert.check(self._handle))

    @property
    def equations(self) -> Equations:
        """The equations of motion: printed, as LaTeX in a notebook, for SymPy, as functions of arrays."""
        return self._equations_with(False)

    def _equations_with(self, numbers: bool) -> Equations:
        if numbers not in self._equations:
            self._equations[numbers] = Equations(self._handle, numbers)
        return self._equations[numbers]

    def run(
        self,
        t_span: tuple[float, float] | float | None = None,
        t_eval: Any = None,
        method: str | None = None,
        tol: float | None = None,
        *,
        dense_output: bool = False,
        every_step: bool = False,
        inputs: Mapping[str, Any] | None = None,
        progress: bool | Callable[[float, float, int], Any] = False,
        callback: Callable[[float, np.ndarray], Any] | None = None,
        **options: Unpack[RunOptions],
    ) -> Run:
        """Simulates.

        ``t_span`` is (start, end), or the end; without it the model's own. Samples are taken at ``t_eval``, or every
        ``output_step``, or with ``every_step`` at the steps of the method. ``tol`` is the relative error allowed per
        step. ``inputs`` are functions of time for this run, as :meth:`with_inputs` takes them. ``dense_output`` keeps
        the whole motion: ``run.sol(t)``. ``progress`` is True for a bar (tqdm) or a function of (t, fraction, steps),
        ``callback`` a function of each sample (t, y) with y = [q, v]; each stops the run by returning False. Further
        keywords are the options of docs/options.md.

        Ctrl-C ends a run, and what was computed is returned.

        >>> import dalembert as dal
        >>> run = dal.Model.load("slider_crank").run((0, 2), tol=1e-12)
        >>> run.outcome, run.t.shape, run["theta1"].shape
        ('finished', (201,), (201,))
        """
        if inputs is not None:
            again = self.with_inputs(inputs)
            keywords = {"dense_output": dense_output, "every_step": every_step, "progress": progress}
            return again.run(t_span, t_eval, method, tol, callback=callback, **keywords, **options)
        wishes = asked_options(t_span, t_eval, method, tol, options)
        every_step, dense_output = _values.flag("every_step", every_step), _values.flag("dense_output", dense_output)
        progress = _values.function("progress", progress, True)
        callback = _values.function("callback", callback)
        if progress is True:
            from ._progress import run_bar

            with run_bar() as show:
                result = _dalembert.run(self._handle, wishes, every_step, dense_output, show, callback)
        else:
            result = _dalembert.run(self._handle, wishes, every_step, dense_output, progress, callback)
        return Run(self, result, {**wishes, "every_step": every_step, "dense_output": dense_output})

    def sweep(
        self,
        vary: Mapping[str, Any] | None = None,
        *,
        sample: Mapping[str, Any] | None = None,
        collect: str | Sequence[str] = (),
        runs: int = 0,
        seed: int = 0,
        sobol: bool = False,
        sobol_indices: bool = False,
        executor: Executor | None = None,
        progress: bool | Callable[[int, int], Any] = False,
        t_span: tuple[float, float] | float | None = None,
        t_eval: Any = None,
        tol: float | None = None,
        inputs: Mapping[str, Any] | None = None,
        **options: Unpack[AllOptions],
    ) -> StudyResults:
        """Runs over parameters and start values: docs/studies.md.

        ``vary`` gives each name its values, or a text as on the command line ("0.1:0.5:50"); all combinations are run.
        ``sample`` gives names distributions, "normal(0.3, 0.05)" or ("normal", 0.3, 0.05), of which ``runs`` samples are
        drawn; ``sobol_indices`` makes runs (samples + 2) of them, to tell which sample makes how much of the variance.
        ``collect`` says what is kept of each run: "max(theta'), end(x), time(hit)"; "motion" the curves of all
        coordinates and velocities, "motion(x)" that of one, at ``t_eval`` or every ``output_step``. ``executor`` is any
        concurrent.futures.Executor (threads, processes, ``client.get_executor()`` of Dask, ``MPIPoolExecutor`` of
        mpi4py.futures); without one, threads share the work. Numbers do not depend on it. ``progress`` is True for a bar
        (tqdm) or a function of (rows done, all rows), which stops the study by returning False. Ctrl-C stops it, too:
        rows that are there are kept, the others have the outcome 3, interrupted.

        Gives an xarray.Dataset where xarray is installed, with a dimension for each varied name, else a dictionary of
        arrays. Runs that fail have their outcome (0: finished) and reason. Either has ``report("page.html")``,
        ``run(row)``, ``to_pandas()``, ``to_parquet(file)``, ``sobol_indices()``.

        >>> import dalembert as dal
        >>> sweep = dal.Model.load("pendulum").sweep({"theta": [0.5, 1.0]}, collect="max(theta)")
        >>> [round(float(x), 12) for x in sweep["max(theta)"]]
        [0.5, 1.0]
        """
        check_executor(executor)
        vary = _values.names("vary", vary, "{'l': [1, 2]}")
        sample = _values.names("sample", sample, "{'l': 'normal(1, 0.1)'}")
        wishes = asked_options(t_span, t_eval, None, tol, options)
        model = self if inputs is None else self.with_inputs(inputs)
        how = {
            "runs": _values.whole_number("runs", runs),
            "seed": _values.whole_number("seed", seed),
            "sobol": _values.flag("sobol", sobol),
            "sobol_indices": _values.flag("sobol_indices", sobol_indices),
        }
        return _study.run(_study.describe(model, vary, sample, collect, wishes, **how), vary, executor, progress)

    def series(self, order: int = 8, *, exact: bool = False, digits: int = 0) -> Series:
        """One expansion of the motion at its start: coefficients of q, v, λ by powers of t.

        With ``exact`` they are fractions, with ``digits`` decimal numbers of so many digits.

        >>> import dalembert as dal
        >>> model = dal.Model(coordinates={"x": 1}, kinetic="x'^2/2", potential="x^2/2")
        >>> model.series(4, exact=True)["x"]
        [Fraction(1, 1), Fraction(0, 1), Fraction(-1, 2), Fraction(0, 1), Fraction(1, 24)]
        """
        order, digits = _values.whole_number("order", order), _values.whole_number("digits", digits)
        exact = _values.flag("exact", exact)
        most = 2**31 - 1
        return Series(_dalembert.series(self._handle, min(order, most), min(digits, most), exact), exact, digits)

    def compare(
        self,
        methods: Sequence[str] = (),
        t_span: tuple[float, float] | float | None = None,
        *,
        tolerances: Sequence[float] = (),
        steps: Sequence[float] = (),
        samples: int = 100,
        digits: int = 30,
        report: str | os.PathLike[str] = "",
        inputs: Mapping[str, Any] | None = None,
        **options: Unpack[AllOptions],
    ) -> Comparison:
        """Methods side by side against a reference of many digits: time, errors, drift.

        ``report`` is a page (.html) to write, with diagrams.
        """
        wishes = asked_options(t_span, None, None, None, options)
        model = self if inputs is None else self.with_inputs(inputs)
        arguments = (
            _values.words("methods", methods),
            positive_numbers("tolerances", tolerances),
            positive_numbers("steps", steps),
            _values.whole_number("samples", samples, 1),
            min(_values.whole_number("digits", digits), 2**31 - 1),
        )
        return Comparison(_dalembert.compare(model._handle, wishes, *arguments, _values.path(report)))

    def stability(
        self,
        box: Mapping[str, tuple[float, float]] | None = None,
        *,
        a: float = 0.99,
        epsilon: float = 0.1,
        step: float | None = None,
    ) -> Stability:
        """Admissible gains and steps of a kinematic model, over a box of coordinates."""
        ranges = []
        for name, ends in _values.names("box", box, "{'x': (-1, 1)}").items():
            low_high = _values.sequence(f"box: {name!r}", ends)
            if len(low_high) != 2:
                raise ValueError(f"box: {name!r} takes (least, largest), not {len(low_high)} numbers")
            ranges.append(f"{_text.name(name)}={float(low_high[0])!r}:{float(low_high[1])!r}")
        step = None if step is None else _values.real("step", step)
        arguments = (_values.real("a", a), _values.real("epsilon", epsilon), step)
        return Stability(_dalembert.stability(self._handle, ranges, *arguments))

    def __repr__(self) -> str:
        name = f"{self.title!r}, " if self.title else ""
        counts = ", ".join(
            f"{len(names)} {word}{'' if len(names) == 1 else 's'}"
            for names, word in ((self.coordinates, "coordinate"), (self.constraints, "constraint"))
        )
        return f"<dalembert.Model {name}{counts}>"

    def _repr_latex_(self) -> str:
        return self.equations._repr_latex_()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash((self._handle.text, tuple(self._handle.settings)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_parts, (self._handle.text, self._handle.file, tuple(self._handle.settings))


def _from_parts(text: str, file: str, settings: tuple[str, ...]) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warning)  # they were told when the model was made
        return Model._of(_dalembert.load_text(text, list(settings), file))


def import_urdf(
    file: str | os.PathLike[str],
    *,
    base: str = "automatic",
    keep_fixed: bool = False,
    friction_speed: float = 0,
    start: Mapping[str, float] | None = None,
) -> Model:
    """A robot in URDF as a model. ``base`` is "automatic", "fixed" or "floating", ``start`` the positions of joints
    (``{"elbow": 0.5, "elbow'": 1}``). The model's text, :attr:`Model.text`, can be kept in a file and changed."""
    if base not in ("automatic", "fixed", "floating"):
        raise ValueError(f"base must be 'automatic', 'fixed' or 'floating', not {base!r}")
    start = _values.names("start", start, "{'elbow': 0.5}")
    values = [f"{_text.name(name)}={_values.real(f'start: {name!r}', item)!r}" for name, item in start.items()]
    flags = (_values.flag("keep_fixed", keep_fixed), _values.real("friction_speed", friction_speed))
    text, doubts, notes = _dalembert.import_robot(_values.text("file", _values.path(file)), values, base, *flags)
    for doubt in doubts:
        warnings.warn(doubt, Warning, stacklevel=2)
    model = Model.from_text(text, name=os.fspath(file))
    model.notes = notes
    return model


def shipped_models() -> dict[str, str]:
    """Names and titles of the models that come with Dalembert.

    >>> import dalembert as dal
    >>> dal.shipped_models()["slider_crank"]
    'Slider-crank'
    """
    return {name: title for name, title, _ in _dalembert.shipped()}
