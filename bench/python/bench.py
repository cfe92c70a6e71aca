"""The Python package beside C++ and beside other packages: what a run costs, dense output, import, first result, size.

    bench.py [PROGRAM [WHEEL]]      PROGRAM: build/release/bench/bench_python_runs, the same runs in C++
                                    WHEEL: of dalembert, its size beside those of its rivals on PyPI

Rivals are measured where they are installed (pip install scipy heyoka exudyn). Times of runs and dense
output are processor times, which other processes lengthen least; all are the least of several.
"""

import importlib.util
import itertools
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import dalembert as dal

PENDULUM = {
    "dalembert": "import dalembert as d; d.Model.load('pendulum').run((0, 1))",
    "scipy": "from scipy.integrate import solve_ivp; from math import sin\n"
    "solve_ivp(lambda t, y: (y[1], -9.81*sin(y[0])), (0, 1), (1, 0), 'DOP853', rtol=1e-12, atol=1e-12)",
    "heyoka": "import heyoka as hy; x, v = hy.make_vars('x', 'v')\n"
    "hy.taylor_adaptive([(x, v), (v, -9.81*hy.sin(x))], [1., 0.]).propagate_until(1.)",
    "exudyn": "import exudyn as e; s = e.SystemContainer(); m = s.AddSystem(); m.Assemble()",
}


def least(work, rounds, clock=time.process_time):
    times = []
    for _ in range(rounds):
        begin = clock()
        work()
        times.append(clock() - begin)
    return min(times)


def overhead(program):
    model = dal.Model.load("pendulum")
    call = {"t_span": (0, 0.001), "output_step": 0.001}
    kinds = {
        "of one model": lambda x: model.run(**call),
        "with other parameters": lambda x: model.with_parameters(l=x).run(**call),
        "with another start": lambda x: model.with_start(theta=x).run(**call),
    }
    values = [1 + 0.001 * i for i in range(200)]
    here = {name: 1e6 * least(lambda: [one(x) for x in values], 50) / len(values) for name, one in kinds.items()}
    there = subprocess.run([program], capture_output=True, text=True, check=True).stdout if program else ""
    for (name, microseconds), bare in itertools.zip_longest(here.items(), map(float, there.split())):
        beside = f", {bare:.1f} us in C++: {microseconds - bare:.1f} us more" if bare else ""
        print(f"a run of 1 ms {name:22} {microseconds:8.1f} us{beside}")


def dense_output():
    for name in ("pendulum", "slider_crank", "andrews"):
        sol = dal.Model.load(name).run(dense_output=True).sol
        times = np.linspace(sol.t_min, sol.t_max, 1_000_000)
        values = sol(times).size
        seconds = least(lambda: sol(times), 5)
        print(f"sol of 10^6 times    {values / seconds / 1e6:8.1f} million values a second, {name}")


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def imports_and_first_results():
    for name, first in PENDULUM.items():
        if importlib.util.find_spec(name) is None:
            print(f"{name:12} is not installed")
            continue
        module = "scipy.integrate" if name == "scipy" else name
        clock = "import numpy, time; t = time.perf_counter(); {}; print(time.perf_counter() - t)"
        loading = min(float(python(clock.format(f"import {module}")).split()[-1]) for _ in range(5))
        whole = f"import time; t = time.perf_counter()\n{first}\nprint(time.perf_counter() - t)"
        begin_to_end = min(float(python(whole).split()[-1]) for _ in range(5))
        installed = Path(importlib.util.find_spec(name).origin).parent
        folders = [installed, *installed.parent.glob(f"{name}*.libs")]
        size = sum(file.stat().st_size for folder in folders for file in folder.rglob("*") if file.is_file())
        print(
            f"{name:10} import {loading:6.3f} s   first result {begin_to_end:6.3f} s   installed {size / 1e6:6.1f} MB"
        )


def wheel_sizes(own):
    for name in PENDULUM:
        with tempfile.TemporaryDirectory() as folder:
            if name != "dalembert":
                call = [sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--only-binary", ":all:"]
                if subprocess.run([*call, "--dest", folder, name], capture_output=True).returncode != 0:
                    print(f"{name:10} cannot be downloaded")
                    continue
            file = Path(own) if name == "dalembert" else next(Path(folder).iterdir())
            print(f"{name:10} wheel {file.stat().st_size / 1e6:6.1f} MB")


if __name__ == "__main__":
    overhead(sys.argv[1] if len(sys.argv) > 1 else None)
    dense_output()
    imports_and_first_results()
    if len(sys.argv) > 2:
        wheel_sizes(sys.argv[2])
