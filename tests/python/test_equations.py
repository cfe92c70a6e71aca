"""The equations of motion as text, LaTeX, SymPy, and functions of arrays."""

import numpy as np
import pytest

import dalembert as dal

sympy = pytest.importorskip("sympy")
from sympy.physics.mechanics import dynamicsymbols  # noqa: E402


def test_functions_of_arrays_are_the_matrices():
    crank = dal.Model.load("slider_crank")
    p = crank.parameters
    rng = np.random.default_rng(1)
    q, v = rng.normal(size=(2, 7, 2))
    e = crank.equations
    M = e.M(q)
    off = -p["l1"] * p["l2"] / 2 * (p["m2"] + 2 * p["m3"]) * np.cos(q.sum(axis=1))
    np.testing.assert_allclose(M[:, 0, 1], off, rtol=1e-14)
    np.testing.assert_allclose(M[:, 1, 0], off, rtol=1e-14)
    C = np.stack([p["l1"] * np.cos(q[:, 0]), -p["l2"] * np.cos(q[:, 1])], axis=1)[:, None, :]
    np.testing.assert_allclose(e.C(q), C, rtol=1e-14)
    np.testing.assert_allclose(e.g(q)[:, 0], p["l1"] * np.sin(q[:, 0]) - p["l2"] * np.sin(q[:, 1]), atol=1e-15)
    gamma = p["l1"] * np.sin(q[:, 0]) * v[:, 0] ** 2 - p["l2"] * np.sin(q[:, 1]) * v[:, 1] ** 2
    np.testing.assert_allclose(e.gamma(q, v)[:, 0], gamma, rtol=1e-13)
    assert e.c(q).shape == (7, 1) and e.f(q, v).shape == (7, 2)


def test_matrices_solve_what_the_run_says():
    run = dal.Model.load("slider_crank").run((0, 1))
    e = run.model.equations
    left = np.einsum("kij,kj->ki", e.M(run.q, run.v, run.t), run.a)
    right = e.f(run.q, run.v, run.t) - np.einsum("kji,kj->ki", e.C(run.q), run.lam)
    np.testing.assert_allclose(left, right, atol=1e-11)


def test_other_parameters_reach_the_functions():
    model = dal.Model.load("pendulum")
    assert model.with_parameters(l=3).equations.M(0.1)[0, 0] == pytest.approx(9 * model.equations.M(0.1)[0, 0])


def test_shapes_are_those_of_numpy():
    M = dal.Model.load("slider_crank").equations.M
    assert M([0.1, 0.2]).shape == (2, 2)
    assert M(np.zeros((3, 4, 2)), t=np.zeros(4)).shape == (3, 4, 2, 2)
    assert M(np.zeros((0, 2))).shape == (0, 2, 2)
    with pytest.raises(ValueError, match="theta1, theta2"):
        M([0.1])
    with pytest.raises(ValueError):
        M([0.1, 0.2], [1.0])


@pytest.mark.parametrize("name", ["slider_crank", "andrews", "pendulum_cartesian"])
def test_sympy_has_the_same_values(name):
    model = dal.Model.load(name)
    symbolic = model.equations.to_sympy()
    names = model.coordinates
    rng = np.random.default_rng(2)
    q, v = rng.normal(size=(2, len(names)))
    values = {n: x for n, x in zip(names, q)} | {n + "'": x for n, x in zip(names, v)} | model.parameters | {"t": 0}
    for symbol in ("M", "f", "C", "g", "gamma"):
        numbers = getattr(model.equations, symbol)(q, v)
        matrix = symbolic[symbol]
        found = np.array(matrix.evalf(subs={s: values[s.name] for s in matrix.free_symbols}), dtype=float)
        np.testing.assert_allclose(found.reshape(numbers.shape), numbers, rtol=1e-9, atol=1e-9)


def test_latex_and_text():
    e = dal.Model.load("slider_crank").equations
    assert "\\begin{align" in e._repr_latex_() and "%" not in e._repr_latex_().replace("\\%", "")
    assert "mass matrix" in str(e)
    assert e.M[0, 1] == e.M[1, 0] == "-1/2*l1*l2*(m2 + 2*m3)*cos(theta1 + theta2)"
    assert e.M._repr_latex_().startswith("$$M = \\begin{pmatrix}")


def test_a_lagrangian_of_sympy_moves_as_it_should():
    theta = dynamicsymbols("theta")
    m, l, g = sympy.symbols("m l g")
    L = m * l**2 * theta.diff() ** 2 / 2 + m * g * l * sympy.cos(theta)
    model = dal.from_sympy(L, [theta], parameters={m: 2, l: 0.7, g: 9.81}, start={theta: 1.2, theta.diff(): -0.4})
    a = model.run((0, 0.1)).a[0, 0]
    assert a == pytest.approx(-9.81 / 0.7 * np.sin(1.2), rel=1e-14)


