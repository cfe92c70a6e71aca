"""Siconos (Debian's python3-siconos) on the ball of bench/events/main.cpp: siconos_ball.py prints rows of its table, for
steps of Moreau and Jean's time-stepping."""

import math
import statistics
import time

import siconos.kernel as sk

GRAVITY, RESTITUTION, HEIGHT, END = 9.81, 0.9, 1.0, 3.0


def run(step):
    ball = sk.LagrangianLinearTIDS([HEIGHT], [0.0], [[1.0]])
    ball.setFExtPtr([-GRAVITY])
    contact = sk.LagrangianLinearTIR([[1.0]])
    interaction = sk.Interaction(sk.NewtonImpactNSL(RESTITUTION), contact)
    model = sk.NonSmoothDynamicalSystem(0.0, END)
    model.insertDynamicalSystem(ball)
    model.link(interaction, ball)
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, step), sk.MoreauJeanOSI(0.5), sk.LCP())
    begin = time.thread_time()
    count = 0
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        simulation.nextStep()
        count += 1
    seconds = time.thread_time() - begin
    return count, seconds, ball.q()[0], ball.velocity()[0]


def exact():
    t = math.sqrt(2 * HEIGHT / GRAVITY)
    speed = GRAVITY * t
    while True:
        speed *= RESTITUTION
        if t + 2 * speed / GRAVITY > END:
            break
        t += 2 * speed / GRAVITY
    s = END - t
    return speed * s - GRAVITY * s * s / 2, speed - GRAVITY * s


for exponent in (2, 3, 4, 5):
    step = 10.0**-exponent
    results = [run(step) for _ in range(5 if exponent < 5 else 1)]
    count, _, q, v = results[0]
    times = [seconds for _, seconds, _, _ in results]
    errors = abs(float(q) - exact()[0]), abs(float(v) - exact()[1])
    print(
        f"| Siconos, step {step:g} | {count} | {1e3 * statistics.median(times):.3g} | {1e3 * min(times):.3g} "
        f"| {errors[0]:.1e} | {errors[1]:.1e} |",
        flush=True,
    )
