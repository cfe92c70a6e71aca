"""What type checkers and editors know of the package."""

import subprocess
import sys

import pytest

pytest.importorskip("mypy", reason="no mypy")

PROGRAM = """
from __future__ import annotations
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import dalembert as dal

def lowest(model: dal.Model, end: float) -> float:
    run: dal.Run = model.run((0, end), np.linspace(0, end, 11), tol=1e-9, dense_output=True, max_step=0.1)
    if run.sol is not None:
        states: np.ndarray = run.sol([0.1, 0.2])
        print(states.shape, run.sol.t_min)
    print(run.success, run.message, run.steps, run.event_times("floor"), [event.t for event in run.events])
    run.save("run.npz", columns=["theta"])
    frame = run.to_pandas()
    axes = run.plot("theta", color="red")
    axes.set_title(frame.columns[0])
    later: dal.Run = run.continue_to(2 * end)
    return float(later["theta"].min())

model = dal.Model(coordinates={"x": 1.0}, kinetic="x'^2/2", potential="x^2/2")
varied: dal.Model = dal.Model.load("pendulum", l=0.5).with_parameters(l=2).with_start({"theta'": 1})
print(lowest(varied, 1.0), model.check().degrees_of_freedom, model.series(3, exact=True)["x"][0])
print(model.equations.M([0.1]).shape, model.equations.to_sympy()["M"], dal.from_sympy, dal.shipped_models()["pendulum"])
solution = dal.solve_ivp(model, (0, 1), [1, 0], t_eval=[0.5], events=lambda t, y: float(y[0]))
print(solution.t_events, solution["y"])
with ThreadPoolExecutor(2) as threads:
    study = varied.sweep({"l": [1, 2]}, collect="max(theta)", executor=threads, progress=True, t_span=1)
study.report("study.html")
print(study["max(theta)"], study.run(0).energy, study.to_pandas().shape, study.sobol_indices())
try:
    dal.Model.load("nothing")
except dal.ModelError as error:
    print(error.line, error.excerpt)
"""
WRONG = ["model.run((0, 1), tolerence=1e-9)", "dal.Model.laod('pendulum')", "dal.Model(coordinate={'x': 1})", "model.run((0, 1), step='a')", "dal.nothing"]


def check(program, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(program)
    call = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(file)]
    return subprocess.run(call, capture_output=True, text=True, cwd=tmp_path)


def test_a_program_is_typed_and_its_mistakes_are_found(tmp_path):
    right = check(PROGRAM, tmp_path)
    assert right.returncode == 0, right.stdout
    start = "import dalembert as dal\nmodel = dal.Model.load('pendulum')\n"
    wrong = check(start + "\n".join(WRONG) + "\n", tmp_path)
    found = {int(line.split(":")[1]) for line in wrong.stdout.splitlines() if ": error:" in line}
    assert found == {3 + i for i in range(len(WRONG))}, wrong.stdout
