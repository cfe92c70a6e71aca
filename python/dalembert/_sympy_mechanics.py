"""Systems of sympy.physics.mechanics, in energies, generalized forces and constraints of coordinates and their rates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import sympy
from sympy.core.function import AppliedUndef
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, Point, ReferenceFrame, dynamicsymbols, msubs

from ._errors import Error

try:
    from sympy.physics.mechanics import System
except ImportError:  # before SymPy 1.13
    System = None


class Mechanics(NamedTuple):
    dynamics: dict[str, Any]  # kinetic, potential, forces; or mass, force
    coordinates: list[Any]
    holonomic: Any
    nonholonomic: Any
    rates: dict[Any, Any]  # q' by speeds u


def is_system(one: Any) -> bool:
    return isinstance(one, (LagrangesMethod, KanesMethod) + ((System,) if System else ()))


def read_system(one: Any) -> Mechanics:
    return _of_lagrange(one) if isinstance(one, LagrangesMethod) else _of_kane(one)


def _of_lagrange(one: LagrangesMethod) -> Mechanics:
    coordinates = list(one.q)
    forces = generalized_forces(one.forcelist, one.inertial, coordinates) if one.forcelist else {}
    kinetic, potential = energies(one._L[0], coordinates)
    dynamics = {"kinetic": kinetic, "potential": potential, "forces": forces}
    holonomic = list(one._hol_coneqs)
    return Mechanics(dynamics, coordinates, holonomic, list(one.coneqs)[len(holonomic) :], {})


def _of_kane(one: Any) -> Mechanics:
    """Kane's equations of all speeds, in rates: velocities need not be those of positions, as of a disc that rolls."""
    coordinates, speeds = sympy.Matrix(one.q), sympy.Matrix(one.u)
    rates = coordinates.diff(dynamicsymbols._t)
    if isinstance(one, KanesMethod):
        equations = one._k_ku_implicit * speeds + one._k_kqdot_implicit * rates + one._f_k_implicit
        bodies, loads, frame = one.bodies, one.forcelist, one._inertial
        holonomic, rows = list(one._f_h), list(one._k_nh * speeds + one._f_nh) if one._k_nh else []
    else:
        equations, bodies, frame = sympy.Matrix(one.kdes), one.bodies, one.frame
        loads = [*one.loads, *(load for actuator in one.actuators for load in actuator.to_loads())]
        holonomic, rows = list(one.holonomic_constraints), list(one.nonholonomic_constraints)
    if bodies is None:
        raise Error("the method has no bodies: KanesMethod(..., bodies=...), or kanes_equations(bodies, loads) before")
    if len(equations) != len(coordinates) or len(speeds) != len(coordinates):
        raise Error(f"{len(coordinates)} coordinates have {len(speeds)} speeds: each speed needs a coordinate, as an angle")
    rest = msubs(equations, dict.fromkeys([*speeds, *rates], 0))
    by_speeds, by_rates = equations.jacobian(speeds), equations.jacobian(rates)
    in_rates = -by_speeds.LUsolve(by_rates * rates + rest)
    in_speeds = -by_rates.LUsolve(by_speeds * speeds + rest)
    kane = KanesMethod(frame, list(coordinates), list(speeds), kd_eqs=list(equations))
    kane.kanes_equations(list(bodies), list(loads) if loads else None)
    put = lambda expressions: msubs(sympy.Matrix(expressions), dict(zip(speeds, in_rates)))
    # M u' = f with u = U(q, q', t), u' = W q'' + rest
    change = in_rates.jacobian(rates)
    others = msubs(in_rates.diff(dynamicsymbols._t), dict.fromkeys(rates.diff(dynamicsymbols._t), 0))
    mass = put(kane.mass_matrix)
    dynamics = {"mass": change.T * mass * change, "force": change.T * (put(kane.forcing) - mass * others)}
    nonholonomic = _not_implied(list(put(rows)) if rows else [], holonomic, list(coordinates))
    return Mechanics(dynamics, list(coordinates), holonomic, nonholonomic, dict(zip(rates, in_speeds)))


def energies(lagrangian: Any, coordinates: list[Any]) -> tuple[Any, Any]:
    """T and V of L = T - V, where V is what is left without rates."""
    potential = -lagrangian.subs({coordinate.diff(coordinate.args[0]): 0 for coordinate in coordinates})
    return sympy.expand(lagrangian + potential), potential


def with_rates(system: Mechanics, start: Mapping[Any, Any], parameters: Mapping[Any, Any]) -> dict[Any, Any]:
    """The start with rates in place of speeds, where these are given."""
    speeds = {one for row in system.rates.values() for one in sympy.sympify(row).atoms(AppliedUndef)}
    speeds -= set(system.coordinates)
    if not any(sympy.sympify(one) in speeds for one in start):
        return dict(start)
    values = {**dict.fromkeys([*speeds, *system.coordinates], 0), **start}
    values = {one: sympy.sympify(value) for one, value in {**values, **parameters}.items()}
    rates = {rate: sympy.sympify(msubs(row, values)).evalf() for rate, row in system.rates.items()}
    return {**rates, **{one: value for one, value in start.items() if sympy.sympify(one) not in speeds}}


def generalized_forces(loads: Iterable[Any], frame: Any, coordinates: list[Any]) -> dict[Any, Any]:
    """Q_i = Σ F · ∂v/∂q_i' + Σ T · ∂ω/∂q_i' of forces at points and torques on frames."""
    if not isinstance(frame, ReferenceFrame):
        raise TypeError("forces at points and torques on frames need the frame in which the system is inertial: frame=N")
    forces = dict.fromkeys(coordinates, sympy.Integer(0))
    for place, vector in loads:
        place = getattr(place, "masscenter", place)  # of a body
        if not isinstance(place, (Point, ReferenceFrame)):
            raise TypeError(f"a force is at a Point or on a ReferenceFrame, not at {place!r}")
        speed = place.vel(frame) if isinstance(place, Point) else place.ang_vel_in(frame)
        for coordinate in coordinates:
            partial = speed.diff(coordinate.diff(dynamicsymbols._t), frame, var_in_dcm=False)
            forces[coordinate] += partial.dot(vector)
    return {coordinate: force for coordinate, force in forces.items() if force != 0}


def _not_implied(rows: list[Any], holonomic: list[Any], coordinates: list[Any]) -> list[Any]:
    """Without the rates of the holonomic constraints, which Kane's method wants among those of the speeds."""
    if not holonomic or not rows:
        return rows
    rates = [coordinate.diff(dynamicsymbols._t) for coordinate in coordinates]
    known = sympy.Matrix(holonomic).jacobian(coordinates)
    all_rows = known.col_join(sympy.Matrix(rows).jacobian(rates))
    dynamic = {one: 0.1 + (0.61803 * i) % 1 for i, one in enumerate([*rates, *coordinates])}  # some point
    symbols = sorted(msubs(all_rows, dynamic).free_symbols, key=str)
    point = {one: 0.2 + (0.41421 * i) % 1 for i, one in enumerate(symbols)}
    numbers = np.array(msubs(all_rows, dynamic).subs(point).evalf(), dtype=float)
    kept = list(range(known.rows))
    for i in range(known.rows, len(numbers)):
        if np.linalg.matrix_rank(numbers[[*kept, i]]) > len(kept):
            kept.append(i)
    return [rows[i - known.rows] for i in kept if i >= known.rows]
