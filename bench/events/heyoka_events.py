"""heyoka on bench/events/henon_heiles.toml: heyoka_events.py prints rows of the table of bench/events/main.cpp. Its
callbacks are Python functions; what they took, measured alone, is in brackets."""

import statistics
import time

import heyoka as hy

END = 2000.0
START = [0.0, 0.1, 0.35, 0.1]

x, y, u, v = hy.make_vars("x", "y", "u", "v")
EQUATIONS = [(x, u), (y, v), (u, -x - 2 * x * y), (v, y**2 - y - x**2)]
count = 0
first = None


def note(solver, t, sign):
    global count
    count += 1


def seconds_of(call):
    begin = time.thread_time()
    call()
    return time.thread_time() - begin


for name, events in (
    ("none", []),
    ("never", [hy.nt_event(x - 2, callback=note)]),
    ("section", [hy.nt_event(x, callback=note)]),
):
    solver = hy.taylor_adaptive(EQUATIONS, START, tol=1e-15, nt_events=events)
    times = []
    for _ in range(21):
        count = 0
        solver.time = 0.0
        solver.state[:] = START
        begin = time.thread_time()
        steps = solver.propagate_until(END)[3]
        times.append(time.thread_time() - begin)
    found = count
    calls = min(seconds_of(lambda: [note(solver, 0.0, 1) for _ in range(found)]) for _ in range(5))
    best = min(times[1:])
    first = first or best
    print(
        f"| heyoka, {name} | {steps} | {found} | {1e3 * statistics.median(times[1:]):.3g} | {1e3 * best:.3g} "
        f"(callbacks {1e3 * calls:.2g}) | {100 * (best / first - 1):.0f} % |",
        flush=True,
    )
