"""Studies: many runs of one model, by any executor of concurrent.futures."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _dalembert, _study_values, _values
from ._errors import Error
from ._study_tasks import all_rows, study_of

if TYPE_CHECKING:
    import pandas

    from .run import Run

OUTCOMES = ["finished", "doubtful", "stopped early", "interrupted"]
def describe(model, vary: Mapping, sample: Mapping, collect: Any, options: Mapping, **how: Any) -> str:
    """The study as text: all that another process needs."""
    handle = model._handle
    return json.dumps(
        {
            "model": handle.file or "model",
            "text": handle.text,
            "settings": list(handle.settings),
            "vary": [_study_values.grid(name, values) for name, values in vary.items()],
            "sample": [_study_values.distribution(name, one) for name, one in sample.items()],
            "collect": _study_values.collected(collect),
            "options": dict(options),
            **how,
        }
    )


def run(description: str, vary: Mapping, executor: Executor | None, progress: Any = False):
    """An xarray.Dataset, where xarray is installed, else a dictionary of arrays."""
    study = study_of(description)
    rows = all_rows(description, executor, progress)
    reasons = np.full(study.rows, "", dtype=object)
    for row, reason in rows.reasons:
        reasons[row] = reason
    columns = {name: rows.numbers[:, i] for i, (name, _, _) in enumerate(study.columns)}
    columns["reason"] = reasons
    motions = {name: rows.motions[:, i] for i, (name, _, _) in enumerate(study.motions)}
    return _dataset(study, columns, motions, vary)


class SobolIndex(NamedTuple):
    """The share of the variance that a quantity makes, alone and with all others, with standard errors."""

    first: float
    first_error: float
    total: float
    total_error: float


class StudyResults:
    """What the results of a study can do besides being numbers by their names: ``model.sweep`` gives them.

    >>> import dalembert as dal
    >>> study = dal.Model.load("pendulum").sweep({"theta": [0.5, 1.0]}, collect="max(theta)", t_span=1)
    >>> study.run(1).q[0]
    array([1.])
    """

    __slots__ = ()

    if TYPE_CHECKING:  # those of a Dataset or a dictionary

        def __getitem__(self, name: Any) -> Any: ...

        def __getattr__(self, name: str) -> Any: ...

    def _text(self) -> str:
        raise NotImplementedError

    def _flat(self, name: str) -> np.ndarray:
        """A column, a value per row of the study."""
        raise NotImplementedError

    def _whole(self) -> _dalembert.Study:
        """The study whose rows these all are."""
        text = self._text()
        study = study_of(text) if text else None
        if study is None or not self._has_all(study):
            raise Error(
                "this is a part of a study, or in another order: pages and tables are made of what sweep() gave"
            )
        return study

    def _has_all(self, study) -> bool:
        lengths = {len(self._flat(name)) for name in [*(name for name, _, _ in study.columns), "reason"]}
        return lengths == {study.rows} and study.has_rows(self._rows(study, "varied"))

    def _rows(self, study, *kinds: str) -> np.ndarray:
        """Columns of these kinds, or all, a row per run."""
        names = [name for name, _, kind in study.columns if not kinds or kind in kinds]
        return np.column_stack([np.asarray(self._flat(name), dtype=float) for name in names])

    def report(self, file: str | os.PathLike[str]) -> None:
        """Writes the page with histograms, scatter plots, heat maps and extremes: an .html file that needs no network."""
        study = self._whole()
        reasons = [(row, str(reason)) for row, reason in enumerate(self._flat("reason")) if reason]
        study.write_page(os.fspath(file), self._rows(study), reasons)

    def run(self, row: int, **options: Any) -> Run:
        """The run of a row again, whole: a :class:`Run`."""
        from .model import Model

        study = study_of(self._text())
        description = json.loads(study.text)
        row = _values.whole_number("row", row)
        settings = [*description["settings"], *study.settings(row)]
        model = Model._of(_dalembert.load_text(description["text"], settings, description["model"]))
        return model.run(**{**description["options"], **options})

    def sobol_indices(self) -> dict[str, dict[str, SobolIndex]]:
        """Of each collected quantity by what varies; of a study with ``sobol_indices=True``."""
        study = self._whole()
        indices = study.indices(self._rows(study))
        if not indices:
            raise Error("the study was not made for Sobol's indices: sweep(..., sobol_indices=True)")
        return {name: {of: SobolIndex(*one) for of, one in by_name.items()} for name, by_name in indices.items()}

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with a row per run; units and the study's text are in its ``attrs``."""
        import pandas

        study = self._whole()
        frame = pandas.DataFrame({name: self._flat(name) for name, _, _ in study.columns})
        frame["reason"] = self._flat("reason")
        frame.index.name = "row"
        frame.attrs = {"study": study.text, "units": {name: unit for name, unit, _ in study.columns if unit}}
        return frame

    def to_parquet(self, file: str | os.PathLike[str]) -> None:
        """A row per run; units are metadata of the columns, the study's text of the table. Takes pyarrow."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise Error("to_parquet takes the package pyarrow: pip install pyarrow") from None
        study = self._whole()
        fields = [pyarrow.field("row", pyarrow.int64())]
        arrays = [pyarrow.array(np.arange(study.rows))]
        for name, unit, kind in study.columns:
            fields.append(pyarrow.field(name, pyarrow.float64(), metadata={"unit": unit, "kind": kind}))
            arrays.append(pyarrow.array(np.asarray(self._flat(name), dtype=float)))
        fields.append(pyarrow.field("reason", pyarrow.string()))
        arrays.append(pyarrow.array([str(reason) for reason in self._flat("reason")], pyarrow.string()))
        schema = pyarrow.schema(fields, metadata={"study": study.text})
        pyarrow.parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), os.fspath(file))


class StudyArrays(StudyResults, dict):
    """Where xarray is not installed: arrays by their names, a value per row; motions have a row of values, at the times
    "t"."""

    study: str

    def _text(self) -> str:
        return self.study

    def _flat(self, name: str) -> np.ndarray:
        return self[name]

    def _repr_html_(self) -> str:
        from ._notebook import page_in_frame

        return page_in_frame(self)


def _dataset(study, columns: dict[str, np.ndarray], motions: dict[str, np.ndarray], vary: Mapping):
    try:
        from ._study_dataset import StudyDataset
    except ImportError:
        arrays = StudyArrays({**columns, **motions, **({"t": np.array(study.times)} if motions else {})})
        arrays.study = study.text
        return arrays
    varied = [name for name, _, kind in study.columns if kind == "varied"]
    sizes = [len(np.unique(columns[name])) for name in varied]
    is_grid = len(varied) == len(vary) and int(np.prod(sizes)) == study.rows
    attributes: dict[str, dict[str, Any]] = {
        name: {"units": unit} for name, unit, _ in [*study.columns, *study.motions] if unit
    }
    outcome = study.columns[-3][0]
    attributes[outcome] = {
        "flag_values": list(range(len(OUTCOMES))),
        "flag_meanings": " ".join(word.replace(" ", "_") for word in OUTCOMES),
    }
    if is_grid:
        shape = tuple(sizes)
        coordinates = {
            name: (
                name,
                np.moveaxis(columns[name].reshape(shape), i, 0).reshape(shape[i], -1)[:, 0],
                attributes.get(name),
            )
            for i, name in enumerate(varied)
        }
        data = {
            name: (varied, values.reshape(shape), attributes.get(name))
            for name, values in columns.items()
            if name not in varied
        }
    else:
        varied, shape = ["row"], (study.rows,)
        coordinates = {"row": np.arange(study.rows)}
        data = {name: ("row", values, attributes.get(name)) for name, values in columns.items()}
    for name, values in motions.items():
        data[name] = ([*varied, "t"], values.reshape(*shape, -1), attributes.get(name))
    if motions:
        coordinates["t"] = ("t", np.array(study.times), attributes.get("end_time"))
    return StudyDataset(data, coordinates, attrs={"study": study.text})
