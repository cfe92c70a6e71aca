"""Builds the wheel on an installed library, installs it in a fresh environment without the system's packages, compares the
program's numbers there, and runs the Python tests beside the packages that users have.

    in_fresh_environment.py BUILD SOURCE

BUILD is a build tree of the library, which is installed into BUILD/python/prefix first. Exit status 77: pip gets no
packages.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

BUILD_TOOLS = ["scikit-build-core==1.1.2", "nanobind==3.1.0"]  # as in pyproject.toml
NO_PACKAGES = 77
USERS_TOOLS = ["pytest", "sympy", "pandas", "xarray", "matplotlib", "tqdm"]
MORE_TOOLS = ["jupyterlab", "pyarrow", "distributed", "mpi4py", "scipy", "mypy", "pandas-stubs"]
# The README's slider-crank with NumPy alone: the numbers of the C++ program, to the last bit.
FIRST = """
import subprocess, sys, numpy, dalembert as dal
run = dal.Model.load("slider_crank").run((0, 10), tol=1e-12)
assert run.success, run.message
call = [sys.argv[1], "run", "slider_crank", "--duration", "10", "--tolerance", "1e-12", "--quiet", "-o", "-"]
lines = subprocess.run(call, capture_output=True, text=True, check=True).stdout.splitlines()
numbers = numpy.array([line.split(",") for line in lines if line[:1].isdigit()], dtype=float)
assert lines[0].split(",") == run.columns, lines[0]
numpy.testing.assert_array_equal(run.numbers, numbers)
assert not {"scipy", "pandas", "sympy", "matplotlib"} & set(sys.modules)
"""


def call(*command, **keywords):
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True, **keywords)


def make_environment(folder: Path) -> Path:
    python = next(p for p in ("/usr/bin/python3", sys.executable) if Path(p).exists())
    call(python, "-m", "venv", folder)
    return folder / "bin" / "python"


def pip(python: Path, *arguments):
    call(python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


def build_wheel(build: Path, source: Path, work: Path) -> Path:
    prefix = work / "prefix"
    call("cmake", "--install", build, "--prefix", prefix, stdout=subprocess.DEVNULL)
    tools = work / "tools" / "bin" / "python"
    if not (work / "tools" / "complete").exists():
        make_environment(work / "tools")
        try:
            pip(tools, "install", *BUILD_TOOLS)
        except subprocess.CalledProcessError:
            sys.exit(NO_PACKAGES)
        (work / "tools" / "complete").touch()
    wheels = work / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    settings = {
        "cmake.source-dir": "python",
        "build-dir": work / "build",
        "build.targets": "_dalembert;dalembert_stub",
        "cmake.define.Dalembert_ROOT": prefix,
        "cmake.define.CMAKE_CXX_COMPILER_LAUNCHER": shutil.which("ccache") or "",
    }
    options = [word for name, value in settings.items() for word in ("--config-settings", f"{name}={value}")]
    pip(tools, "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", wheels, *options, source)
    return next(wheels.glob("*.whl"))


def install_more_tools(python: Path) -> None:
    binary = ["install", "--only-binary", ":all:"]
    try:
        return pip(python, *binary, *MORE_TOOLS)
    except subprocess.CalledProcessError:
        print("not all at once", flush=True)
    for package in MORE_TOOLS:
        try:
            pip(python, *binary, package)
        except subprocess.CalledProcessError:
            print(f"{package} cannot be installed: its tests are skipped", flush=True)


def users_environment(folder: Path) -> Path:
    """With the packages that the tests take, a gigabyte: kept until others are asked for."""
    tools = " ".join(USERS_TOOLS + MORE_TOOLS)
    complete = folder / "complete"
    if not complete.exists() or complete.read_text() != tools:
        shutil.rmtree(folder, ignore_errors=True)
        python = make_environment(folder)
        pip(python, "install", *USERS_TOOLS)
        install_more_tools(python)
        complete.write_text(tools)
    return folder / "bin" / "python"


def main(build: Path, source: Path) -> None:
    work = build / "python"
    wheel = build_wheel(build, source, work)
    shutil.rmtree(work / "fresh", ignore_errors=True)
    fresh = make_environment(work / "fresh")
    environment = {
        k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_LIBRARY_PATH", "DALEMBERT_MODELS")
    }
    pip(fresh, "install", "--only-binary", ":all:", wheel)
    call(fresh, "-c", FIRST, work / "prefix" / "bin" / "dalembert", env=environment, cwd=work)
    users = users_environment(work / "users")
    pip(users, "install", "--no-deps", "--force-reinstall", wheel)
    tests = [
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--doctest-modules",
        "--pyargs",
        "dalembert",
        source / "tests/python",
    ]
    call(users, *tests, env=environment, cwd=work)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
