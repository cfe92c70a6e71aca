"""A motion between the samples of a run, for methods that keep no dense output."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import Error
from .run import Run, _times

# q = q0 h00 + h v0 h10 + h² a0 h20 + q1 h01 + h v1 h11 + h² a1 h21: polynomials in s = (t - t0)/h, by rising powers
_HERMITE = np.array(
    [
        [1, 0, 0, -10, 15, -6],
        [0, 1, 0, -6, 8, -3],
        [0, 0, 1 / 2, -3 / 2, 3 / 2, -1 / 2],
        [0, 0, 0, 10, -15, 6],
        [0, 0, 0, -4, 7, -3],
        [0, 0, 0, 1 / 2, -1, 1 / 2],
    ]
)
_POWERS = np.arange(6)


class Interpolated:
    """Hermite's polynomials of the fifth degree through q, v and a of the samples; velocities are their derivatives.

    >>> import dalembert as dal
    >>> solution = dal.solve_ivp(dal.Model.load("pendulum"), (0, 1), method="DOP853", rtol=1e-8, dense_output=True)
    >>> solution.sol(0.5).shape
    (2,)
    """

    def __init__(self, run: Run):
        if len(run.t) == 0:
            raise Error("the run has no samples")
        order = slice(None) if run.t[-1] >= run.t[0] else slice(None, None, -1)
        self.ts = run.t
        self._t = run.t[order]
        self._parts = [part[order] for part in (run.q, run.v, run.a)]

    @property
    def t_min(self) -> float:
        return float(self._t[0])

    @property
    def t_max(self) -> float:
        return float(self._t[-1])

    def __repr__(self) -> str:
        return f"<dalembert polynomials of {len(self.ts) - 1} steps from t = {self.t_min:.6g} to {self.t_max:.6g}>"

    def __call__(self, t: Any) -> np.ndarray:
        times = _times(t)
        if not ((times >= self.t_min) & (times <= self.t_max)).all():
            raise Error(f"the motion is known from {self.t_min:g} to {self.t_max:g}; a time is outside")
        place = np.clip(np.searchsorted(self._t, times, side="right") - 1, 0, max(len(self._t) - 2, 0))
        behind = np.minimum(place + 1, len(self._t) - 1)
        h = self._t[behind] - self._t[place]
        s = np.divide(times - self._t[place], h, out=np.zeros_like(times), where=h > 0)
        scales = [np.ones_like(h), h, h**2]
        nodes = np.array([part[at] * scale[:, None] for at in (place, behind) for part, scale in zip(self._parts, scales)])
        powers = s[:, None] ** _POWERS
        rates = np.zeros_like(powers)
        rates[:, 1:] = _POWERS[1:] * powers[:, :-1]
        q, v = (np.einsum("tp,bp,btn->nt", one, _HERMITE, nodes) for one in (powers, rates))
        v = np.divide(v, h, out=self._parts[1][place].T.copy(), where=h > 0)
        return np.concatenate([q, v]).reshape(-1, *np.shape(t))
