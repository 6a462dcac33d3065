"""Runs tasks as children, so many at a time as the memory holds, and ends each that takes too long."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from .limits import LINE_BYTES
from .places import Places
from .problem import Problem
from .tasks import TASKS

# What the server itself and the pages that it hands out take.
_OWN_MB = 128
_PACKAGE_FOLDER = str(Path(__file__).resolve().parent.parent)


class Children:
    """`memory_mb` is that of the container. One place is kept free of long tasks, where there are two."""

    def __init__(self, places: Places, memory_mb: int, wait_seconds: float = 10) -> None:
        # All that the kernel lets a child have: what DuckDB counts is less.
        largest = max(task.limits.data_mb for task in TASKS.values())
        self.at_once = at_once = max(1, (memory_mb - _OWN_MB) // largest)
        self._places = places
        self._wait_seconds = wait_seconds
        self._any = threading.BoundedSemaphore(at_once)
        self._long = threading.BoundedSemaphore(max(1, at_once - 1))

    def run(self, name: str, request: dict, tell=lambda progress: None) -> dict:
        """The answer of the task. Raises its Problem; `tell` hears of progress, and may raise to end the task."""
        turns = [self._long, self._any] if TASKS[name].is_long else [self._any]
        taken = []
        try:
            for turn in turns:
                if not turn.acquire(timeout=self._wait_seconds):
                    raise Problem("Busy", "The data server is busy with other tasks: ask again in a while.", 503)
                taken.append(turn)
            with tempfile.TemporaryDirectory(dir=self._places.root / "tmp", ignore_cleanup_errors=True) as scratch:
                return self._run(name, request, tell, scratch)
        finally:
            for turn in taken:
                turn.release()

    def _run(self, name: str, request: dict, tell, scratch: str) -> dict:
        limits = TASKS[name].limits
        child = subprocess.Popen(
            [sys.executable, "-I", "-c", _START, _PACKAGE_FOLDER, *sys.path, "--", name, self._places.root, scratch],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"LC_ALL": "C.UTF-8", "TZ": "UTC", "OPENBLAS_NUM_THREADS": "1"},
            cwd=self._places.root,
            start_new_session=True,
        )
        is_late = threading.Event()
        clock = threading.Timer(limits.seconds, lambda: (is_late.set(), _kill(child)))
        last_words = _Tail(child.stderr)
        try:
            clock.start()
            _feed(child, request)
            answer = _listen(child, tell)
            if answer is None:
                # It is ending by itself, and how says why.
                child.wait(limits.seconds)
        finally:
            clock.cancel()
            _kill(child)
            child.wait()
            last_words.join()
            child.stdout.close()
        if answer is not None:
            return answer
        if is_late.is_set():
            raise Problem("TooSlow", f"It takes longer than {limits.seconds} seconds.", seconds=limits.seconds)
        raise _death(child.returncode, last_words.text)


# The child finds the package and its libraries where the server has them, and nothing else.
_START = """
import sys
end = sys.argv.index("--")
sys.path[:] = sys.argv[1:end]
from gantry_worker.child import main
main(*sys.argv[end + 1:])
"""


def _feed(child: subprocess.Popen, request: dict) -> None:
    try:
        child.stdin.write(json.dumps(request).encode())
        child.stdin.close()
    except BrokenPipeError:
        # It is gone already: its end says why.
        pass


def _listen(child: subprocess.Popen, tell) -> dict | None:
    """None: it ended without an answer. Who says what is no answer has not ended, and is not waited for."""
    while line := child.stdout.readline(LINE_BYTES):
        if not line.endswith(b"\n"):
            if len(line) == LINE_BYTES:
                raise Problem("AnswerTooLong", f"The answer has more than {LINE_BYTES} bytes.", most=LINE_BYTES)
            return None
        try:
            said = json.loads(line)
        except ValueError as error:
            raise _reader_died() from error
        if "done" in said:
            return said["done"]
        if "problem" in said:
            raise Problem.of_json(said["problem"])
        tell(said["progress"])
    return None


def _kill(child: subprocess.Popen) -> None:
    """With whatever it has started."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _death(code: int, words: str) -> Problem:
    """Signals of the limits are told apart from crashes."""
    print(f"a task ended with {code}: {words}", file=sys.stderr, flush=True)
    if code == -signal.SIGXCPU or code == -signal.SIGKILL:
        return Problem("TooSlow", "It takes more of the processor, or of the memory, than it may.")
    return _reader_died()


def _reader_died() -> Problem:
    return Problem("ReaderDied", "The program that reads the data broke down on it.")


class _Tail:
    """The last kilobytes of a stream, read so that nobody who writes to it has to wait."""

    def __init__(self, stream) -> None:
        self._stream = stream
        self._end = b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while piece := self._stream.read1(65_536):
            self._end = (self._end + piece)[-4_096:]
        self._stream.close()

    def join(self) -> None:
        self._thread.join()

    @property
    def text(self) -> str:
        return self._end.decode(errors="replace")
