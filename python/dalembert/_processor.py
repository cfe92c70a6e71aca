"""Loads the extension for this machine's processor: a wheel has one for every x86-64-v2 and a faster one for x86-64-v3.

They differ in the last bits of their numbers. DALEMBERT_LEVEL=v2 asks for the plain one.
"""

from __future__ import annotations

import importlib
import os
import sys

_V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}


def _flags() -> set[str]:
    """Of the first processor, which its description begins with."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as description:
            start = description.read(8192)
    except OSError:
        return set()
    line = next((line for line in start.splitlines() if line.startswith("flags")), "")
    return set(line.partition(":")[2].split())


def _candidates() -> list[str]:
    wanted = os.environ.get("DALEMBERT_LEVEL", "")
    if wanted == "v2" or (wanted != "v3" and not _V3 <= _flags()):
        return ["_dalembert"]
    return ["_dalembert_v3", "_dalembert"]


def load() -> None:
    for name in _candidates():
        try:
            extension = importlib.import_module(f"{__package__}.{name}")
        except ModuleNotFoundError as error:
            if error.name == f"{__package__}.{name}" and name != "_dalembert":
                continue
            raise
        sys.modules[f"{__package__}._dalembert"] = extension
        sys.modules[__package__]._dalembert = extension
        return
