"""The tasks, as rows: what each may take, and the function that does it, which only the child's process loads."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .limits import GIB, LASTING_CPU_SECONDS, MIB, PREVIEW_SECONDS, QUERY_SECONDS, SEARCH_SECONDS, TUNE_SECONDS, TaskLimits
from .places import Places


@dataclass(frozen=True)
class Job:
    """What a task is given. `scratch` is a folder of its own that is gone when it is, however it ends."""

    places: Places
    request: dict
    limits: TaskLimits
    scratch: Path
    # Hears of progress: {step, done?, of?}.
    tell: Callable[[dict], None]


@dataclass(frozen=True)
class Task:
    """`module` has `run(job)`: it returns the answer, or raises a Problem."""

    module: str
    limits: TaskLimits
    # It goes on for minutes: such tasks leave room for those that people wait for.
    is_long: bool = False
    # Its process answers the next request, too: starting one takes longer than the task.
    is_lasting: bool = False


# A child has a few seconds to say itself that its time is over.
_GRACE = 5

TASKS = {
    "profile": Task("profiling", TaskLimits(seconds=3_600, cpu_seconds=3_600, file_bytes=24 * GIB), is_long=True),
    "query": Task("query", TaskLimits(QUERY_SECONDS + _GRACE, 4 * QUERY_SECONDS, file_bytes=0)),
    "find": Task("find", TaskLimits(2 * SEARCH_SECONDS + _GRACE, 4 * SEARCH_SECONDS, file_bytes=0)),
    "search": Task("search", TaskLimits(SEARCH_SECONDS + _GRACE, 4 * SEARCH_SECONDS, file_bytes=0)),
    # The processor's time of all its requests: each has its own seconds.
    "retrieve": Task("retrieve", TaskLimits(2 * SEARCH_SECONDS + _GRACE, LASTING_CPU_SECONDS + 60, file_bytes=0), is_lasting=True),
    "preview": Task("task.preview", TaskLimits(PREVIEW_SECONDS + _GRACE, 2 * PREVIEW_SECONDS, file_bytes=64 * MIB)),
    "tune": Task("tune.preview", TaskLimits(TUNE_SECONDS + _GRACE, TUNE_SECONDS, file_bytes=0)),
    "diff": Task("difference", TaskLimits(seconds=600, cpu_seconds=600, file_bytes=4 * GIB), is_long=True),
}
