"""The interface of scipy.integrate.solve_ivp."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from . import _values
from ._asked import span_of
from ._errors import Error
from ._interpolation import Interpolated
from .model import Model


class OdeResult(dict):
    """SciPy's: a dictionary whose keys are attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    __setattr__ = dict.__setitem__

    def __dir__(self):
        return list(self)

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:>{width}}: {value!r}" for name, value in self.items())


_METHODS = {"RK45": "dopri5", "DOP853": "dop853", "BDF": "bdf"}  # SciPy's words
_SCIPY_ALONE = ("first_step", "min_step", "jac", "jac_sparsity", "lband", "uband")
_PARTS_OF_STEP = 8  # at whose ends events are looked at: steps of series are long


def solve_ivp(
    model: Model,
    t_span: tuple[float, float],
    y0: Any = None,
    method: str | None = None,
    t_eval: Any = None,
    dense_output: bool = False,
    events: Callable | Sequence[Callable] | None = None,
    vectorized: bool = False,
    args: tuple = (),
    *,
    rtol: float | None = None,
    atol: Any = None,
    max_step: float | None = None,
    **options: Any,
) -> OdeResult:
    """Runs a model and returns what ``scipy.integrate.solve_ivp`` would: t, y = [q, v], sol, t_events, y_events, nfev,
    njev, nlu, status, message, success; and ``run``, the :class:`Run`.

    ``y0`` is a start [q, v] in place of the model's, on its constraints. ``rtol`` is the tolerance of a run, relative to
    the size of the motion; ``atol`` and ``vectorized`` are taken for the sake of code that gives them, and not needed.
    ``method`` may be one of SciPy's that are here, too: "RK45", "DOP853", "BDF".

    ``events`` are functions event(t, y, *args) as SciPy has them, with the attributes ``terminal`` and ``direction``.
    They are looked at eight times in each step, whatever ``t_eval`` is, and found to round-off on the dense output of the
    method adomian. Other methods keep none: between their steps ``sol`` and events are those of polynomials of the
    fifth degree. An event that is zero at the start has not happened there.

    >>> import dalembert as dal
    >>> model = dal.Model.load("pendulum")
    >>> solution = dal.solve_ivp(model, (0, 10), t_eval=[0, 5, 10])
    >>> solution.y.shape, solution.success
    ((2, 3), True)
    >>> lowest = dal.solve_ivp(model, (0, 10), events=lambda t, y: y[0])
    >>> len(lowest.t_events[0])
    9
    """
    if not isinstance(model, Model):
        raise TypeError(f"solve_ivp takes a dalembert.Model where SciPy's takes a function, not {_values.shown(model)}")
    for name in _SCIPY_ALONE:
        if options.pop(name, None) is not None:
            raise TypeError(f"{name} is SciPy's alone: derivatives are derived here, and steps chosen by their series")
    if y0 is not None:
        model = _started(model, y0)
    watch = _Events(events, args)
    method = _METHODS.get(method, method) if isinstance(method, str) else method
    times = None if t_eval is None else _values.sequence("t_eval", t_eval)
    dense = _values.flag("dense_output", dense_output) or bool(watch.events)
    is_series = (method or model._handle.defaults.get("method", "adomian")) == "adomian"
    if max_step is not None and _values.real("max_step", max_step) != np.inf:
        options["max_step"] = max_step
    every_step = times is None or bool(watch.events) or (dense and not is_series)
    if every_step and times is not None:
        _check_times(times, t_span)
    run = model.run(
        t_span,
        None if every_step else times,
        method,
        rtol,
        dense_output=dense and is_series,
        every_step=every_step,
        callback=watch.look,
        **options,
    )
    sol = None if not dense else run.sol if is_series else Interpolated(run)
    stopped = watch.find(run.t, sol)
    t, y = run.t, run.y
    if stopped is not None:
        kept = np.abs(t - t[0]) < abs(stopped - t[0])
        t, y = np.append(t[kept], stopped), np.column_stack([y[:, kept], sol(stopped)])
    if every_step and times is not None:
        t = _within(run, times, t[-1])
        y = sol(t)
    return OdeResult(
        t=t,
        y=y,
        sol=sol if dense_output else None,
        t_events=watch.times,
        y_events=watch.states,
        nfev=run.evaluations,
        njev=0,
        nlu=run.factorizations,
        status=1 if stopped is not None else 0 if run.success else -1,
        message="A termination event occurred." if stopped is not None else run.message,
        success=stopped is not None or run.success,
        run=run,
    )


def _started(model: Model, y0: Any) -> Model:
    numbers = _values.sequence("y0", y0)
    names = [*model.coordinates, *(f"{name}'" for name in model.coordinates)]
    if len(numbers) != len(names):
        raise ValueError(f"y0 needs {len(names)} numbers, {', '.join(names)}, not {len(numbers)}")
    return model.with_start(dict(zip(names, numbers)))


