"""The child that reads tables and renders rows: a template with an endless loop, or a table that crashes its reader, ends the child."""

import json
import mmap
import os
import resource
import signal
from collections.abc import Callable, Iterator
from typing import BinaryIO

from gantry_worker.problem import Problem

from .limits import RENDER_BYTES


class Clock:
    """The kernel ends the child when a row takes too long: no loop in C outlives that."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        # Shared with the parent.
        self._row = mmap.mmap(-1, 8)

    @property
    def row(self) -> int:
        return int.from_bytes(self._row[:8], "little")

    def begins(self, row: int) -> None:
        self._row[:8] = row.to_bytes(8, "little")
        signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def rests(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)


Say = Callable[[dict], None]


def in_child(work: Callable[[Clock, Say], None], seconds: float) -> Iterator[dict]:
    """What `work` says, as it says it. Raises the Problem with which it ended, or what its death means."""
    clock = Clock(seconds)
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        _run(work, clock, write_end)
    os.close(write_end)
    problem: Problem | None = None
    try:
        with os.fdopen(read_end, "rb") as said:
            for line in said:
                told = json.loads(line)
                if "problem" in told:
                    problem = Problem.of_json(told["problem"])
                else:
                    yield told
    finally:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    if problem:
        raise problem
    if status != 0:
        raise _death(status, clock)


def _death(status: int, clock: Clock) -> Problem:
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        rule = f"did not end within {clock._seconds:g} s on row {clock.row}"
        return Problem("TemplateBroken", f"The base's chat template {rule}.", row=clock.row, seconds=clock._seconds)
    how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"code {os.waitstatus_to_exitcode(status)}"
    return Problem("TableBroken", f"The rows cannot be read: their reader ended with {how} at row {clock.row}.", row=clock.row)


def _run(work: Callable[[Clock, Say], None], clock: Clock, write_end: int) -> None:
    """Never returns."""
    code = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_DATA, (RENDER_BYTES, RENDER_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        said = os.fdopen(write_end, "wb", buffering=0)
        try:
            work(clock, lambda told: _say(said, told))
            code = 0
        except Problem as problem:
            _say(said, {"problem": {**problem.as_json(), "status": problem.status}})
            code = 0
        except MemoryError:
            _say(said, {"problem": Problem("TemplateBroken", "A row takes too much memory to render.").as_json()})
            code = 0
    except BaseException as error:  # noqa: BLE001 nothing may return into the parent's code
        os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(code)


def _say(said: BinaryIO, told: dict) -> None:
    said.write(json.dumps(told).encode() + b"\n")
