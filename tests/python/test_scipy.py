"""Scripts that were written for scipy.integrate.solve_ivp."""

import numpy as np
import pytest

import dalembert as dal

OSCILLATOR = {"coordinates": {"x": 1}, "kinetic": "x'^2/2", "potential": "x^2/2"}


@pytest.fixture(scope="module")
def oscillator():
    return dal.Model(**OSCILLATOR)


def test_calls_have_the_results_of_scipy(oscillator):
    scipy = pytest.importorskip("scipy.integrate")

    def down(t, y, level):
        return y[0] - level

    down.terminal, down.direction = 2, -1
    fast = lambda t, y, level: y[1] - level
    equal = lambda t, y, level: [y[1], -y[0]]
    call = {"events": [down, fast], "args": (0.1,), "rtol": 1e-12, "atol": 1e-12, "dense_output": True}
    for t_eval in (None, np.linspace(0, 20, 41)):
        theirs = scipy.solve_ivp(equal, (0, 20), [0.5, 0.2], method="DOP853", t_eval=t_eval, **call)
        ours = dal.solve_ivp(oscillator, (0, 20), [0.5, 0.2], t_eval=t_eval, **call)
        assert set(theirs) <= set(ours)
        assert (ours.status, ours.success, ours.message) == (theirs.status, theirs.success, theirs.message)
        for mine, other in zip([*ours.t_events, *ours.y_events], [*theirs.t_events, *theirs.y_events]):
            np.testing.assert_allclose(mine, other, atol=1e-9)
        assert ours.t[-1] == pytest.approx(theirs.t[-1], abs=1e-9)
        if t_eval is not None:
            np.testing.assert_array_equal(ours.t, theirs.t)
            np.testing.assert_allclose(ours.y, theirs.y, atol=1e-9)
        np.testing.assert_allclose(ours.sol(1.5), theirs.sol(1.5), atol=1e-9)


@pytest.mark.parametrize("method", [None, "RK45", "DOP853", "BDF"])
def test_words_for_methods(oscillator, method):
    solution = dal.solve_ivp(oscillator, [0, 1], np.array([1.0, 0.0]), method, [1.0], rtol=1e-9, atol=[1e-9, 1e-9])
    assert solution.y[0, -1] == pytest.approx(np.cos(1), abs=1e-6)


def test_events_do_not_depend_on_the_times_of_samples(oscillator):
    zero = lambda t, y: y[0]
    for t_eval in ([0, 20], [20], None, np.linspace(0, 20, 1001)):
        solution = dal.solve_ivp(oscillator, (0, 20), t_eval=t_eval, events=zero)
        np.testing.assert_allclose(solution.t_events[0], np.pi * (0.5 + np.arange(6)), rtol=1e-13)
    assert dal.solve_ivp(oscillator, (0, 20), t_eval=[0, 20], events=zero).y.shape == (2, 2)


def test_two_events_within_a_step(oscillator):
    steps = np.diff(dal.solve_ivp(oscillator, (0, 6)).t)
    near = 0.4 * steps.max()  # x falls below and rises above this level within `near` of its lowest point
    level = lambda t, y: y[0] + np.cos(near / 2)
    times = dal.solve_ivp(oscillator, (0, 6), events=level).t_events[0]
    np.testing.assert_allclose(times, [np.pi - near / 2, np.pi + near / 2], rtol=1e-12)


def test_backwards_and_from_a_start_on_the_constraint():
    pendulum = dal.Model(
        coordinates={"x": 0.6, "y": {"position": -0.8, "guess": True}},
        kinetic="(x'^2 + y'^2)/2",
        potential="y",
        holonomic={"rod": "x^2 + y^2 = 1"},
    )
    there = dal.solve_ivp(pendulum, (0, 2))
    back = dal.solve_ivp(pendulum, (2, 0), there.y[:, -1], events=lambda t, y: y[0])
    np.testing.assert_allclose(back.y[:, -1], there.y[:, 0], atol=1e-12)
    forward = dal.solve_ivp(pendulum, (0, 2), events=lambda t, y: y[0])
    np.testing.assert_allclose(back.t_events[0], forward.t_events[0][::-1], atol=1e-12)


