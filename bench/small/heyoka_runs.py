"""heyoka on the problems of problems.cpp: heyoka_runs.py MODEL prints, for each tolerance, whether the run reached
its end, steps, median and minimum of its processor times, and the state at the end."""

import statistics
import sys
import time

import heyoka as hy
from numpy import arcsin, cos, pi, sin

GRAVITY = 9.81
END = 10.0
MOST_STEPS = 100_000  # the double pendulum takes millions at some tolerances


def pendulum():
    x, y, u, v = hy.make_vars("x", "y", "u", "v")
    rod = (u**2 + v**2 + GRAVITY * y) / (x**2 + y**2)
    return [(x, u), (y, v), (u, -rod * x), (v, GRAVITY - rod * y)], [sin(pi / 3), cos(pi / 3), 0.0, 0.0]


def slider_crank():
    p, q, u, v = hy.make_vars("p", "q", "u", "v")
    l1, l2, torque = 0.2, 1.0, 10.0
    A, B, D = 2.25 * l1**2 + 1, 1.25 * l2**2 + 1, 1.5 * l1 * l2
    E, F = 2.5 * l1, 1.5 * l2
    s1, c1, s2, c2 = hy.sin(p), hy.cos(p), hy.sin(q), hy.cos(q)
    couples, turns = D * (c1 * c2 - s1 * s2), D * (s1 * c2 + c1 * s2)
    f1 = torque - GRAVITY * E * c1 - turns * v**2
    f2 = GRAVITY * F * c2 - turns * u**2
    d1, d2 = l2 * c2, l1 * c1
    m1, m2, force = d1 * A - d2 * couples, d2 * B - d1 * couples, d1 * f1 + d2 * f2
    gamma = l1 * s1 * u**2 - l2 * s2 * v**2
    divisor = m1 * d1 + m2 * d2
    return [
        (p, u),
        (q, v),
        (u, (force * d1 + m2 * gamma) / divisor),
        (v, (force * d2 - m1 * gamma) / divisor),
    ], [0.78, arcsin(0.2 * sin(0.78)), 0.0, 0.0]


def double_pendulum():
    p, q, u, v = hy.make_vars("p", "q", "u", "v")
    c, s = hy.cos(p - q), hy.sin(p - q)
    f1 = -s * v**2 - 2 * GRAVITY * hy.sin(p)
    f2 = s * u**2 - GRAVITY * hy.sin(q)
    divisor = 2 - c**2
    return [(p, u), (q, v), (u, (f1 - c * f2) / divisor), (v, (2 * f2 - c * f1) / divisor)], [pi / 2, pi / 2, 0.0, 0.0]


def measure(equations, start, tolerance, repetitions=20):
    solver = hy.taylor_adaptive(equations, start, tol=tolerance)
    times = []
    for _ in range(repetitions + 1):
        solver.time = 0.0
        solver.state[:] = start
        begin = time.thread_time()
        outcome, _, _, steps, *_ = solver.propagate_until(END, max_steps=MOST_STEPS)
        times.append(time.thread_time() - begin)
        if outcome != hy.taylor_outcome.time_limit:
            break
    times = times[1:] or times
    reached = int(outcome == hy.taylor_outcome.time_limit)
    state = " ".join(repr(float(x)) for x in solver.state)
    print(tolerance, reached, steps, statistics.median(times), min(times), state, flush=True)


if __name__ == "__main__":
    model = {"pendulum_cartesian": pendulum, "slider_crank": slider_crank, "double_pendulum": double_pendulum}
    for exponent in range(6, 17):
        measure(*model[sys.argv[1]](), 10.0**-exponent)
