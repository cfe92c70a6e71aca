"""Studies: many runs of one model, by any executor of concurrent.futures."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np

from . import _dalembert


@lru_cache(maxsize=4)
def _study(description: str) -> _dalembert.Study:
    """One for all blocks that a process gets."""
    return _dalembert.study(description)


def _run_block(description: str, number: int) -> tuple[np.ndarray, list[tuple[int, str]]]:
    return _study(description).run(number)


def _values(name: str, values: Any) -> str:
    if isinstance(values, str):
        return f"{name}={values}"
    return f"{name}={','.join(repr(float(value)) for value in np.atleast_1d(values))}"


def _distribution(name: str, distribution: Any) -> str:
    if isinstance(distribution, str):
        return f"{name}={distribution}"
    kind, *numbers = distribution
    return f"{name}={kind}({','.join(repr(float(number)) for number in numbers)})"


def describe(model, vary: Mapping, sample: Mapping, collect: str | Iterable[str], options: Mapping, **how: Any) -> str:
    """The study as text: all that another process needs."""
    handle = model._handle
    return json.dumps(
        {
            "model": handle.file or "model",
            "text": handle.text,
            "settings": list(handle.settings),
            "vary": [_values(name, values) for name, values in vary.items()],
            "sample": [_distribution(name, one) for name, one in sample.items()],
            "collect": [collect] if isinstance(collect, str) else list(collect),
            "options": dict(options),
            **how,
        }
    )


def run(description: str, vary: Mapping, executor: Executor | None):
    """An xarray.Dataset, where xarray is installed, else a dictionary of arrays."""
    study = _study(description)
    if executor is None:
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            blocks = list(threads.map(_run_block, [description] * study.blocks, range(study.blocks)))
    else:
        blocks = list(executor.map(_run_block, [description] * study.blocks, range(study.blocks)))
    numbers = np.concatenate([block for block, _ in blocks])
    reasons = np.full(study.rows, "", dtype=object)
    for _, failures in blocks:
        for row, reason in failures:
            reasons[row] = reason
    columns = {name: numbers[:, i] for i, (name, _, _) in enumerate(study.columns)}
    columns["reason"] = reasons
    return _dataset(study, columns, vary)


def _dataset(study, columns: dict[str, np.ndarray], vary: Mapping):
    try:
        import xarray
    except ImportError:
        return columns
    varied = [name for name, _, kind in study.columns if kind == "varied"]
    sizes = [len(np.unique(columns[name])) for name in varied]
    is_grid = len(varied) == len(vary) and int(np.prod(sizes)) == study.rows
    units = {name: {"units": unit} for name, unit, _ in study.columns if unit}
    if is_grid:
        shape = tuple(sizes)
        coordinates = {
            name: (name, np.moveaxis(columns[name].reshape(shape), i, 0).reshape(shape[i], -1)[:, 0], units.get(name))
            for i, name in enumerate(varied)
        }
        data = {
            name: (varied, values.reshape(shape), units.get(name))
            for name, values in columns.items()
            if name not in varied
        }
    else:
        coordinates = {"row": np.arange(study.rows)}
        data = {name: ("row", values, units.get(name)) for name, values in columns.items()}
    return xarray.Dataset(data, coordinates, attrs={"study": study.text})
