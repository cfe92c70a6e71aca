"""Nothing that a user passes ends the interpreter: wrong types, shapes, values at every function."""

import itertools
import math
import pickle

import numpy as np
import pytest

import dalembert as dal
from dalembert import _dalembert

STRANGE = [
    None,
    True,
    0,
    -1,
    3,
    2**70,
    0.5,
    math.nan,
    math.inf,
    -math.inf,
    1j,
    "",
    "x",
    "nan",
    "\0",
    "ü" * 5,
    b"x",
    (),
    (1,),
    (1, 2, 3),
    [math.nan, 1],
    {},
    {"x": object()},
    object(),
    print,
    np.nan,
    np.zeros(0),
    np.zeros((2, 2)),
    np.zeros((2, 3, 4), dtype=complex),
    np.array(["a"]),
    np.arange(10)[::-2],
    type,
    range(3),
    iter([1, 2]),
    slice(None),
]
ALLOWED = (TypeError, ValueError, KeyError, IndexError, AttributeError, OSError, OverflowError, RuntimeWarning)


def tried(call):
    """Whatever comes out is an answer or an exception of these."""
    try:
        return call()
    except ALLOWED:
        return None


@pytest.fixture(scope="module")
def model():
    return dal.Model.load("pendulum_cartesian")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("strange", STRANGE, ids=lambda x: type(x).__name__)
def test_models_of_strange_parts(strange):
    for keyword in (
        "title",
        "parameters",
        "coordinates",
        "definitions",
        "kinetic",
        "potential",
        "dissipation",
        "mass",
        "force",
        "forces",
        "holonomic",
        "nonholonomic",
        "outputs",
        "view",
        "solve",
        "units",
        "bodies",
        "joints",
        "space",
        "kinematics",
        "force_elements",
        "inputs",
        "events",
        "contacts",
        "disabled",
    ):
        parts = {"coordinates": {"x": 1}, "kinetic": "x'^2/2"}
        tried(lambda: dal.Model(**{**parts, keyword: strange}))
        tried(lambda: dal.Model(**{**parts, keyword: {"x": strange}}))
    tried(lambda: dal.Model.load(strange))
    tried(lambda: dal.Model.load("pendulum", l=strange))
    tried(lambda: dal.Model.from_text(strange))
    tried(lambda: dal.import_urdf(strange))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("strange", STRANGE, ids=lambda x: type(x).__name__)
