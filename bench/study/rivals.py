"""heyoka's batches and SciPy on the rows of bench_study: rivals.py MODEL DURATION FILE prints, for each, a line
"name: tolerance error runs/s" of the largest tolerance that reaches 1e-9. The file has a row for each run: the value
that varies, then q and v at the end where they are known."""

import math
import sys
import time

import numpy as np

GRAVITY = 9.81
WANTED = 1e-9


def double_pendulum(m, y, par):
    """Masses and lengths 1; equations of motion solved for the accelerations."""
    p, q, u, v = y
    c, s = m.cos(p - q), m.sin(p - q)
    f1 = -s * v * v - 2 * GRAVITY * m.sin(p)
    f2 = s * u * u - GRAVITY * m.sin(q)
    divisor = 2 - c * c
    return [u, v, (f1 - c * f2) / divisor, (2 * f2 - c * f1) / divisor]


def slider_crank(m, y, torque):
    """As bench/small/problems.cpp: along the direction that the constraint allows."""
    p, q, u, v = y
    l1, l2 = 0.2, 1.0
    A, B, D = 2.25 * l1**2 + 1, 1.25 * l2**2 + 1, 1.5 * l1 * l2
    E, F = 2.5 * l1, 1.5 * l2
    s1, c1, s2, c2 = m.sin(p), m.cos(p), m.sin(q), m.cos(q)
    couples, turns = D * (c1 * c2 - s1 * s2), D * (s1 * c2 + c1 * s2)
    f1 = torque - GRAVITY * E * c1 - turns * v * v
    f2 = GRAVITY * F * c2 - turns * u * u
    d1, d2 = l2 * c2, l1 * c1
    m1, m2, force = d1 * A - d2 * couples, d2 * B - d1 * couples, d1 * f1 + d2 * f2
    gamma = l1 * s1 * u * u - l2 * s2 * v * v
    divisor = m1 * d1 + m2 * d2
    return [u, v, (force * d1 + m2 * gamma) / divisor, (force * d2 - m1 * gamma) / divisor]


def four_bar(m, y, l2):
    """Angles of crank, coupler and rocker, and the crank's speed: the others' speeds and accelerations follow from
    the loop, w2 = k2 w, a2 = k2 a + e2."""
    p, q, r, w = y
    l1, l3, density, torque, damping = 0.1, 0.25, 2.0, 2.0, 0.1
    m1, m2, m3 = density * l1, density * l2, density * l3
    s1, c1, s2, c2, s3, c3 = m.sin(p), m.cos(p), m.sin(q), m.cos(q), m.sin(r), m.cos(r)
    s13, s12, s32 = s1 * c3 - c1 * s3, s1 * c2 - c1 * s2, s3 * c2 - c3 * s2
    k2, k3 = l1 * s13 / (l2 * s32), l1 * s12 / (l3 * s32)
    w2, w3 = k2 * w, k3 * w
    x = l1 * c1 * w * w + l2 * c2 * w2 * w2 - l3 * c3 * w3 * w3
    z = l1 * s1 * w * w + l2 * s2 * w2 * w2 - l3 * s3 * w3 * w3
    e2, e3 = (x * c3 + z * s3) / (l2 * s32), (x * c2 + z * s2) / (l3 * s32)
    half, c12 = m2 * l1 * l2 / 2, c1 * c2 + s1 * s2
    M11, M12, M22, M33 = m1 * l1**2 / 3 + m2 * l1**2, half * c12, m2 * l2**2 / 3, m3 * l3**2 / 3
    f1 = torque - damping * w - half * s12 * w2 * w2 - GRAVITY * (m1 / 2 + m2) * l1 * c1
    f2 = half * s12 * w * w - GRAVITY * m2 * l2 / 2 * c2
    f3 = -GRAVITY * m3 * l3 / 2 * c3
    inertia = M11 + 2 * M12 * k2 + M22 * k2 * k2 + M33 * k3 * k3
    force = f1 + k2 * f2 + k3 * f3 - (M12 + k2 * M22) * e2 - k3 * M33 * e3
    return [w, w2, w3, force / inertia]


