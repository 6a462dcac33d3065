"""One task in a process of its own: a crash, a leak or an endless loop in a native parser ends this process and nothing else.

Reads a line with the request from standard input, and writes lines of JSON: {"progress": …}, and at last {"done": …} or {"problem": …}. Some
tasks then wait for the next request.
"""

import contextlib
import ctypes
import importlib
import json
import os
import resource
import signal
import sys
import threading
from pathlib import Path

from .limits import KIB, LASTING_CPU_SECONDS, LASTING_MB, MIB, TaskLimits
from .places import Places
from .problem import NO_ROOM, Problem, disk_full, too_much_memory
from .tasks import TASKS, Job, Task

_PR_SET_PDEATHSIG = 1


def main(name: str, root: str, scratch: str) -> None:
    """The limits come first: whatever is loaded afterwards has them."""
    task = TASKS[name]
    _confine(task.limits)
    tell = _channel()
    for line in sys.stdin.buffer:
        _answer(task, Places(root), json.loads(line), Path(scratch), tell)
        if not task.is_lasting or _is_worn():
            break
    # Threads of native code may not let go of the interpreter.
    os._exit(0)


def _answer(task: Task, places: Places, request: dict, scratch: Path, tell) -> None:
    try:
        run = importlib.import_module(f".{task.module}", __package__).run
        tell({"done": run(Job(places, request, task.limits, scratch, lambda progress: tell({"progress": progress})))})
    except Problem as problem:
        tell({"problem": {**problem.as_json(), "status": problem.status}})
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        full = disk_full()
        tell({"problem": {**full.as_json(), "status": full.status}})
    except (MemoryError, RecursionError):
        tell({"problem": {**too_much_memory(task.limits.engine_mb).as_json(), "status": 422}})


def _is_worn() -> bool:
    """What a request leaves behind is nobody's while others need the memory."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    own = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("RssAnon"))
    return used.ru_utime + used.ru_stime > LASTING_CPU_SECONDS or int(own.split()[1]) > LASTING_MB * KIB


def _confine(limits: TaskLimits) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # Where memory runs out all the same, the server is not what the kernel ends.
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
    for what, soft, hard in (
        (resource.RLIMIT_DATA, limits.data_mb * MIB, limits.data_mb * MIB),
        # SIGXCPU comes at the first of them, SIGKILL at the second: alone, the first says what it was.
        (resource.RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 5),
        (resource.RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, 1_024, 1_024),
    ):
        resource.setrlimit(what, (soft, hard))


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