def test_a_rolling_disc_of_sympy():
    """SymPy's rolling disc (docs of sympy.physics.mechanics), here with nonholonomic constraints on its place."""
    yaw, lean, roll, x, y = q = dynamicsymbols("yaw lean roll x y")
    r, m, g = sympy.symbols("r m g")
    t = dynamicsymbols._t
    from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, inertia

    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [yaw, N.z])
    Lf = Y.orientnew("L", "Axis", [lean, Y.x])
    R = Lf.orientnew("R", "Axis", [roll, Lf.y])
    O = Point("O")
    O.set_vel(N, 0)
    contact = O.locatenew("P", x * N.x + y * N.y)
    centre = contact.locatenew("Dmc", r * Lf.z)
    centre.set_vel(N, centre.pos_from(O).dt(N))
    disc = RigidBody("disc", centre, R, m, (inertia(Lf, m / 4 * r**2, m / 2 * r**2, m / 4 * r**2), centre))
    T = sympy.simplify(disc.kinetic_energy(N))
    V = m * g * r * sympy.cos(lean)
    slip = centre.vel(N) + R.ang_vel_in(N).cross(-r * Lf.z)
    rows = [sympy.simplify(slip.dot(N.x)), sympy.simplify(slip.dot(N.y))]
    values = {r: 0.5, m: 2.0, g: 9.81}
    start = {yaw: 0.2, lean: 0.3, roll: 0.1, yaw.diff(t): 0.4, lean.diff(t): 0.1, roll.diff(t): 5.0}
    # velocities of the contact point that roll without slip
    rates = sympy.solve([row.subs(values) for row in rows], [x.diff(t), y.diff(t)])
    start |= {place: sympy.N(rates[place].subs(start)) for place in (x.diff(t), y.diff(t))}
    model = dal.from_sympy(T - V, q, nonholonomic=rows, parameters=values, start=start)
    run = model.run((0, 0.01))

    # M a = f − Aᵀ λ, A a = −A' v by SymPy's own derivatives
    speeds = [one.diff(t) for one in q]
    L = (T - V).subs(values)
    lagrange = [L.diff(s).diff(t) - L.diff(one) for one, s in zip(q, speeds)]
    A = sympy.Matrix(rows).subs(values).jacobian(speeds)
    acc = sympy.symbols("a0:5")
    lam = sympy.symbols("l0:2")
    second = {s.diff(t): a for s, a in zip(speeds, acc)}
    equations = [e.subs(second) + sum(A[j, i] * lam[j] for j in range(2)) for i, e in enumerate(lagrange)]
    equations += [row.subs(values).diff(t).subs(second) for row in rows]
    places = start | {x: 0, y: 0}
    numbers = [
        e.subs({k: v for k, v in places.items() if k in speeds}).subs({k: v for k, v in places.items() if k in q})
        for e in equations
    ]
    solution = sympy.solve(numbers, [*acc, *lam])
    np.testing.assert_allclose(run.a[0], [float(solution[a]) for a in acc], rtol=1e-10, atol=1e-10)


def test_a_four_bar_of_sympy():
    """SymPy's four-bar linkage (docs of sympy.physics.mechanics): a chain of three rods whose end is held."""
    q1, q2, q3 = q = dynamicsymbols("q1:4")
    t = dynamicsymbols._t
    l = [0.8, 2.1, 1.5]
    d, rho = 2.0, 5.0
    angle, place, T = 0, sympy.Matrix([0, 0]), 0
    for length, one in zip(l, q):
        angle += one
        along = sympy.Matrix([sympy.cos(angle), sympy.sin(angle)])
        centre = place + along * length / 2
        place = place + along * length
        m = rho * length
        speed = centre.diff(t)
        T += m * speed.dot(speed) / 2 + m * length**2 / 12 * angle.diff(t) ** 2 / 2
    loop = [place[0] - d, place[1]]
    start = {q1: sympy.rad(70).evalf(), q2: -1.0, q3: -1.5}
    solved = sympy.nsolve([e.subs(q1, start[q1]) for e in loop], [q2, q3], [start[q2], start[q3]])
    start |= {q2: solved[0], q3: solved[1], q1.diff(t): 1.0}
    model = dal.from_sympy(T, q, holonomic=loop, start=start)
    run = model.run((0, 0.01))
    v = dict(zip([one.diff(t) for one in q], run.v[0]))
    speeds = list(v)
    acc, lam = sympy.symbols("a1:4"), sympy.symbols("l1:3")
    second = {s.diff(t): a for s, a in zip(speeds, acc)}
    equations = [
        (T.diff(s).diff(t) - T.diff(one)).subs(second) + sum(c.diff(one) * p for c, p in zip(loop, lam))
        for one, s in zip(q, speeds)
    ] + [c.diff(t, 2).subs(second) for c in loop]
    solution = sympy.solve([e.subs(v).subs(start) for e in equations], [*acc, *lam])
    np.testing.assert_allclose(run.a[0], [float(solution[a]) for a in acc], rtol=1e-9)


def test_names_and_functions_that_a_model_cannot_have():
    z = dynamicsymbols("z_{12}")
    model = dal.from_sympy(z.diff() ** 2 / 2 - sympy.sqrt(1 + z**2), [z], start={z: 1})
    assert model.coordinates == ["z__12_"]
    assert model.run((0, 0.1)).a[0, 0] == pytest.approx(-1 / np.sqrt(2), rel=1e-14)
    with pytest.raises(ValueError, match="besselj"):
        dal.from_sympy(z.diff() ** 2 / 2 - sympy.besselj(0, z), [z])
    with pytest.raises(TypeError, match="dynamicsymbols"):
        dal.from_sympy(z.diff() ** 2, [sympy.Symbol("x")])
