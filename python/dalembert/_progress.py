"""A bar while a run is going on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def bar(wishes: dict[str, Any]) -> Iterator[Callable[[float, float, int], None]]:
    """tqdm's, in a terminal or a notebook; without tqdm a line of percents on standard error."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        shown = -1

        def percent(t: float, fraction: float, steps: int) -> None:
            nonlocal shown
            if int(100 * fraction) != shown:
                shown = int(100 * fraction)
                print(f"\r{shown:3d} %  t = {t:.6g}  {steps} steps", end="", file=sys.stderr, flush=True)

        yield percent
        print(file=sys.stderr)
        return
    with tqdm(total=1.0, bar_format="{l_bar}{bar}| {postfix} [{elapsed}<{remaining}]") as shown_bar:

        def show(t: float, fraction: float, steps: int) -> None:
            shown_bar.set_postfix_str(f"t = {t:.6g}, {steps} steps", refresh=False)
            shown_bar.update(fraction - shown_bar.n)

        yield show
        shown_bar.update(1.0 - shown_bar.n)
