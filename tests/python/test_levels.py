"""A wheel of `make wheel` has its kernels for several processors: each that this one can run gives the same motion."""

import os
import subprocess
import sys
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest

import dalembert
from dalembert import _processor

FOLDER = Path(dalembert.__file__).parent / "lib"
LEVELS = [path.name for path in sorted(FOLDER.glob("v?"))]
RUNS = [level for level in LEVELS if _processor._NEEDED[level] <= _processor._flags()]
pytestmark = pytest.mark.skipif(not LEVELS, reason="this package was built for one processor alone")

# all coordinates of the end, by methods and models that between them use every kernel: series, dense and sparse factors, lanes,
# many digits, Eigen's matrices
CODE = """
import sys, numpy as np, dalembert as dal
from dalembert import _processor
ends = []
for name, options in [("slider_crank", {"native": "off"}), ("slider_crank", {"native": "on"}), ("andrews", {"native": "off"}),
                      ("fekete", {"t_span": (0, 1), "native": "off"}), ("bricard", {"t_span": (0, 1), "native": "off"}),
                      ("slider_crank", {"method": "dop853"}), ("pendulum", {"method": "bdf", "tol": 1e-10}),
                      ("pendulum", {"digits": 40, "t_span": (0, 1)}), ("rolling_disk", {}), ("bouncing_ball", {})]:
    run = dal.Model.load(name).run(**options)
    assert run.success, run.message
    ends.append(run.q[-1])
study = dal.Model.load("pendulum").sweep({"l": np.linspace(0.5, 1.5, 16)}, collect="end(theta)")
ends.append(np.asarray(study["end(theta)"]))
ends.append(dal.Model.load("ellipse").run().q[-1])
dal.Model.load("ellipse").stability()  # hands matrices to code of another level
np.save(sys.argv[1], np.concatenate(ends))
print(_processor.level)
"""


def run(code, level, *arguments):
    environment = {**os.environ, "DALEMBERT_LEVEL": level}
    return subprocess.run([sys.executable, "-c", code, *map(str, arguments)], env=environment, capture_output=True, text=True)


def test_every_level_gives_the_same_motion_to_the_tolerance(tmp_path):
    ends = {}
    for level in RUNS:
        done = run(CODE, level, tmp_path / f"{level}.npy")
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == level
        ends[level] = np.load(tmp_path / f"{level}.npy")
    for level in RUNS[1:]:
        np.testing.assert_allclose(ends[level], ends[RUNS[0]], rtol=1e-9, atol=1e-9)


def test_a_level_gives_the_same_bits_each_time(tmp_path):
    for name in ("a", "b"):
        assert run(CODE, RUNS[-1], tmp_path / f"{name}.npy").returncode == 0
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()


def test_the_highest_level_is_picked():
    environment = {name: value for name, value in os.environ.items() if name != "DALEMBERT_LEVEL"}
    code = "import dalembert; print(dalembert._processor.level)"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == RUNS[-1]


def test_errors_and_digits_go_through_all_libraries():
    """An exception that one library throws and another catches, and MPFR's precision, which all share."""
    code = """
import dalembert as dal
try:
    dal.Model.load("pendulum").run((0, 1), method="dopri5", digits=40)
except dal.SolveError as error:
    print(error)
try:
    dal.Model.from_text('[coordinates]\\nx = 1\\n[energy]\\nkinetic = "x\\'^2 + y"')
except dal.ModelError as error:
    print(error.line)
print(dal.Model.load("pendulum").series(4, digits=50)["theta"][2])
"""
    texts = {run(code, level).stdout for level in RUNS}
    assert len(texts) == 1
    refusal, line, coefficient = texts.pop().splitlines()
    assert "digits" in refusal and line == "4"
    with localcontext() as context:  # theta''/2 = −g/l sin(π/3)/2
        context.prec = 60
        exact = -Decimal("9.81") * Decimal(3).sqrt() / 4
        assert abs(Decimal(coefficient) / exact - 1) < Decimal("1e-47")


def test_a_level_that_is_not_there_is_said():
    done = run("import dalembert", "v7")
    assert done.returncode == 1
    assert "DALEMBERT_LEVEL=v7: this package has v2" in done.stderr


@pytest.mark.parametrize("level", RUNS)
def test_models_and_runs_are_right_at_every_level(level):
    files = [str(Path(__file__).parent / name) for name in ("test_model.py", "test_run.py")]
    call = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    done = subprocess.run(call, env={**os.environ, "DALEMBERT_LEVEL": level}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
