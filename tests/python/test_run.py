"""Runs: numbers without copies, dense output, callbacks, what they say of themselves."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import dalembert as dal


@pytest.fixture(scope="module")
def crank():
    return dal.Model.load("slider_crank")


def test_numbers_are_views_of_the_runs_memory(crank):
    run = crank.run((0, 1))
    whole = run.numbers
    for part in (
        run.t,
        run["theta1"],
        run.q,
        run.v,
        run.a,
        run.lam,
        run.force,
        run.outputs,
        run.energy,
        run.residuals,
        run.y,
    ):
        assert np.shares_memory(part, whole)
        assert not part.flags.writeable
    assert whole.shape == (len(run), len(run.columns)) == (101, len(crank.columns))
    address = run.t.ctypes.data
    t = run.t
    del run, whole
    assert t.ctypes.data == address and t[-1] == 1.0  # the memory lives as long as its views


def test_groups_and_names_agree(crank):
    run = crank.run((0, 1))
    np.testing.assert_array_equal(run.q[:, 1], run["theta2"])
    np.testing.assert_array_equal(run.v[:, 0], run["theta1'"])
    np.testing.assert_array_equal(run.a[:, 0], run["theta1''"])
    np.testing.assert_array_equal(run.lam[:, 0], run["lambda(slider_on_axis)"])
    np.testing.assert_array_equal(run["guide_force"], -run.lam[:, 0])
    np.testing.assert_array_equal(run.energy, run["energy"])
    np.testing.assert_array_equal(run.y, np.concatenate([run.q.T, run.v.T]))
    assert "guide_force" in run and "nothing" not in run
    with pytest.raises(KeyError, match="did you mean 'theta1'"):
        run["theta11"]


def test_the_program_has_the_same_bits(crank, tmp_path):
    file = tmp_path / "crank.npz"
    call = [sys.executable, "-m", "dalembert", "run", "slider_crank", "-o", str(file), "--quiet"]
    subprocess.run(call, check=True)
    run = crank.run()
    with np.load(file) as written:
        for group, numbers in {"t": run.t, "q": run.q, "v": run.v, "a": run.a}.items():
            np.testing.assert_array_equal(written[group], numbers)


def test_times_and_options(crank):
    run = crank.run((0.5, 2), [0.5, 1, 2])
    assert run.t.tolist() == [0.5, 1, 2]
    assert len(crank.run(2, output_step=0.5)) == 5
    backwards = crank.run((1, 0), output_step=0.25)
    assert backwards.t.tolist() == [1, 0.75, 0.5, 0.25, 0]
    assert crank.run((0, 1), method="dop853", tol=1e-9).method == "dop853"
    steps = crank.run((0, 1), every_step=True)
    assert len(steps) == steps.steps + 1


def test_many_digits():
    run = dal.Model.load("pendulum").run((0, 1), digits=40, tol=1e-35)
    plain = dal.Model.load("pendulum").run((0, 1))
    np.testing.assert_allclose(run["theta"], plain["theta"], atol=1e-13)


def test_what_a_run_says(crank):
    run = crank.run((0, 1))
    assert run.success and run.outcome == "finished" and run.message == "the end was reached"
    assert run.steps > 0 and run.end_time == 1.0 and run.max_position_residual < 1e-12
    assert run.details["method"] == "adomian"
    assert "finished" in repr(run) and "adomian" in repr(run)
    assert "steps" in run.summary
    with pytest.raises(AttributeError):
        run.nothing
    short = crank.run((0, 10), max_steps=3)
    assert not short.success and short.outcome == "stopped early" and "3 steps" in short.message
    assert 0 < short.end_time < 10


def test_warnings_go_through_warnings():
    doubled = dal.Model(
        coordinates={"x": 1, "y": 0}, kinetic="(x'^2 + y'^2)/2", holonomic=["x^2 + y^2 = 1", "2*x^2 + 2*y^2 = 2"]
    )
    with pytest.warns(dal.Warning, match="redundant") as told:
        doubled.run((0, 0.1))
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(dal.Warning):
            doubled.run((0, 0.1))


@pytest.mark.parametrize("name", ["pendulum", "slider_crank", "andrews", "pendulum_cartesian", "four_bar"])
def test_dense_output_is_the_motion_on_the_constraints(name):
    model = dal.Model.load(name)
    run = model.run(dense_output=True)
    sol = run.sol
    n = len(model.coordinates)
    few = np.linspace(sol.t_min, sol.t_max, 41)
    many = np.linspace(sol.t_min, sol.t_max, 40 * 2000 + 1)
    exact = sol.states(few)
    y = sol(many)[:, ::2000]
    scale = np.abs(run.y).max(axis=1, keepdims=True) + 1e-300
    assert np.abs(y[:n] - exact["q"].T).max() <= (4e-14 * scale[:n]).max()
    assert np.abs(y[n:] - exact["v"].T).max() <= (4e-13 * scale[n:]).max()
    if model.constraints:
        at = sol(many[7::499])
        residual = np.abs(model.equations.g(at[:n].T)).max()
        assert residual <= 1e-12


def test_dense_output_takes_any_shape(crank):
    sol = crank.run((0, 1), dense_output=True).sol
    assert sol(0.5).shape == (4,)
    assert sol([0.5]).shape == (4, 1)
    assert sol(np.full((2, 3), 0.5)).shape == (4, 2, 3)
    assert sol([]).shape == (4, 0)
    shuffled = np.random.default_rng(1).permutation(np.linspace(0, 1, 1000))
    np.testing.assert_allclose(sol(shuffled), sol(np.sort(shuffled))[:, np.argsort(np.argsort(shuffled))], atol=1e-14)
    assert sol.states(0.5)["q"].shape == (2,)
    for outside in (-0.1, 1.1, np.nan, [0.5, 2]):
        with pytest.raises(dal.SolveError, match="outside"):
            sol(outside)
    assert crank.run((0, 1)).sol is None
    backwards = crank.run((1, 0), dense_output=True).sol
    assert (backwards.t_min, backwards.t_max) == (0, 1)
    assert backwards(np.linspace(0, 1, 1000)).shape == (4, 1000)


def test_progress_and_callback(crank):
    seen = []
    run = crank.run((0, 20), progress=lambda t, fraction, steps: seen.append((t, fraction, steps)))
    assert run.success and seen and all(0 <= f <= 1 for _, f, _ in seen)
    samples = []
    run = crank.run((0, 1), callback=lambda t, y: samples.append((t, y.copy())))
    np.testing.assert_array_equal([t for t, _ in samples], run.t)
    np.testing.assert_array_equal(np.array([y for _, y in samples]).T, run.y)
    stopped = crank.run((0, 1), callback=lambda t, y: t < 0.495)
    assert stopped.outcome == "interrupted" and stopped.t[-1] == 0.5


def test_what_a_callback_throws_comes_out(crank):
    def fail(*arguments):
        raise ZeroDivisionError("mine")

    for keyword in ("callback", "progress"):
        with pytest.raises(ZeroDivisionError, match="mine"):
            crank.run((0, 100), **{keyword: fail})


def test_progress_bar(crank, capsys):
    assert crank.run((0, 5), progress=True).success
    assert capsys.readouterr().err


def test_files_and_the_page(crank, tmp_path):
    run = crank.run((0, 1))
    run.save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as written:
        np.testing.assert_array_equal(written["q"], run.q)
    run.save(tmp_path / "a.csv", columns=["theta1", "guide_force"])
    assert (tmp_path / "a.csv").read_text().count("theta2") == 0
    run.save(tmp_path / "a.json")
    run.report(tmp_path / "a.html")
    assert "Slider-crank" in (tmp_path / "a.html").read_text()
    assert run._repr_html_().startswith("<iframe")
    with pytest.raises(OSError):
        run.save(tmp_path / "no" / "a.csv")
    with pytest.raises(dal.SolveError):
        run.save(tmp_path / "a.xyz")


def test_the_page_of_other_parameters_has_them(tmp_path):
    short = dal.Model.load("slider_crank").with_parameters(l1=0.1).run((0, 1))
    fresh = dal.Model.load("slider_crank", l1=0.1).run((0, 1))
    pages = []
    for run, name in ((short, "a.html"), (fresh, "b.html")):
        run.report(tmp_path / name)
        text = (tmp_path / name).read_text()
        pages.append(text[: text.find('"seconds"')])
    assert pages[0] == pages[1]


def test_tables_and_pictures(crank, tmp_path):
    pandas = pytest.importorskip("pandas")
    xarray = pytest.importorskip("xarray")
    run = crank.run((0, 1))
    frame = run.to_pandas()
    assert list(frame.columns) == run.columns[1:] and frame.index.name == "t"
    np.testing.assert_array_equal(frame["theta1"], run["theta1"])
    assert isinstance(frame, pandas.DataFrame)
    data = run.to_xarray()
    assert isinstance(data, xarray.Dataset) and data.sizes == {"t": 101}
    np.testing.assert_array_equal(data["guide_force"], run["guide_force"])
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = run.plot("theta1", "theta2")
    assert len(axes.lines) == 2
    axes.clear()
    assert run.phase("theta1", ax=axes).get_ylabel() == "theta1'"


def test_units_are_attributes():
    pytest.importorskip("xarray")
    model = dal.Model(coordinates={"x": 1}, kinetic="x'^2/2", units={"x": "m"})
    assert model.units["x"] == "m" and model.run((0, 1)).to_xarray()["x"].attrs["units"] == "m"


def test_the_fields_of_solve_ivp(crank):
    solution = dal.solve_ivp(crank, (0, 1), t_eval=np.linspace(0, 1, 11), dense_output=True)
    assert solution.t.shape == (11,) and solution.y.shape == (4, 11)
    assert solution.success and solution.status == 0 and isinstance(solution.message, str)
    assert {"t", "y", "sol", "t_events", "y_events", "nfev", "njev", "nlu", "status", "message", "success"} <= set(
        solution
    )
    np.testing.assert_allclose(solution.sol(solution.t), solution.y, atol=1e-12)
    assert dal.solve_ivp(crank, (0, 1)).sol is None


def test_events_of_solve_ivp():
    falling = dal.Model(coordinates={"y": 10.0}, kinetic="y'^2/2", potential="9.81*y")
    ground = lambda t, y: y[0]
    ground.terminal = True
    solution = dal.solve_ivp(falling, (0, 100), events=[ground, lambda t, y: y[1] + 5])
    assert solution.status == 1 and solution.success
    assert solution.t[-1] == solution.t_events[0][0] == pytest.approx(np.sqrt(20 / 9.81), rel=1e-14)
    assert solution.t_events[1][0] == pytest.approx(5 / 9.81, rel=1e-14)
    assert solution.y_events[0].shape == (1, 2)
    oscillator = dal.Model(coordinates={"x": 1}, kinetic="x'^2/2", potential="x^2/2")
    up = lambda t, y: y[0]
    up.direction = 1
    times = dal.solve_ivp(oscillator, (0, 20), events=up).t_events[0]
    np.testing.assert_allclose(times, np.pi * (1.5 + 2 * np.arange(3)), rtol=1e-13)


def test_columns_by_lists_of_names(crank):
    run = crank.run((0, 1))
    np.testing.assert_array_equal(run[["theta2", "t"]], np.column_stack([run["theta2"], run.t]))
    assert list(run) == run.columns and 0 not in run and ["t"] not in run
    with pytest.raises(KeyError, match="did you mean 'theta2'"):
        run[["theta2", "theta_2"]]


def test_times_of_events_are_of_events_that_there_are():
    ball = dal.Model.load("bouncing_ball")
    assert ball.events == ["floor"]
    run = ball.run((0, 1))
    assert len(run.event_times("floor")) == 2
    with pytest.raises(KeyError, match="there is no event or contact 'flor'; did you mean 'floor'"):
        run.event_times("flor")


def test_a_run_in_digits_has_all_of_them():
    oscillator = dal.Model(coordinates={"x": 1}, kinetic="x'^2/2", potential="x^2/2")
    run = oscillator.run((0, 1), t_eval=[0.5, 1], digits=50)
    assert str(run.decimals("x")[1]) == "0.54030230586813971740093660744297660373231042061792"[:52]
    assert [float(x) for x in run.decimals("x'")] == run["x'"].tolist()
    with pytest.raises(dal.Error, match="in doubles"):
        oscillator.run((0, 1)).decimals("x")


def test_progress_is_told_at_the_end_of_short_runs(crank):
    told = []
    run = crank.run((0, 0.1), progress=lambda *now: told.append(now))
    assert told[-1] == (0.1, 1.0, run.steps)


def test_runs_pickle_with_their_numbers(crank):
    run = crank.run((0, 1), dense_output=True)
    sent = pickle.loads(pickle.dumps(run))
    np.testing.assert_array_equal(sent.numbers, run.numbers)
    assert (sent.outcome, sent.message, sent.steps, sent.summary) == (run.outcome, run.message, run.steps, run.summary)
    assert sent.to_pandas().equals(run.to_pandas()) and repr(sent) == repr(run) and sent._repr_html_() is None
    assert not sent["theta1"].flags.writeable
    with pytest.raises(dal.Error, match="dense output stays"):
        sent.sol(0.5)
    with pytest.raises(dal.Error, match="numbers alone"):
        sent.save("a.csv")
    again = pickle.loads(pickle.dumps(sent))
    np.testing.assert_array_equal(again.numbers, run.numbers)


def test_data_of_pandas_and_generators_as_inputs(crank):
    pandas = pytest.importorskip("pandas")
    times, values = [0, 0.5, 1], [0, 10, 0]
    run = crank.run((0, 1), t_eval=(k / 4 for k in range(5)), inputs={"torque": (times, values)})
    series = pandas.Series(values, index=times)
    for given in (series, (iter(times), iter(values)), (pandas.Series(times), np.array(values, "f4"))):
        other = crank.run((0, 1), t_eval=np.linspace(0, 2, 9)[:5], inputs={"torque": given})
        np.testing.assert_array_equal(other.numbers, run.numbers)


def test_a_run_goes_on(crank):
    whole = crank.run((0, 2), tol=1e-13)
    first = crank.run((0, 1), tol=1e-13, output_step=0.25)
    second = first.continue_to(2)
    assert second.t.tolist() == [1, 1.25, 1.5, 1.75, 2]
    np.testing.assert_allclose(second.y[:, -1], whole.y[:, -1], atol=1e-11)
    assert pickle.loads(pickle.dumps(first)).continue_to(2, output_step=1).t.tolist() == [1, 2]
    np.testing.assert_allclose(second.continue_to(0).y[:, -1], whole.y[:, 0], atol=1e-10)
    with pytest.raises(dal.Error, match="run the whole time at once"):
        dal.Model.load("bouncing_ball").run((0, 1)).continue_to(2)


def test_a_run_in_digits_goes_on_in_digits():
    oscillator = dal.Model(coordinates={"x": 1}, kinetic="x'^2/2", potential="x^2/2")
    second = oscillator.run((0, 0.5), t_eval=[0.5], digits=40).continue_to(1)
    assert str(second.decimals("x")[-1])[:38] == "0.540302305868139717400936607442976603"


@pytest.mark.parametrize("word", ["rtol", "atol", "first_step", "y0", "events", "args"])
def test_words_of_scipy_are_told_from_options(crank, word):
    with pytest.raises(TypeError, match=f"there is no {word} here: "):
        crank.run((0, 1), **{word: 1})


def test_the_keywords_that_editors_know_are_those_of_the_library():
    from dalembert import _dalembert
    from dalembert._model_text import PARTS
    from dalembert._options import AllOptions, ModelParts

    kinds = {"bool": "flag", "float": "number", "int": "whole_number", "str": "word", "Sequence[float]": "numbers"}
    known = {key: kind for key, kind, _ in _dalembert.options()}
    told = {key: kinds.get(kind.__forward_arg__, "word") for key, kind in AllOptions.__annotations__.items()}
    assert told == known
    assert sorted(ModelParts.__annotations__) == sorted({*PARTS} - {"title", "source"})


def test_lines_take_the_style_of_matplotlib(crank):
    pytest.importorskip("matplotlib").use("Agg")
    axes = crank.run((0, 1)).plot("theta1", color="red", label="crank")
    assert axes.lines[0].get_color() == "red" and axes.lines[0].get_label() == "crank"