def _check_times(times: np.ndarray, t_span: Any) -> None:
    start, end = span_of(t_span)
    share = (times - start) / (end - start) if end != start else times
    if len(times) == 0 or not (share.min() >= 0 and share.max() <= 1):
        raise ValueError("t_eval takes times within t_span")
    if not (np.diff(share) > 0).all():
        raise ValueError("t_eval takes times in the order of the run")


def _within(run: Any, times: np.ndarray, end: float) -> np.ndarray:
    """Of the times that were asked for those that the run has come to."""
    return times[np.abs(times - run.t[0]) <= abs(end - run.t[0])]


class _Events:
    """Sign changes between samples, made exact on the dense output."""

    def __init__(self, events: Any, args: Any):
        if events is None:
            events = []
        if not callable(events) and not isinstance(events, Iterable):
            raise TypeError(f"events takes functions of (t, y), not {_values.shown(events)}")
        self.events = [events] if callable(events) else list(events)
        for event in self.events:
            if not callable(event):
                raise TypeError(f"an event must be a function of (t, y), not {type(event).__name__}")
        self._args = tuple(args) if isinstance(args, Iterable) else (args,)
        self._limits = [_limit(event) for event in self.events]
        self._last: list[float | None] = [None] * len(self.events)
        self._count = [0] * len(self.events)
        self.times = [np.empty(0) for _ in self.events] if self.events else None
        self.states = [np.empty((0, 0)) for _ in self.events] if self.events else None
        self.look = self._look if self.events else None

    def _value(self, event: Callable, t: float, y: np.ndarray) -> float:
        value = event(t, y, *self._args)
        try:
            if value is None:
                raise TypeError
            return float(np.asarray(value, dtype=float).item())
        except (TypeError, ValueError):
            raise TypeError(f"an event gives a number, not {_values.shown(value)}") from None

    def _look(self, t: float, y: np.ndarray) -> bool:
        """At the end of a step; False once an event that ends the run has happened."""
        go_on = True
        for i, event in enumerate(self.events):
            value = self._value(event, t, y)
            before, self._last[i] = self._last[i], value
            if before is None or not _crosses(before, value, getattr(event, "direction", 0)):
                continue
            self._count[i] += 1
            go_on = go_on and not (self._limits[i] and self._count[i] >= self._limits[i])
        return go_on

    def find(self, steps: np.ndarray, sol: Any) -> float | None:
        """The times of all events; the one that ended the run."""
        if not self.events or len(steps) < 2:
            return None
        parts = np.linspace(steps[:-1], steps[1:], _PARTS_OF_STEP, endpoint=False, axis=-1)
        t = np.append(parts.reshape(-1), steps[-1])
        y = sol(t)
        ends = []
        for i, event in enumerate(self.events):
            self.times[i] = self._times_of(event, sol, t, y)
            limit = self._limits[i]
            if limit and len(self.times[i]) >= limit:
                ends.append(self.times[i][limit - 1])
        first = min(ends, key=lambda t: abs(t - steps[0])) if ends else None
        for i, times in enumerate(self.times):
            if first is not None:
                self.times[i] = times = times[np.abs(times - steps[0]) <= abs(first - steps[0])]
            self.states[i] = sol(times).T
        return first

    def _times_of(self, event: Callable, sol: Any, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        values = [self._value(event, *state) for state in zip(t.tolist(), y.T.copy())]
        direction = getattr(event, "direction", 0)
        function = lambda time: self._value(event, time, sol(time))
        return np.array(
            [
                _root(function, t[k - 1], t[k], values[k - 1], values[k])
                for k in range(1, len(t))
                if _crosses(values[k - 1], values[k], direction)
            ],
            dtype=float,
        )


def _limit(event: Callable) -> int:
    """How many times it may happen; 0: any number of times."""
    terminal = getattr(event, "terminal", False)
    return 0 if terminal is None or terminal is False else int(terminal)


def _crosses(before: float, after: float, direction: float) -> bool:
    up = before <= 0 <= after and before != after
    down = before >= 0 >= after and before != after
    if before == 0:
        return False  # it was found in the step before
    return up if direction > 0 else down if direction < 0 else up or down


def _root(function: Callable[[float], float], a: float, b: float, fa: float, fb: float) -> float:
    """Within a change of sign, by bisection and secants (the method of Illinois), to round-off."""
    side = 0
    for _ in range(200):
        if fb == 0 or abs(b - a) <= 4 * np.spacing(max(abs(a), abs(b))):
            break
        middle = (fa * b - fb * a) / (fa - fb) if _ % 3 else (a + b) / 2
        if not min(a, b) < middle < max(a, b):
            middle = (a + b) / 2
        value = function(middle)
        if value == 0:
            return middle
        if (value > 0) == (fb > 0):
            b, fb, fa = middle, value, fa / 2 if side == 1 else fa
            side = 1
        else:
            a, fa, fb = middle, value, fb / 2 if side == -1 else fb
            side = -1
    return b
