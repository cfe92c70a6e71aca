"""Loads the kernels for this machine's processor: a wheel has them for x86-64-v2, -v3 and -v4.

The extension needs a library of the name libdalembert_kernels.so; the one that was loaded before it is it. Levels differ in the
last bits of their numbers, by far less than a run's tolerance; a level gives the same bits on every machine.
DALEMBERT_LEVEL=v2 asks for one of them.
"""

from __future__ import annotations

import ctypes
import os
import platform
from pathlib import Path

_V2 = {"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"}
_V3 = _V2 | {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}
_V4 = _V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
_NEEDED = {"v2": _V2, "v3": _V3, "v4": _V4}  # as Linux calls them

level = ""
"""The level that was loaded; empty where the extension has but one kind of code."""


def _flags() -> set[str]:
    """Of the first processor, which its description begins with."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as description:
            start = description.read(8192)
    except OSError:
        return set()
    line = next((line for line in start.splitlines() if line.startswith("flags")), "")
    return set(line.partition(":")[2].split())


def _chosen(there: list[str]) -> str:
    wanted = os.environ.get("DALEMBERT_LEVEL", "")
    flags = _flags()
    if wanted:
        if wanted not in there:
            raise ImportError(f"DALEMBERT_LEVEL={wanted}: this package has {', '.join(there)}")
        missing = sorted(_NEEDED[wanted] - flags)
        if missing:
            raise ImportError(f"DALEMBERT_LEVEL={wanted}: this processor has no {', '.join(missing)}")
        return wanted
    possible = [one for one in there if _NEEDED[one] <= flags]
    if possible:
        return possible[-1]
    raise ImportError(f"dalembert needs an x86-64-{there[0]} processor; {platform.processor() or 'this one'} is older")


def load() -> None:
    global level
    folder = Path(__file__).parent / "lib"
    there = [one for one in _NEEDED if (folder / one / "libdalembert_kernels.so").exists()]
    if there:
        level = _chosen(there)
        ctypes.CDLL(str(folder / level / "libdalembert_kernels.so"))
