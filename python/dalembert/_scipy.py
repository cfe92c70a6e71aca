"""The interface of scipy.integrate.solve_ivp."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

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


def solve_ivp(
    model: Model,
    t_span: tuple[float, float],
    *,
    method: str | None = None,
    t_eval: Any = None,
    dense_output: bool = False,
    events: Callable | Sequence[Callable] | None = None,
    rtol: float | None = None,
    max_step: float | None = None,
    **options: Any,
) -> OdeResult:
    """Runs a model and returns what ``scipy.integrate.solve_ivp`` would: t, y = [q, v], sol, t_events, y_events, nfev,
    njev, nlu, status, message, success; and ``run``, the :class:`Run`.

    ``events`` are functions event(t, y) as SciPy has them, with the attributes ``terminal`` and ``direction``. They are
    looked at at every step, or at ``t_eval``, and found on the dense output of the method adomian.

    >>> import dalembert as dal
    >>> model = dal.Model.load("pendulum")
    >>> solution = dal.solve_ivp(model, (0, 10), t_eval=[0, 5, 10])
    >>> solution.y.shape, solution.success
    ((2, 3), True)
    >>> lowest = dal.solve_ivp(model, (0, 10), events=lambda t, y: y[0])
    >>> len(lowest.t_events[0])
    9
    """
    watch = _Events(events)
    dense = dense_output or bool(watch.events)
    if max_step is not None and np.isfinite(max_step):
        options["max_step"] = max_step
    run = model.run(
        t_span, t_eval, method, rtol, dense_output=dense, every_step=t_eval is None, callback=watch.look, **options
    )
    stopped = watch.find(run)
    t, y = run.t, run.y
    if stopped is not None:
        kept = np.abs(t - run.t[0]) < abs(stopped - run.t[0])
        t = np.append(t[kept], stopped)
        y = np.column_stack([y[:, kept], run.sol(stopped)])
    return OdeResult(
        t=t,
        y=y,
        sol=run.sol if dense_output else None,
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


class _Events:
    """Sign changes between samples, made exact on the dense output."""

    def __init__(self, events: Any):
        self.events = [events] if callable(events) else list(events or [])
        for event in self.events:
            if not callable(event):
                raise TypeError(f"an event must be a function of (t, y), not {type(event).__name__}")
        self._limits = [_limit(event) for event in self.events]
        self._last: list[tuple[float, float] | None] = [None] * len(self.events)
        self._changes: list[list[tuple[float, float, float, float]]] = [[] for _ in self.events]
        self.times = [np.empty(0) for _ in self.events] if self.events else None
        self.states = [np.empty((0, 0)) for _ in self.events] if self.events else None
        self.look = self._look if self.events else None

    def _look(self, t: float, y: np.ndarray) -> bool:
        """At a sample; False once an event that ends the run has happened."""
        go_on = True
        for i, event in enumerate(self.events):
            value = float(event(t, y))
            before = self._last[i]
            self._last[i] = (t, value)
            if before is None or not _crosses(before[1], value, getattr(event, "direction", 0)):
                continue
            self._changes[i].append((before[0], t, before[1], value))
            go_on = go_on and not (self._limits[i] and len(self._changes[i]) >= self._limits[i])
        return go_on

    def find(self, run: Any) -> float | None:
        """The times of all events; the one that ended the run."""
        ends = []
        for i, event in enumerate(self.events):
            roots = [_root(lambda t, event=event: float(event(t, run.sol(t))), *change) for change in self._changes[i]]
            self.times[i] = np.array(roots)
            self.states[i] = np.array([run.sol(t) for t in roots]) if roots else np.empty((0, len(run.y)))
            if self._limits[i] and len(roots) >= self._limits[i]:
                ends.append(roots[self._limits[i] - 1])
        if not ends:
            return None
        first = min(ends, key=lambda t: abs(t - run.t[0]))
        for i, times in enumerate(self.times):
            kept = np.abs(times - run.t[0]) <= abs(first - run.t[0])
            self.times[i], self.states[i] = times[kept], self.states[i][kept]
        return first


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
