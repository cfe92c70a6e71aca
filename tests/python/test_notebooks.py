"""The notebooks of docs/python run, and print what they show."""

import contextlib
import io
import json
import math
import re
import warnings
from pathlib import Path

import pytest

matplotlib = pytest.importorskip("matplotlib")
pytest.importorskip("sympy")
NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "docs/python").glob("*.ipynb"))


def printed(cell) -> str:
    return "".join("".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")


def same(shown: str, kept: str) -> bool:
    """The same words, and numbers that differ by rounding errors at most."""
    number = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
    pairs = zip(number.findall(shown), number.findall(kept))
    return number.sub("#", shown) == number.sub("#", kept) and all(
        math.isclose(float(a), float(b), rel_tol=1e-12, abs_tol=1e-14) for a, b in pairs
    )


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook(file):
    matplotlib.use("Agg")
    names = {}
    for cell in json.loads(file.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        code = "".join(line for line in cell["source"] if not line.startswith("%"))
        said = io.StringIO()
        with contextlib.redirect_stdout(said), warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            exec(compile(code, file.name, "exec"), names)
        if "time used" not in code and "summary" not in code:  # what a run took is not the same twice
            assert same(said.getvalue(), printed(cell)), f"{said.getvalue()}\ninstead of\n{printed(cell)}"


def test_there_are_five():
    assert len(NOTEBOOKS) == 5
