"""Asks the agent for models. It retries what may pass, ends the run where every other call would be refused too, and keeps to the budget."""

import http.client
import json
import random
import socket
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from ..limits import CALL_SECONDS, MIB, MODEL_ANSWER_BYTES, TRIES
from ..problem import Problem

_WAIT_MOST = 30
_REQUEST_BYTES = MIB
# Nobody will answer the next unit either.
_HOPELESS = (401, 402, 403, 404)


class UnitFailed(Exception):
    """One unit's problem. `reason` is a code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BudgetSpent(Exception):
    """The next call could use more tokens than are left."""


@dataclass(frozen=True)
class Answer:
    """An object, and how long it took: of several tries the last one."""

    told: dict
    seconds: float


class Budget:
    """Tokens as models count them. What is under way counts by its estimate."""

    def __init__(self, most: int | None, spent: int) -> None:
        self.most, self.spent = most, spent
        self.input = self.output = 0
        self.is_spent = False
        self._under_way = 0
        self._turn = threading.Lock()

    @contextmanager
    def reserved(self, estimate: int):
        with self._turn:
            if self.is_spent or (self.most is not None and self.spent + self._under_way + estimate > self.most):
                self.is_spent = True
                raise BudgetSpent
            self._under_way += estimate
        try:
            yield
        finally:
            with self._turn:
                self._under_way -= estimate

    def use(self, input: int, output: int) -> None:
        with self._turn:
            self.input += input
            self.output += output
            self.spent += input + output


class Model:
    """`back_off` is in seconds, before the first repetition; it doubles."""

    def __init__(self, ask: str, budget: Budget, back_off: float = 1) -> None:
        self._address = urlsplit(ask)
        self.budget = budget
        self._back_off = back_off
        # What every other call would hear.
        self.hopeless: Problem | None = None
        self._closed = threading.Event()
        # Under way. A signal handler may close while its own thread does.
        self._connections: set[http.client.HTTPConnection] = set()
        self._turn = threading.RLock()

    @property
    def ends(self) -> bool:
        """No other call would be answered."""
        return self.budget.is_spent or self.hopeless is not None or self._closed.is_set()

    def post(self, path: str, body: dict, key: str, input: int, output: int) -> dict:
        """The answer, an object. `input` and `output` are estimates of its tokens. Raises UnitFailed, BudgetSpent or a Problem."""
        return self.answer(path, body, key, input, output).told

    def answer(self, path: str, body: dict, key: str, input: int, output: int, tries: int = TRIES) -> Answer:
        """The same with its time. Without a key nothing that was answered before is an answer."""
        data = json.dumps(body, ensure_ascii=False).encode()
        if len(data) > _REQUEST_BYTES:
            raise UnitFailed("TooLong")
        with self.budget.reserved(input + output):
            status = 0
            for turn in range(tries):
                if self._closed.is_set():
                    raise BudgetSpent
                if self.hopeless:
                    raise self.hopeless
                began = time.monotonic()
                status, after, answer = self._once(path, data, key)
                if status == 200:
                    seconds = time.monotonic() - began
                    told = _object(answer)
                    self.budget.use(*usage_of(told, input, output))
                    return Answer(told, seconds)
                if status in _HOPELESS:
                    told = f"The model cannot be asked: {_message(answer) or f'the answer has status {status}'}."
                    self.hopeless = Problem("ModelRefused", told, status=status)
                    raise self.hopeless
                if status not in (0, 408, 429) and status < 500:
                    raise UnitFailed("ModelRefusedText")
                if turn + 1 < tries:
                    wait = self._back_off * min(_WAIT_MOST, 2**turn) * (0.5 + random.random() / 2)
                    self._closed.wait(max(wait, min(after * self._back_off, 60)))
            if self._closed.is_set():
                raise BudgetSpent
            raise UnitFailed("ModelBusy" if status == 429 else "ModelFailed")

    def close(self) -> None:
        """Nobody waits for an answer any more: calls that are under way end now."""
        self._closed.set()
        with self._turn:
            for connection in self._connections:
                if connection.sock:
                    with suppress(OSError):
                        connection.sock.shutdown(socket.SHUT_RDWR)

    def _once(self, path: str, data: bytes, key: str) -> tuple[int, float, bytes]:
        """Status, seconds to wait, body. Status 0: nobody answered."""
        connection = http.client.HTTPConnection(self._address.hostname, self._address.port, timeout=CALL_SECONDS)
        with self._turn:
            self._connections.add(connection)
        try:
            connection.connect()
            if self._closed.is_set():
                return 0, 0, b""
            connection.request("POST", path, data, {"Content-Type": "application/json", **({"Gantry-Unit": key} if key else {})})
            answer = connection.getresponse()
            body = answer.read(MODEL_ANSWER_BYTES + 1)
            after = answer.headers.get("Retry-After", "")
            seconds = float(after) if after.isascii() and after.isdigit() and len(after) < 6 else 0
            return (413, 0, b"") if len(body) > MODEL_ANSWER_BYTES else (answer.status, seconds, body)
        except (OSError, http.client.HTTPException):
            return 0, 0, b""
        finally:
            with self._turn:
                self._connections.discard(connection)
            connection.close()


def _object(answer: bytes) -> dict:
    try:
        told = json.loads(answer)
    except (ValueError, RecursionError):
        told = None
    return told if isinstance(told, dict) else {}


def usage_of(told: dict, input: int, output: int) -> tuple[int, int]:
    """Tokens in and out: as the answer says, else as they were estimated."""
    usage = told.get("usage")
    found = [usage.get(name) if isinstance(usage, dict) else None for name in ("prompt_tokens", "completion_tokens")]
    if found[1] is None and found[0] is not None:
        found[1] = 0
    return tuple(
        value if type(value) is int and 0 <= value < 10**9 else estimate
        for value, estimate in zip(found, (input, output), strict=True)
    )


def _message(answer: bytes) -> str:
    error = _object(answer).get("error")
    text = error.get("message") if isinstance(error, dict) else None
    return text[:200].strip(" .") if isinstance(text, str) else ""
