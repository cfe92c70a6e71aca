"""Every name that users see has a text, in help() and in the reference."""

import inspect
from pathlib import Path

import pytest

import dalembert as dal
from dalembert import equations, reports, run, study

CLASSES = [
    dal.Model,
    dal.Run,
    run.Dense,
    study.StudyResults,
    equations.Equations,
    equations.Part,
    reports.Check,
    reports.Series,
    reports.Comparison,
    reports.Stability,
    reports.Event,
]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_public_members_have_texts(kind):
    assert inspect.getdoc(kind)
    bare = [name for name, one in vars(kind).items() if not name.startswith("_") and _is_bare(one)]
    assert not bare


def _is_bare(one):
    is_code = isinstance(one, (property, classmethod, staticmethod)) or callable(one) or hasattr(one, "attrname")
    return is_code and not inspect.getdoc(one)


def test_the_reference_has_every_public_name():
    pytest.importorskip("sympy")  # from_sympy
    text = (Path(__file__).parents[2] / "docs/python/reference.md").read_text()
    names = {line.rpartition(".")[2] for line in text.splitlines() if line.startswith(":::")}
    assert set(dal.__all__) - {"load", "__version__"} <= names  # load is Model.load
    assert {kind.__name__ for kind in CLASSES} <= names
    assert all(inspect.getdoc(getattr(dal, name)) for name in dal.__all__ if name != "__version__")
    assert sorted(dal.__all__) == dir(dal)
