"""The blocks of a study as tasks of an executor: how far they are, and what is there when they are stopped."""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from functools import lru_cache, partial
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

from . import _dalembert, _values
from ._errors import Error, Warning
from ._progress import rows_bar

MOST_TASKS = 512  # of an executor: each is sent the whole text of the study


@lru_cache(maxsize=4)
def study_of(description: str) -> _dalembert.Study:
    """One for all blocks that a process gets."""
    return _dalembert.study(description)


class Rows(NamedTuple):
    """Of some blocks: [row][column], [row][function][time], and the reasons of those that did not finish."""

    numbers: np.ndarray
    motions: np.ndarray
    reasons: list[tuple[int, str]]


def _run_blocks(description: str, first: int, end: int) -> Rows:
    return _joined([Rows(*study_of(description).run(number)) for number in range(first, end)])


def _joined(parts: list[Rows]) -> Rows:
    numbers, motions = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    return Rows(numbers, motions, [one for part in parts for one in part.reasons])


def check_executor(executor: Any) -> None:
    if executor is None or isinstance(executor, Executor):
        return
    if hasattr(executor, "get_executor"):
        raise TypeError("executor takes an executor: of a Dask client give client.get_executor()")
    raise TypeError(f"executor takes a concurrent.futures.Executor, not {type(executor).__name__}")


def all_rows(description: str, executor: Executor | None, progress: Any) -> Rows:
    """In their order; without an executor threads share the blocks."""
    study = study_of(description)
    stop = _dalembert.Stop()
    progress = _values.function("progress", progress, True)
    with rows_bar() if progress is True else nullcontext(progress) as tell:
        if executor is None:
            with ThreadPoolExecutor(os.cpu_count()) as threads:
                run = lambda first, end: _joined([Rows(*study.run(n, stop)) for n in range(first, end)])
                return _joined(_Tasks(study, threads, run, 1, stop).results(tell))
        size = -(-study.blocks // MOST_TASKS)
        return _joined(_Tasks(study, executor, partial(_run_blocks, description), size, None).results(tell))


class _Tasks:
    """Each computes `size` blocks; those that look at `stop` end when it is set."""

    def __init__(self, study: Any, executor: Executor, run: Callable[[int, int], Rows], size: int, stop: Any):
        self._study = study
        self._stop = stop
        self._parts = [(first, min(first + size, study.blocks)) for first in range(0, study.blocks, size)]
        self._futures: list[Future] = []
        self._executor = executor
        self._run = run

    def results(self, tell: Callable[[int, int], Any] | None) -> list[Rows]:
        try:
            self._start()
            goes_on = self._follow(tell)
        except KeyboardInterrupt:
            goes_on = False
        except BaseException:
            self._end()
            raise
        if goes_on:
            return [self._result(future) for future in self._futures]
        self._end()
        return self._kept()

    def _start(self) -> None:
        try:
            for part in self._parts:
                self._futures.append(self._executor.submit(self._run, *part))
        except BrokenExecutor as error:
            raise Error(f"the executor broke before all rows were there: {error}") from error
        except RuntimeError as error:
            if "shutdown" not in str(error):
                raise
            raise Error("the executor is shut down: it takes no more tasks") from error

    def _follow(self, tell: Callable[[int, int], Any] | None) -> bool:
        """Until all are done; False: `tell` wants no more."""
        ended: SimpleQueue = SimpleQueue()
        rows = {id(future): self._rows(part) for future, part in zip(self._futures, self._parts)}
        for future in self._futures:
            future.add_done_callback(ended.put)
        done = 0
        for _ in self._futures:
            future = ended.get()
            self._result(future)
            done += rows[id(future)]
            if tell is not None and tell(done, self._study.rows) is False:
                return done == self._study.rows
        return True

    def _rows(self, part: tuple[int, int]) -> int:
        first, end = part
        return min(end * _dalembert.BLOCK_ROWS, self._study.rows) - first * _dalembert.BLOCK_ROWS

    def _result(self, future: Future) -> Rows:
        try:
            return future.result()
        except BrokenExecutor as error:
            raise Error(f"the executor broke before all rows were there: {error}") from error
        except CancelledError as error:
            raise Error("the executor was shut down before all rows were there") from error
        except pickle.PicklingError as error:
            raise Error(f"the executor cannot send a task of the study: {error}") from error

    def _end(self) -> None:
        for future in self._futures:
            future.cancel()
        if self._stop is not None:
            self._stop.set()
            wait(self._futures)

    def _kept(self) -> list[Rows]:
        """What is there, and rows that say that they were interrupted."""
        futures = [*self._futures, *[None] * (len(self._parts) - len(self._futures))]
        there = [future is not None and future.done() and _is_answer(future) for future in futures]
        rows = [
            future.result() if is_there else self._interrupted(part)
            for future, is_there, part in zip(futures, there, self._parts)
        ]
        missing = sum(reason == "interrupted" for part in rows for _, reason in part.reasons)
        warnings.warn(f"interrupted: {missing} of {self._study.rows} runs are missing", Warning, stacklevel=6)
        return rows

    def _interrupted(self, part: tuple[int, int]) -> Rows:
        return _joined([Rows(*self._study.run(number, None, False)) for number in range(*part)])


def _is_answer(future: Future) -> bool:
    return not future.cancelled() and future.exception() is None
