"""Functions of time from arrays, beside exact motions and SciPy's own interpolation."""

import pickle

import numpy as np
import pytest

import dalembert as dal

TIMES = np.array([0, 0.35, 0.5, 1.3, 2])
VALUES = np.array([1, -0.5, 2, 2, -1])


@pytest.fixture(scope="module")
def mass():
    return dal.Model(
        coordinates={"x": 0}, kinetic="x'^2/2", forces={"x": "u"}, outputs={"u": "u"}, inputs={"u": (TIMES, VALUES)}
    )


def test_a_polygon_is_that_of_numpy(mass):
    run = mass.run((0, 2), t_eval=np.linspace(0, 2, 41), tol=1e-13)
    np.testing.assert_allclose(run["u"], np.interp(run.t, TIMES, VALUES), atol=1e-15)
    exact = np.trapezoid(VALUES, TIMES) if hasattr(np, "trapezoid") else np.trapz(VALUES, TIMES)
    assert run.v[-1, 0] == pytest.approx(exact, rel=1e-14)


def test_a_cubic_is_that_of_scipy(mass):
    interpolate = pytest.importorskip("scipy.interpolate")
    curve = interpolate.CubicSpline(TIMES, VALUES)
    run = mass.run((0, 2), inputs={"u": (TIMES, VALUES, "cubic")})
    np.testing.assert_allclose(run["u"], curve(run.t), atol=1e-13)
    assert run.v[-1, 0] == pytest.approx(curve.integrate(0, 2), abs=1e-13)


def test_an_input_takes_the_place_of_a_parameter():
    crank = dal.Model.load("slider_crank")
    constant = crank.run((0, 1), torque=None)
    ramp = crank.run((0, 1), inputs={"torque": ([0, 1], [10, 10])})
    np.testing.assert_allclose(ramp.q, constant.q, atol=1e-9)
    assert "torque" not in ramp.model.parameters and "torque" in crank.parameters
    assert not np.allclose(crank.with_inputs(torque=([0, 1], [0, 20])).run((0, 1)).q, constant.q)


def test_dense_output_and_events_go_across_knots(mass):
    solution = dal.solve_ivp(mass, (0, 2), dense_output=True, events=lambda t, y: y[1] - 0.2, rtol=1e-12)
    assert len(solution.t_events[0]) > 0
    run = mass.run((0, 2), dense_output=True)
    np.testing.assert_allclose(run.sol(run.t), run.y, atol=1e-13)
    for t in solution.t_events[0]:
        assert run.sol(t)[1] == pytest.approx(0.2, abs=1e-12)


def test_a_run_goes_back_the_way_that_it_came(mass):
    end = mass.run((0, 2), tol=1e-13)
    back = mass.with_start({"x": end.q[-1, 0], "x'": end.v[-1, 0]}).run((2, 0), tol=1e-13)
    np.testing.assert_allclose(back.t[::-1], end.t, atol=1e-14)
    np.testing.assert_allclose(back.q[::-1], end.q, atol=1e-14)
    np.testing.assert_allclose(back.v[::-1], end.v, atol=1e-14)


def test_matrices_follow_inputs(mass):
    t = np.array([0.1, 0.4, 1.9, 0.2])
    f = mass.equations.f(np.zeros((4, 1)), np.zeros((4, 1)), t)
    np.testing.assert_allclose(f[:, 0], np.interp(t, TIMES, VALUES), atol=1e-15)


def test_models_with_inputs_pickle(mass):
    changed = mass.with_inputs(u=(TIMES, 2 * VALUES, "cubic"))
    for model in (mass, changed):
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.run((0, 2)).q, model.run((0, 2)).q)


def test_mistakes_say_what_is_wrong(mass):
    with pytest.raises(dal.Error, match="leaves the data of the input 'u', which are from 0 to 2"):
        mass.run((0, 3))
    with pytest.raises(dal.ModelError, match="must increase: 0 follows 1"):
        mass.with_inputs(u=([1, 0], [1, 2]))
    with pytest.raises(dal.ModelError, match="3 times and 2 values"):
        mass.with_inputs(u=([0, 1, 2], [1, 2]))
    with pytest.raises(dal.ModelError, match="no parameter or coordinate 'w'"):
        mass.with_inputs(w=([0, 1], [1, 2]))
    with pytest.raises(ValueError, match="finite"):
        mass.run((0, 1), inputs={"u": ([0, 1], [np.nan, 2])})
    for wrong in ("text", 3, None, ([0, 1],), ([0, 1], [[1, 2]]), (1, 2), {"times": [0, 1]}, ([0, 1], [1, 2], "no")):
        with pytest.raises((TypeError, ValueError)):
            mass.run((0, 1), inputs={"u": wrong})
    for wrong in ("text", 3, [1]):
        with pytest.raises((TypeError, ValueError)):
            mass.run((0, 1), inputs=wrong)


def test_events_of_the_model_are_in_the_run():
    ball = dal.Model(
        coordinates={"y": 1.0},
        kinetic="y'^2/2",
        potential="9.81*y",
        events={"top": {"when": "y'", "direction": "falling"}},
        contacts={"floor": {"gap": "y", "restitution": 0.5}},
    )
    run = ball.run((0, 1))
    first = np.sqrt(2 / 9.81)
    impact, top = run.events[0], run.events[1]
    assert (impact.name, impact.kind, top.name, top.kind) == ("floor", "impact", "top", "falling")
    assert impact.t == pytest.approx(first, rel=1e-14) and top.t == pytest.approx(1.5 * first, rel=1e-14)
    assert impact.v[0] == pytest.approx(-9.81 * first) and impact.v_after[0] == pytest.approx(9.81 * first / 2)
    assert impact.impulses["floor"] == pytest.approx(1.5 * 9.81 * first)
    assert impact.energy_change == pytest.approx(-0.75 * 9.81)
    assert [one.t for one in run.events if one.name == "top"] == run.event_times("top").tolist()


def test_events_in_python_do_what_those_of_the_model_do():
    """A wall that a pendulum hits: the function and what happens there in Python, run by run."""
    model = dal.Model.load("pendulum")
    text = '[[event]]\nname = "wall"\nwhen = "theta + 0.3"\ndirection = "falling"\nset = { "theta\'" = "-0.9*theta\'" }\n'
    exact = dal.Model.from_text(model.text + "\n" + text).run((0, 10), tol=1e-13).event_times("wall")

    def wall(t, y):
        return y[0] + 0.3

    wall.terminal, wall.direction = True, -1
    times = [0.0]
    while len(times) < 6:
        part = dal.solve_ivp(model, (times[-1], 10), events=wall, rtol=1e-13)
        theta, rate = part.y[:, -1]
        times.append(part.t[-1])
        model = model.with_start({"theta": theta, "theta'": -0.9 * rate})
    np.testing.assert_allclose(times[1:], exact[:5], rtol=1e-13)
