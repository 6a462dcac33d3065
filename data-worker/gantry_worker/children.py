"""Runs tasks as children, so many at a time as the memory holds, and ends each that takes too long."""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .limits import LASTING_SECONDS, LINE_BYTES, TaskLimits
from .places import Places
from .problem import Problem, too_much_memory
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
        # One that waits for the next request of its task, and since when.
        self._idle: tuple[str, _Child, float] | None = None
        self._turn = threading.Lock()
        # A child dies with the thread that started it, and the thread of a call ends with the call.
        self._starter = ThreadPoolExecutor(1)

    def run(self, name: str, request: dict, tell=lambda progress: None, caller: socket.socket | None = None) -> dict:
        """The answer of the task. Raises its Problem; `tell` hears of progress, and may raise to end the task.

        A caller that hangs up ends it too: ConnectionError.
        """
        turns = [self._long, self._any] if TASKS[name].is_long else [self._any]
        taken = []
        try:
            for turn in turns:
                if not turn.acquire(timeout=self._wait_seconds):
                    raise Problem("Busy", "The data server is busy with other tasks: ask again in a while.", 503)
                taken.append(turn)
            if TASKS[name].is_lasting:
                return self._run_lasting(name, request, tell, caller)
            with tempfile.TemporaryDirectory(dir=self._places.root / "tmp", ignore_cleanup_errors=True) as scratch:
                child = _Child(name, self._places, scratch)
                try:
                    return child.ask(request, tell, caller, is_last=True)
                except _Retired as error:
                    raise _reader_died() from error
                finally:
                    child.end()
        finally:
            for turn in taken:
                turn.release()

    def _run_lasting(self, name: str, request: dict, tell, caller: socket.socket | None) -> dict:
        """Such a task has no folder of its own. A child that ended by itself meanwhile has heard nothing: the next one is asked."""
        child = self._waiting(name)
        if child:
            try:
                return self._ask_lasting(child, name, request, tell, caller)
            except _Retired:
                pass
        fresh = self._starter.submit(_Child, name, self._places, str(self._places.root / "tmp")).result()
        return self._ask_lasting(fresh, name, request, tell, caller)

    def _waiting(self, name: str) -> "_Child | None":
        with self._turn:
            idle, self._idle = self._idle, None
        if idle and (idle[0] != name or not idle[1].is_alive):
            idle[1].end()
            return None
        return idle and idle[1]

    def _ask_lasting(self, child: "_Child", name: str, request: dict, tell, caller: socket.socket | None) -> dict:
        is_sound = False
        try:
            answer = child.ask(request, tell, caller, is_last=False)
            is_sound = True
            return answer
        except Problem as problem:
            # What the child itself says leaves it as it was.
            is_sound = problem.is_said
            raise
        finally:
            other: _Child | None = child
            if is_sound:
                with self._turn:
                    other, self._idle = self._idle and self._idle[1], (name, child, time.monotonic())
            if other:
                other.end()

    def sweep(self, unused_seconds: float = LASTING_SECONDS) -> None:
        """Ends what nobody has asked for so long."""
        with self._turn:
            if not self._idle or time.monotonic() - self._idle[2] < unused_seconds:
                return
            old, self._idle = self._idle[1], None
        old.end()


class _Retired(Exception):
    """It had ended well before it read the request."""


class _Child:
    """The process of a task. Whoever starts one ends it."""

    def __init__(self, name: str, places: Places, scratch: str) -> None:
        self._limits = TASKS[name].limits
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START, _PACKAGE_FOLDER, *sys.path, "--", name, places.root, scratch],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"LC_ALL": "C.UTF-8", "TZ": "UTC", "OPENBLAS_NUM_THREADS": "1"},
            cwd=places.root,
            start_new_session=True,
        )
        self._last_words = _Tail(self._process.stderr)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: dict, tell, caller: socket.socket | None, is_last: bool) -> dict:
        is_late = threading.Event()
        clock = threading.Timer(self._limits.seconds, lambda: (is_late.set(), _kill(self._process)))
        line = _Line(caller, lambda: _kill(self._process))
        try:
            clock.start()
            _feed(self._process, request, is_last)
            answer = _listen(self._process, tell)
            if answer is None:
                # It is ending by itself, and how says why.
                self._process.wait(self._limits.seconds)
        finally:
            clock.cancel()
            line.close()
        if answer is not None:
            return answer
        # What it has started may hold the stream open.
        _kill(self._process)
        self._last_words.join()
        if line.is_dead:
            raise ConnectionError("the caller is gone")
        if is_late.is_set():
            raise Problem("TooSlow", f"It takes longer than {self._limits.seconds} seconds.", seconds=self._limits.seconds)
        if self._process.returncode == 0:
            raise _Retired
        raise _death(self._process.returncode, self._last_words.text, self._limits)

    def end(self) -> None:
        _kill(self._process)
        self._process.wait()
        self._last_words.join()
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()


# The child finds the package and its libraries where the server has them, and nothing else.
_START = """
import sys
end = sys.argv.index("--")
sys.path[:] = sys.argv[1:end]
from gantry_worker.child import main
main(*sys.argv[end + 1:])
"""


def _feed(child: subprocess.Popen, request: dict, is_last: bool) -> None:
    try:
        child.stdin.write(json.dumps(request).encode() + b"\n")
        child.stdin.flush()
        if is_last:
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
            problem = Problem.of_json(said["problem"])
            problem.is_said = True
            raise problem
        tell(said["progress"])
    return None


def _kill(child: subprocess.Popen) -> None:
    """With whatever it has started."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _death(code: int, words: str, limits: TaskLimits) -> Problem:
    """Signals of the limits are told apart from crashes."""
    print(f"a task ended with {code}: {words}", file=sys.stderr, flush=True)
    if code == -signal.SIGXCPU:
        return Problem("TooSlow", f"It takes more than {limits.cpu_seconds} seconds of the processor.", seconds=limits.cpu_seconds)
    # Nobody but the kernel kills a task so: the node, or the container, has no more memory.
    if code == -signal.SIGKILL:
        return too_much_memory(limits.engine_mb)
    return _reader_died()


def _reader_died() -> Problem:
    return Problem("ReaderDied", "The program that reads the data broke down on it.")


class _Line:
    """The connection of a caller who waits: what comes on it before the answer is its end."""

    _LOOK_SECONDS = 0.5

    def __init__(self, caller: socket.socket | None, died) -> None:
        self._caller, self._died = caller, died
        self.is_dead = False
        self._is_over = threading.Event()
        if caller is not None:
            self._thread = threading.Thread(target=self._look, daemon=True)
            self._thread.start()

    def close(self) -> None:
        self._is_over.set()
        if self._caller is not None:
            self._thread.join()

    def _look(self) -> None:
        while not self._is_over.wait(self._LOOK_SECONDS):
            if not select.select([self._caller], [], [], 0)[0]:
                continue
            try:
                self.is_dead = self._caller.recv(1, socket.MSG_PEEK) == b""
            except OSError:
                self.is_dead = True
            if self.is_dead:
                self._died()
            # Otherwise the next request is there already: its sender waits.
            return


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
