"""One task in a process of its own: a crash, a leak or an endless loop in a native parser ends this process and nothing else.

Reads the request from standard input, and writes lines of JSON: {"progress": …}, and at last {"done": …} or {"problem": …}.
"""

import ctypes
import importlib
import json
import os
import resource
import signal
import sys
import threading
from pathlib import Path

from .limits import MIB, TaskLimits
from .places import Places
from .problem import NO_ROOM, Problem, disk_full
from .tasks import TASKS, Job

_PR_SET_PDEATHSIG = 1


def main(name: str, root: str, scratch: str) -> None:
    """The limits come first: whatever is loaded afterwards has them."""
    task = TASKS[name]
    _confine(task.limits)
    tell = _channel()
    request = json.load(sys.stdin)
    try:
        run = importlib.import_module(f".{task.module}", __package__).run
        job = Job(Places(root), request, task.limits, Path(scratch), lambda progress: tell({"progress": progress}))
        tell({"done": run(job)})
    except Problem as problem:
        tell({"problem": {**problem.as_json(), "status": problem.status}})
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        full = disk_full()
        tell({"problem": {**full.as_json(), "status": full.status}})
    except (MemoryError, RecursionError):
        tell({"problem": {**too_much_memory(task.limits).as_json(), "status": 422}})
    # Threads of native code may not let go of the interpreter.
    os._exit(0)


def too_much_memory(limits: TaskLimits) -> Problem:
    return Problem("TooMuchMemory", f"It takes more than {limits.engine_mb} MiB of memory.", mib=limits.engine_mb)


def _confine(limits: TaskLimits) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    for what, most in (
        (resource.RLIMIT_DATA, limits.data_mb * MIB),
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 1_024),
    ):
        resource.setrlimit(what, (most, most))


def _channel():
    """Standard output is the parent's: what libraries print goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    turn = threading.Lock()

    def tell(line: dict) -> None:
        # A thread tells of progress beside the one that works.
        with turn:
            out.write(json.dumps(line) + "\n")
            out.flush()

    return tell

