"""A bar while something is going on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def _bar() -> Iterator[Callable[[float, str], None]]:
    """Of a share and a text; tqdm's, in a terminal or a notebook, without tqdm a line of percents on standard error."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        shown = -1

        def percent(fraction: float, text: str) -> None:
            nonlocal shown
            if int(100 * fraction) != shown:
                shown = int(100 * fraction)
                print(f"\r{shown:3d} %  {text}", end="", file=sys.stderr, flush=True)

        yield percent
        print(file=sys.stderr)
        return
    with tqdm(total=1.0, bar_format="{l_bar}{bar}| {postfix} [{elapsed}<{remaining}]") as shown_bar:

        def show(fraction: float, text: str) -> None:
            shown_bar.set_postfix_str(text, refresh=False)
            shown_bar.update(fraction - shown_bar.n)

        yield show


@contextmanager
def run_bar() -> Iterator[Callable[[float, float, int], None]]:
    with _bar() as show:
        yield lambda t, fraction, steps: show(fraction, f"t = {t:.6g}, {steps} steps")


@contextmanager
def rows_bar() -> Iterator[Callable[[int, int], None]]:
    with _bar() as show:
        yield lambda done, of: show(done / of, f"{done} of {of} runs")
