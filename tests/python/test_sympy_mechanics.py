"""Systems of sympy.physics.mechanics, by SymPy's own examples: their accelerations by SymPy and by a run."""

import numpy as np
import pytest

import dalembert as dal

sm = pytest.importorskip("sympy")
me = pytest.importorskip("sympy.physics.mechanics")

t = me.dynamicsymbols._t


def accelerations_of(kane, values):
    """q'' by Kane's equations in numbers; values of coordinates, speeds and symbols."""
    put = lambda matrix: np.array(me.msubs(sm.Matrix(matrix), values).evalf(), dtype=float)
    order = [*kane.u]
    rates = dict(zip([one.diff(t) for one in order], np.linalg.solve(put(kane.mass_matrix), put(kane.forcing))[:, 0]))
    change = kane.kindiffdict()
    second = [change[q.diff(t)].diff(t).subs(change).subs(rates) for q in kane.q]
    return put(second)[:, 0]


def started(kane, values):
    coordinates = {*kane.q, *kane.u}
    start = {one: value for one, value in values.items() if one in coordinates}
    parameters = {one: value for one, value in values.items() if one not in coordinates}
    return dal.from_sympy(kane, parameters=parameters, start=start)


def test_a_disc_that_rolls_by_three_speeds():
    """Its velocities are not those of positions: energies would give other equations."""
    q1, q2, q3, u1, u2, u3 = me.dynamicsymbols("q1 q2 q3 u1 u2 u3")
    r, m, g = sm.symbols("r m g")
    N = me.ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    turning = R.ang_vel_in(N)
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    C = me.Point("C")
    C.set_vel(N, 0)
    centre = C.locatenew("Dmc", r * L.z)
    centre.v2pt_theory(C, N, R)
    disc = me.RigidBody("disc", centre, R, m, (me.inertia(L, m / 4 * r**2, m / 2 * r**2, m / 4 * r**2), centre))
    kinematics = [me.dot(R.ang_vel_in(N) - turning, axis) for axis in L]
    kane = me.KanesMethod(N, q_ind=[q1, q2, q3], u_ind=[u1, u2, u3], kd_eqs=kinematics)
    with pytest.raises(dal.Error, match="has no bodies"):
        dal.from_sympy(kane)
    kane.kanes_equations([disc], [(centre, -m * g * Y.z)])
    values = {q1: 0.2, q2: 0.3, q3: 0.1, u1: 0.4, u2: 5.0, u3: -0.3, r: 0.5, m: 2.0, g: 9.81}
    run = started(kane, values).run((0, 0.01))
    np.testing.assert_allclose(run.a[0], accelerations_of(kane, values), rtol=1e-12)


def test_a_four_bar_linkage_of_joints():
    q1, q2, q3, u1, u2, u3 = me.dynamicsymbols("q1:4, u1:4")
    lengths = l1, l2, l3, l4 = sm.symbols("l1:5")
    rho = sm.symbols("rho")
    frames = [me.ReferenceFrame(f"A{i}") for i in range(4)]
    links = []
    for i, (length, frame) in enumerate(zip(lengths, frames)):
        link = me.RigidBody(f"link{i}", frame=frame, mass=rho * length)
        link.central_inertia = me.inertia(frame, 0, 0, rho * length**3 / 12)
        links.append(link)
    joints = [
        me.PinJoint(
            f"J{i}",
            links[i],
            links[i + 1],
            q,
            u,
            parent_point=lengths[i] / 2 * frames[i].x,
            child_point=-lengths[i + 1] / 2 * frames[i + 1].x,
            joint_axis=frames[i].z,
        )
        for i, (q, u) in enumerate(zip((q1, q2, q3), (u1, u2, u3)))
    ]
    loop = links[3].masscenter.pos_from(links[0].masscenter) + l1 / 2 * frames[0].x + l4 / 2 * frames[3].x
    closed = sm.Matrix([loop.dot(frames[0].x), loop.dot(frames[0].y)])
    system = me.System.from_newtonian(links[0])
    system.add_joints(*joints)
    kdes = system.kdes
    rates = sm.solve(list(kdes), [q.diff(t) for q in (q1, q2, q3)])
    kane = me.KanesMethod(
        system.frame,
        q_ind=[q1],
        u_ind=[u1],
        q_dependent=[q2, q3],
        u_dependent=[u2, u3],
        kd_eqs=kdes,
        configuration_constraints=closed,
        velocity_constraints=closed.diff(t).subs(rates),
        bodies=system.bodies,
    )
    kane.kanes_equations()
    values = {q1: 2.1, q2: 0.6655470375077588, q3: 2.527408138024188}  # as in SymPy's test
    values |= {u1: 0.2, u2: -0.17963733938852067, u3: 0.1309060540601612}
    values |= {l1: 0.13, l2: 0.24, l3: 0.21, l4: 0.34, rho: 997}
    model = started(kane, values)
    assert len(model.constraints) == 2  # the rates of the loop are not another two
    np.testing.assert_allclose(model.run((0, 0.01)).a[0], accelerations_of(kane, values), rtol=1e-9)

    system.q_ind, system.q_dep, system.u_ind, system.u_dep = [q1], [q2, q3], [u1], [u2, u3]
    system.add_holonomic_constraints(*closed)
    by_system = started(system, values)
    np.testing.assert_allclose(by_system.run((0, 0.01)).a[0], accelerations_of(kane, values), rtol=1e-9)


