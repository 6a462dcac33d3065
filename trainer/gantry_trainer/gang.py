"""The processes of a Pod, one for each of its GPUs: ranks count over all Pods. The first to fail ends the others, and its exit code is theirs."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from gantry_worker.task.journal import DESCRIPTOR

from .ending import ASKED_TO_END


PROGRAM = (sys.executable, "-m", "gantry_trainer")


def processes() -> int:
    """How many this Pod has to start; 1 in each of those that were started."""
    return 1 if "LOCAL_RANK" in os.environ else int(os.environ.get("PET_NPROC_PER_NODE", "1"))


def run_all(root: Path, descriptor: int, count: int) -> int:
    """The exit code: 128+n where signal n killed one. All have the journal, of which the first writes the points."""
    if descriptor != DESCRIPTOR:
        os.dup2(descriptor, DESCRIPTOR)
    started = {process.pid: process for process in (_start(root, at, count) for at in range(count))}
    is_asked = False

    def asked(number: int, frame: object) -> None:
        nonlocal is_asked
        is_asked = True
        _send(started.values(), number)

    signal.signal(signal.SIGTERM, asked)
    code = 0
    while started:
        pid, status = os.waitpid(-1, 0)
        if (process := started.pop(pid, None)) is None:
            continue
        ended = process.returncode = os.waitstatus_to_exitcode(status)
        ended = 128 - ended if ended < 0 else ended
        if code == 0:
            code = ended
        # Whoever is asked to end still makes its checkpoint; the others wait for one that is gone.
        if ended not in (0, ASKED_TO_END) or (ended == ASKED_TO_END and not is_asked):
            _send(started.values(), signal.SIGKILL)
    return code


def _start(root: Path, at: int, count: int) -> subprocess.Popen:
    node, nodes = (int(os.environ.get(name, default)) for name, default in (("NODE_RANK", "0"), ("NNODES", "1")))
    ranks = {"LOCAL_RANK": at, "LOCAL_WORLD_SIZE": count, "RANK": node * count + at, "WORLD_SIZE": nodes * count}
    return subprocess.Popen(
        [*PROGRAM, "train", f"--root={root}"],
        env={**os.environ, **{name: str(value) for name, value in ranks.items()}},
        pass_fds=(DESCRIPTOR,),
    )


def _send(to, number: int) -> None:
    for process in list(to):
        try:
            os.kill(process.pid, number)
        except ProcessLookupError:
            pass