@pytest.mark.parametrize(
    "arguments, keywords, error, words",
    [
        (((0, 1), [1, 2, 3]), {}, ValueError, "y0 needs 2 numbers, x, x', not 3"),
        (((0, 1), "ab"), {}, TypeError, "y0 takes a sequence of numbers"),
        (((0, 1), [1, np.nan]), {}, ValueError, "finite"),
        (((0, 1),), {"first_step": 0.1}, TypeError, "first_step is SciPy's alone"),
        (((0, 1),), {"jac": lambda t, y: 0}, TypeError, "jac is SciPy's alone"),
        (((0, 1),), {"events": 5}, TypeError, "events takes functions"),
        (((0, 1),), {"events": [5]}, TypeError, "an event must be a function"),
        (((0, 1),), {"events": lambda t, y: y}, TypeError, "an event gives a number, not"),
        (((0, 1),), {"events": lambda t, y: None}, TypeError, "an event gives a number, not"),
        (((0, 1),), {"events": lambda t, y: y[0], "t_eval": [0, 2]}, ValueError, "t_eval takes times within t_span"),
        (((0, 1),), {"events": lambda t, y: y[0], "t_eval": [0.5, 0.1]}, ValueError, "in the order of the run"),
        (((0, 1),), {"t_eval": [0, 2]}, dal.SolveError, "the output time 2 is outside the run"),
        (((0, 1),), {"method": "Radau"}, dal.SolveError, "there is no method 'Radau'"),
        (("ab",), {}, TypeError, "t_span takes"),
    ],
)
def test_mistakes_are_named(oscillator, arguments, keywords, error, words):
    with pytest.raises(error, match=words):
        dal.solve_ivp(oscillator, *arguments, **keywords)


def test_a_function_in_place_of_a_model():
    with pytest.raises(TypeError, match="takes a dalembert.Model where SciPy's takes a function"):
        dal.solve_ivp(lambda t, y: -y, (0, 1), [1])


@pytest.mark.parametrize("method, digits", [("RK45", 6), ("DOP853", 6), ("BDF", 3), ("rk4", 9)])
def test_methods_without_dense_output_have_events_and_sol(oscillator, method, digits):
    zero = lambda t, y: y[0]
    tolerances = {} if method == "rk4" else {"rtol": 1e-8}
    end = 10 if method == "BDF" else 20
    call = {"method": method, "events": zero, "dense_output": True, "max_step": 0.1, **tolerances}
    solution = dal.solve_ivp(oscillator, (0, end), **call)
    zeros = np.pi * (0.5 + np.arange(int(end / np.pi + 0.5)))
    np.testing.assert_allclose(solution.t_events[0], zeros, atol=10.0**-digits)
    times = np.linspace(0, end, 1001)
    exact = np.array([np.cos(times), -np.sin(times)])
    np.testing.assert_allclose(solution.sol(times), exact, atol=10.0**-digits)
    np.testing.assert_allclose(solution.sol(solution.t), solution.y, atol=1e-14)
    assert solution.sol(0.5).shape == (2,) and solution.sol(np.ones((2, 3))).shape == (2, 2, 3)
    assert (solution.sol.t_min, solution.sol.t_max) == (0, end)
    with pytest.raises(dal.Error, match="a time is outside"):
        solution.sol(end + 1)
    zero.terminal = 2
    stopped = dal.solve_ivp(oscillator, (0, end), [1, 0], t_eval=np.linspace(0, end, 11), **call)
    assert stopped.status == 1 and stopped.t_events[0][-1] == pytest.approx(1.5 * np.pi, abs=10.0**-digits)
    assert (stopped.t <= stopped.t_events[0][-1]).all()


def test_polynomials_between_steps_run_backwards_too(oscillator):
    solution = dal.solve_ivp(oscillator, (3, 0), [np.cos(3), -np.sin(3)], "DOP853", rtol=1e-9, max_step=0.1, dense_output=True)
    np.testing.assert_allclose(solution.sol([0.05, 2.95])[0], np.cos([0.05, 2.95]), atol=1e-8)