def four_bar_start(l2):
    """The crank at 60 degrees; the point where coupler and rocker meet, above the ground."""
    l1, l3, l4 = 0.1, 0.25, 0.3
    ax, ay = l1 * math.cos(math.pi / 3), l1 * math.sin(math.pi / 3)
    dx, dy = l4 - ax, -ay
    d = math.hypot(dx, dy)
    along = (d * d + l2 * l2 - l3 * l3) / (2 * d)
    up = math.sqrt(l2 * l2 - along * along)
    bx, by = ax + (along * dx - up * dy) / d, ay + (along * dy + up * dx) / d
    return [math.pi / 3, math.atan2(by - ay, bx - ax), math.atan2(by, bx - l4), 0.0]


def four_bar_state(y, l2):
    """With all three speeds."""
    p, q, r, w = y
    s32 = np.sin(r - q)
    return np.array([p, q, r, w, 0.1 * np.sin(p - r) / (l2 * s32) * w, 0.1 * np.sin(p - q) / (0.25 * s32) * w])


MODELS = {
    "double_pendulum": (double_pendulum, lambda x: [x, math.pi / 2, 0.0, 0.0], lambda y, x: y),
    "slider_crank": (slider_crank, lambda x: [0.78, math.asin(0.2 * math.sin(0.78)), 0.0, 0.0], lambda y, x: y),
    "four_bar": (four_bar, four_bar_start, four_bar_state),
}


def error_of(states, values, references, complete):
    """As error_norm.hpp, the largest of all references."""
    largest = 0.0
    for state, value, exact in zip(states, values, references):
        n = len(exact) // 2
        off = np.abs(complete(state, value) - exact)
        largest = max(largest, (off[:n] / np.maximum(1, np.abs(exact[:n]))).max(), off[n:].max() / np.abs(exact[n:]).max())
    return largest


def measure(name, make, values, references, complete, repetitions=3):
    """make(tolerance) gives a function from values to states at the end."""
    for exponent in range(9, 16):
        run = make(10.0**-exponent)
        error = error_of(run(values[: len(references)]), values, references, complete)
        if not error <= WANTED:
            continue
        least = math.inf
        for _ in range(repetitions):
            begin = time.process_time()
            run(values)
            least = min(least, time.process_time() - begin)
        return print(f"{name}: {10.0**-exponent} {error} {len(values) / least}", flush=True)
    print(f"{name}: 0 0 0", flush=True)


def heyoka_batches(equations, start, duration, width):
    import heyoka as hy

    y = hy.make_vars(*[f"y{i}" for i in range(4)])
    system = list(zip(y, equations(hy, y, hy.par[0])))

    def make(tolerance):
        states = np.tile(np.array(start(0.35), float)[:, None], (1, width))
        solver = hy.taylor_adaptive_batch(system, states, tol=tolerance)

        def run(values):
            ends = []
            for first in range(0, len(values), width):
                own = values[first : first + width]
                own = np.concatenate([own, np.repeat(own[-1:], width - len(own))])
                solver.set_time(0.0)
                solver.state[:] = np.array([start(x) for x in own]).T
                if solver.pars.size:
                    solver.pars[0, :] = own
                solver.propagate_until(duration, max_steps=100_000)
                ends.extend(solver.state.T.copy())
            return ends

        return run

    return make


def scipy_runs(equations, start, duration):
    from scipy.integrate import solve_ivp

    def make(tolerance):
        def run(values):
            return [
                solve_ivp(lambda _, y: equations(math, y, x), (0, duration), start(x), method="DOP853",
                          rtol=max(tolerance, 3e-14), atol=tolerance).y[:, -1]
                for x in values
            ]

        return run

    return make


def main():
    model, duration, file = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    if model not in MODELS:
        return
    equations, start, complete = MODELS[model]
    rows = [np.array(line.split(), float) for line in open(file)]
    values = np.array([row[0] for row in rows])
    references = [row[1:] for row in rows if len(row) > 1]
    try:
        for width in (4, 8):
            name = f"heyoka, batches of {width}"
            measure(name, heyoka_batches(equations, start, duration, width), values, references, complete)
    except ImportError:
        print("heyoka is left out: it is not there", file=sys.stderr)
    try:
        measure("SciPy, DOP853", scipy_runs(equations, start, duration), values[: len(references)], references, complete, 1)
    except ImportError:
        print("SciPy is left out: it is not there", file=sys.stderr)


if __name__ == "__main__":
    main()