def test_pendulums_on_a_cart_with_a_force_and_torques():
    models = pytest.importorskip("sympy.physics.mechanics.models")
    kane = models.n_link_pendulum_on_cart(3, cart_force=True, joint_torques=True)
    symbols = sorted((kane.mass_matrix.free_symbols | kane.forcing.free_symbols) - {t}, key=str)
    outside = sorted(me.find_dynamicsymbols(kane.forcing) - {*kane.q, *kane.u}, key=str)
    numbers = iter(np.linspace(0.3, 1.7, 40))
    state = {one: next(numbers) for one in [*kane.q, *kane.u]}
    values = {**state, **{one: next(numbers) for one in [*symbols, *outside]}}
    inputs = {one.func.__name__: ([0, 1], [values[one]] * 2) for one in outside}
    parameters = {one: values[one] for one in symbols}
    model = dal.from_sympy(kane, parameters=parameters, start=state, inputs=inputs)
    assert sorted(inputs) == ["F", "T1", "T2", "T3"]
    np.testing.assert_allclose(model.run((0, 0.01)).a[0], accelerations_of(kane, values), rtol=1e-10)


def test_lagranges_method_with_loads_and_a_constraint():
    q1, q2 = q = me.dynamicsymbols("q1 q2")
    m, g, c, l = sm.symbols("m g c l")
    N = me.ReferenceFrame("N")
    O = me.Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", q1 * N.x + q2 * N.y)
    P.set_vel(N, P.pos_from(O).dt(N))
    ball = me.Particle("ball", P, m)
    ball.potential_energy = m * g * q2
    load = (P, -c * P.vel(N))
    rod = q1**2 + q2**2 - l**2
    method = me.LagrangesMethod(me.Lagrangian(N, ball), q, hol_coneqs=[rod], forcelist=[load], frame=N)
    values = {m: 2.0, g: 9.81, c: 0.7, l: 1.0}
    start = {q1: 0.6, q2: -0.8, q1.diff(t): 0.8, q2.diff(t): 0.6}
    run = dal.from_sympy(method, parameters=values, start=start).run((0, 0.01))
    method.form_lagranges_equations()
    theirs = (method.mass_matrix_full.LUsolve(method.forcing_full)).subs(start).subs(values).evalf()
    np.testing.assert_allclose(run.a[0], np.array(theirs[2:4], dtype=float), rtol=1e-12)
    same = dal.from_sympy(
        me.Lagrangian(N, ball), q, forces=[load], frame=N, holonomic=[rod], parameters=values, start=start
    )
    np.testing.assert_array_equal(same.run((0, 0.01)).numbers, run.numbers)


def test_mistakes_about_systems_are_named():
    x = me.dynamicsymbols("x")
    method = me.LagrangesMethod(x.diff() ** 2 / 2, [x])
    with pytest.raises(TypeError, match="a LagrangesMethod has its own coordinates"):
        dal.from_sympy(method, [x])
    with pytest.raises(TypeError, match="takes a Lagrangian and its coordinates"):
        dal.from_sympy(x.diff() ** 2 / 2)
    with pytest.raises(TypeError, match="the frame in which the system is inertial"):
        dal.from_sympy(x.diff() ** 2 / 2, [x], forces=[(me.Point("P"), 0)])
    with pytest.raises(TypeError, match="at a Point or on a ReferenceFrame, not at 5"):
        dal.from_sympy(x.diff() ** 2 / 2, [x], forces=[(5, 0)], frame=me.ReferenceFrame("N"))