def test_strange_calls_of_a_model(model, strange):
    for keyword in (
        "t_span",
        "t_eval",
        "method",
        "tol",
        "progress",
        "callback",
        "step",
        "order",
        "digits",
        "stabilization",
        "output_step",
        "max_step",
        "threads",
        "projection",
        "inputs",
        "nothing",
    ):
        call = {"t_span": (0, 0.01), "max_steps": 20, keyword: strange}
        tried(lambda: model.run(**call))
    tried(lambda: model.run((0, strange), max_steps=20))
    tried(lambda: model.run((0, 0.01), callback=lambda t, y: strange))
    tried(lambda: model.run((0, 0.01), progress=lambda *_: strange))
    tried(lambda: model.with_parameters(l=strange))
    tried(lambda: model.with_parameters(strange))
    tried(lambda: model.with_start(x=strange))
    tried(lambda: model.with_inputs(strange))
    tried(lambda: model.with_inputs(l=strange))
    tried(lambda: model.with_inputs(l=(strange, strange, strange)))
    tried(lambda: model.with_inputs(l={"times": [0, 1], "values": [1, 2], "outside": strange, "file": strange}))
    tried(lambda: model.series(strange))
    tried(lambda: model.series(2, exact=strange, digits=strange))
    tried(lambda: model.stability(strange))
    tried(lambda: model.stability({"x": strange}, a=strange, epsilon=strange, step=strange))
    tried(lambda: model.compare(strange, (0, 0.01), tolerances=[1e-3], steps=[1e-2], samples=2, digits=20))
    tried(lambda: model.compare(["rk4"], (0, 0.01), steps=strange, tolerances=strange, samples=2, digits=20))
    tried(lambda: dal.solve_ivp(model, (0, 0.01), events=strange))
    tried(lambda: dal.solve_ivp(strange, (0, 0.01)))
    tried(lambda: dal.solve_ivp(model, (0, 0.01), strange))
    tried(lambda: dal.solve_ivp(model, (0, 0.01), t_eval=strange, args=strange, events=lambda t, y, *more: y[0]))
    tried(lambda: model.sweep({"l": [1]}, collect="motion", t_span=0.01, t_eval=strange, inputs=strange))
    assert model.run((0, 0.01)).success


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("strange", STRANGE, ids=lambda x: type(x).__name__)
def test_strange_studies(model, strange):
    for keyword in ("vary", "sample", "collect", "runs", "seed", "sobol", "executor", "t_span", "tol", "method", "threads"):
        call = {"vary": {"l": [1.0]}, "collect": "max(x)", "t_span": 0.01, keyword: strange}
        tried(lambda: model.sweep(**call))
    tried(lambda: model.sweep({"l": strange}, t_span=0.01))
    tried(lambda: model.sweep({strange: [1.0]} if isinstance(strange, str) else strange, t_span=0.01))
    tried(lambda: model.sweep({"l": [1.0]}, collect=[strange], t_span=0.01))
    tried(lambda: model.sweep(sample={"l": strange}, runs=2, t_span=0.01))
    tried(lambda: model.sweep(sample={"l": ("normal", strange, 0.1)}, runs=2, t_span=0.01))
    tried(lambda: model.sweep(sample={"l": (strange, 1, 2)}, runs=2, t_span=0.01))
    assert len(np.ravel(model.sweep({"l": [1.0, 2.0]}, collect="max(x)", t_span=0.01)["max(x)"])) == 2


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("strange", STRANGE, ids=lambda x: type(x).__name__)
def test_strange_calls_of_a_run(model, strange, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = model.run((0, 0.1), dense_output=True)
    tried(lambda: run[strange])
    tried(lambda: run[[strange]])
    tried(lambda: run.decimals(strange))
    tried(lambda: strange in run)
    tried(lambda: run.event_times(strange))
    tried(lambda: run.sol(strange))
    tried(lambda: run.sol.states(strange))
    tried(lambda: run.save(strange))
    tried(lambda: run.save("x.csv", columns=strange))
    tried(lambda: run.report(strange))
    tried(lambda: run.animation(strange) if not isinstance(strange, str) else None)
    tried(lambda: run.plot(strange))
    tried(lambda: run.phase(strange))
    tried(lambda: run.plot("x", against=strange, ax=strange))
    tried(lambda: getattr(run, strange) if isinstance(strange, str) else None)
    for part in "MfCcg":
        tried(lambda: getattr(model.equations, part)(strange))
        tried(lambda: getattr(model.equations, part)([0, 1], strange, strange))


@pytest.mark.filterwarnings("ignore:nanobind")
@pytest.mark.parametrize("name", [n for n in dir(_dalembert) if not n.startswith("__")])
def test_strange_calls_below(name):
    function = getattr(_dalembert, name)
    for count in range(4):
        for arguments in itertools.islice(itertools.product(STRANGE, repeat=count), 0, 4000, 7):
            tried(lambda: function(*arguments))
    if isinstance(function, type):
        for method in dir(function):
            if not method.startswith("__"):
                tried(lambda: getattr(function, method)(object()))
        tried(lambda: pickle.dumps(function.__new__(function)))
        empty = tried(lambda: function.__new__(function))
        for attribute in dir(function) if empty is not None else ():
            tried(lambda: getattr(empty, attribute))


def test_states_that_are_not_numbers(model):
    assert np.isnan(model.equations.C([math.nan, 1.0])).any()
    with pytest.raises(dal.Error):
        model.run((0, math.nan))
    with pytest.raises(dal.Error):
        model.run((0, 1), [0, math.nan])
    with pytest.raises(dal.Error):
        model.run((0, 1), [0.5, 0.25])


def test_errors_say_where():
    with pytest.raises(dal.ModelError) as caught:
        dal.Model.load('[coordinates]\nx = 1\n[energy]\nkinetic = "y\'^2"\n')
    error = caught.value
    assert (error.line, error.column) == (4, 12) and "unknown" in error.message and "^" in error.excerpt
    assert str(error).count("\n") == 2 and str(error).startswith("model:4:12: unknown")
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.line, again.message, str(again)) == (4, error.message, str(error))
    with pytest.raises(dal.ModelError, match="did you mean 'pendulum'"):
        dal.Model.load("pendulun")
    with pytest.raises(dal.ModelError, match="did you mean"):
        dal.Model.load("slider_crank").with_parameters(l11=1)
    with pytest.raises(dal.SolveError, match="did you mean 'tolerance'"):
        dal.Model.load("pendulum").run((0, 1), tolerence=1e-3)
    with pytest.raises(dal.SolveError, match="no use for order"):
        dal.Model.load("pendulum").run((0, 1), method="dop853", order=5)
    with pytest.raises(TypeError, match="takes a number"):
        dal.Model.load("pendulum").run((0, 1), tol="small")
    with pytest.raises(dal.SolveError, match="no dense output"):
        dal.Model.load("pendulum").run((0, 1), method="rk4", dense_output=True)


def test_a_start_that_meets_no_constraint():
    with pytest.raises(dal.Error, match="start"):
        dal.Model(coordinates={"x": 1}, kinetic="x'^2/2", holonomic=["x^2 + 1"]).run((0, 1))


class Broken(Exception):
    pass


def raise_broken(*_):
    raise Broken("on purpose")


def test_exceptions_out_of_callbacks_are_the_callers():
    oscillator = dal.Model(coordinates={"x": 1}, kinetic="x'^2/2", potential="u*x^2/2", inputs={"u": ([0, 1, 9], [1, 2, 2])})
    for model in (dal.Model.load("pendulum"), oscillator):
        for call in (
            lambda: model.run((0, 1), callback=raise_broken),
            lambda: model.run((0, 1), progress=raise_broken, every_step=True, max_step=1e-3),
            lambda: model.run((0, 1), callback=raise_broken, dense_output=True),
            lambda: dal.solve_ivp(model, (0, 1), events=raise_broken),
        ):
            with pytest.raises(Broken, match="on purpose"):
                call()
        assert model.run((0, 1)).success


