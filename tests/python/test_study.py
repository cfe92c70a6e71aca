"""Studies: Model.sweep."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import dalembert as dal
import numpy as np
import pytest

OSCILLATOR = dict(
    parameters={"w": 1.0},
    coordinates={"x": 1.0},
    kinetic="x'^2/2",
    potential="w^2*x^2/2",
    solve={"duration": 7},
)


def test_a_grid_has_exact_ends_and_extremes():
    sweep = dal.Model(**OSCILLATOR).sweep(
        {"x": [0.5, 1.0, 2.0], "w": np.linspace(1, 2, 4)}, collect=["end(x)", "min(x')"], t_span=5
    )
    x, w = (a.ravel() for a in np.meshgrid([0.5, 1.0, 2.0], np.linspace(1, 2, 4), indexing="ij"))
    np.testing.assert_allclose(np.ravel(sweep["end(x)"]), x * np.cos(5 * w), atol=1e-13)
    np.testing.assert_allclose(np.ravel(sweep["min(x')"]), -x * w, rtol=1e-13)
    assert not np.any(np.ravel(sweep["outcome"]))


def test_samples_do_not_depend_on_the_executor():
    def run(executor):
        return dal.Model(**OSCILLATOR).sweep(
            sample={"w": ("uniform", 1, 2), "x": "normal(1,0.1)"}, runs=200, seed=4, collect="end(x)", executor=executor
        )["end(x)"]

    alone = np.asarray(run(None))
    with ThreadPoolExecutor(3) as threads:
        np.testing.assert_array_equal(run(threads), alone)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        np.testing.assert_array_equal(run(processes), alone)


def test_mistakes_are_told():
    with pytest.raises(dal.Error, match="'v' cannot be varied"):
        dal.Model(**OSCILLATOR).sweep({"v": [1.0]})
    with pytest.raises(dal.Error, match="nothing varies"):
        dal.Model(**OSCILLATOR).sweep()