def test_a_run_without_steps_has_no_motion():
    run = dal.Model.load("pendulum").run((0, 1), dense_output=True, callback=lambda t, y: False)
    assert run.outcome == "interrupted" and len(run) == 1
    for call in (lambda: run.sol(0.0), lambda: run.sol.t_min, lambda: run.sol.t_max, lambda: run.sol.states([0.0])):
        with pytest.raises(dal.Error, match="empty"):
            call()


RUN = {"t_span": (0, 0.01)}
MISTAKES = [
    ("with_parameters", (), {"l": 1j}, TypeError, "the parameter 'l' takes numbers, not 1j"),
    ("with_parameters", (), {"l": 10**400}, ValueError, "the parameter 'l' takes numbers below"),
    ("with_parameters", (5,), {}, TypeError, "with_parameters takes names with their values"),
    ("with_start", (), {"x": None}, TypeError, "^x: a model is made of numbers"),
    ("with_start", (), {"nothing": 1}, dal.ModelError, "^nothing: the model has no parameter or coordinate"),
    ("with_start", ({"x=1, y": 1},), {}, TypeError, "is no name"),
    ("with_inputs", (), {"l": math.sin}, TypeError, "takes data, not a function: no Python runs within steps"),
    ("with_inputs", (), {"l": 5}, TypeError, r"the input 'l' takes \(times, values\), not 5"),
    ("run", (), {"inputs": [1], **RUN}, TypeError, "inputs takes names with their values"),
    ("run", (), {"inputs": {"g": ([0, 1], [1, 1j])}, **RUN}, TypeError, "the input 'g': values takes a sequence"),
    ("run", ("10",), {}, TypeError, "t_span takes"),
    ("run", (), {"t_eval": [], **RUN}, ValueError, "t_eval has no times"),
    ("run", (), {"t_eval": "abc", **RUN}, TypeError, "t_eval takes a sequence of numbers, not 'abc'"),
    ("run", (), {"dense_output": "no", **RUN}, TypeError, "dense_output takes True or False"),
    ("run", (), {"every_step": 5, **RUN}, TypeError, "every_step takes True or False"),
    ("series", (2.5,), {}, TypeError, "order takes a whole number, not 2.5"),
    ("series", (3,), {"digits": "x"}, TypeError, "digits takes a whole number"),
    ("series", (3,), {"digits": 10**7}, dal.SolveError, "^digits must be between 1 and 100000"),
    ("compare", (5,), {}, TypeError, "methods takes names, not 5"),
    ("compare", (["rk4"],), {"steps": [0]}, ValueError, "steps takes positive numbers"),
    ("compare", (["rk4"],), {"tolerances": "a"}, TypeError, "tolerances takes a sequence of numbers"),
    ("compare", (["rk4"],), {"samples": 0}, ValueError, "samples is at least 1"),
    ("stability", ({"x": (1, 2, 3)},), {}, ValueError, r"box: 'x' takes \(least, largest\)"),
    ("sweep", ({"l": [1]},), {"seed": 2**70}, ValueError, "seed is below 2"),
    ("sweep", (), {"sample": {"l": "uniform(1,2)"}}, dal.SolveError, "^sample needs runs, how many"),
    ("sweep", (), {}, dal.SolveError, "^nothing varies: vary and sample say what does"),
    ("sweep", ({"l": [1]},), {"collect": "max(q)"}, dal.ModelError, "^collect:1:1: unknown name 'q'"),
]


@pytest.mark.parametrize("call, arguments, keywords, error, words", MISTAKES)
def test_mistakes_of_calls_are_named(model, call, arguments, keywords, error, words):
    with pytest.raises(error, match=words) as caught:
        getattr(model, call)(*arguments, **keywords)
    assert "incompatible function arguments" not in str(caught.value)


def test_mistakes_in_models_are_named():
    with pytest.raises(TypeError, match="a model has no part 'coordinate'; did you mean 'coordinates'"):
        dal.Model(coordinate={"x": 1})
    with pytest.raises(ValueError, match="surrogate"):
        dal.Model(coordinates={"x": 1}, kinetic="x'^2/2 \ud800")
    with pytest.raises(TypeError, match="from_text takes a text, not 5"):
        dal.Model.from_text(5)
    assert dal.Model.load(b"pendulum").title == dal.Model.load("pendulum").title


def test_errors_are_known_by_their_public_names():
    assert {one.__module__ for one in (dal.Error, dal.ModelError, dal.SolveError, dal.Warning)} == {"dalembert"}
    error = pickle.loads(pickle.dumps(dal.ModelError("wrong", "file", 3, 4, "text")))
    assert (str(error), error.line) == ("file:3:4: wrong\ntext", 3)


def test_a_file_that_cannot_be_written(model, tmp_path):
    run = model.run((0, 0.1))
    with pytest.raises(OSError, match="^cannot create .*: No such file or directory"):
        run.save(tmp_path / "nothing" / "run.npz")
