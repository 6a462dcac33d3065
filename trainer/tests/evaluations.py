"""An evaluation as its Pod runs it: a folder with a recipe, a relay on loopback that answers as it is told to, and a gateway that keeps parts."""

import hashlib
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from gantry_trainer.evaluate.run import main

_ROOM = Path(__file__).resolve().parent.parent
_PATHS = os.pathsep.join([str(_ROOM), str(_ROOM.parent / "data-worker"), os.environ.get("PYTHONPATH", "")])


class Relay(http.server.ThreadingHTTPServer):
    """`answer` of a body gives a status and an object, or bytes."""

    daemon_threads = True
    # Callers of a load test come at once.
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Call)
        self.answer: Callable[[dict], tuple[int, object]] = echo
        self.asked: list[dict] = []
        self.keys: Counter[str] = Counter()
        self.turn = threading.Lock()
        # Called when so many requests have come.
        self.alarm: tuple[int, Callable[[], None]] | None = None
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def of(self, model: str) -> list[dict]:
        return [body for body in self.asked if body["model"] == model]

    def handle_error(self, request, client_address) -> None:
        """Whoever was killed hears nothing."""


class _Call(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Relay

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.turn:
            self.server.asked.append(body)
            self.server.keys[self.headers["gantry-unit"]] += 1
            if self.server.alarm and self.server.alarm[0] == len(self.server.asked):
                self.server.alarm[1]()
        status, told = self.server.answer(body)
        data = told if isinstance(told, bytes) else json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def said(content: object, usage: object = None, finish: str = "stop") -> tuple[int, dict]:
    told = {"choices": [{"message": {"content": content}, "finish_reason": finish}]}
    return 200, {**told, "usage": usage or {"prompt_tokens": 20, "completion_tokens": 5}}


def judged(**told: object) -> tuple[int, dict]:
    return said(json.dumps({"reason": "So it is.", **told}))


def prompt(body: dict) -> str:
    return body["messages"][-1]["content"]


def data(body: dict) -> dict:
    """What a judge is asked about."""
    return json.loads(body["messages"][1]["content"])


def echo(body: dict) -> tuple[int, dict]:
    """The expected answer of `rows_of`; the model called worse is wrong on each second row."""
    number = int(prompt(body).split()[-1].rstrip("?"))
    return said(f"It is {number + 1}." if body["model"] != "worse" or number % 2 else "I do not know.")


def rows_of(count: int) -> list[dict]:
    return [{"question": f"What follows {n}?", "answer": f"It is {n + 1}."} for n in range(count)]


class Ran:
    """What a run said, up to its end or its death."""

    def __init__(self, lines: list[dict], code: int) -> None:
        self.lines, self.code = lines, code

    def of(self, kind: str) -> list[dict]:
        return [line for line in self.lines if line["type"] == kind]

    @property
    def last(self) -> dict:
        return self.lines[-1]

    @property
    def units(self) -> list[dict]:
        return [unit for part in self.of("part") for unit in part["units"]]

    def score(self, subject: str = "0", task: str = "0") -> dict:
        return next(line for line in self.of("score") if (line["subject"], line["task"]) == (subject, task))


class WithEvaluation(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.relay = Relay()
        self.addCleanup(self.relay.server_close)
        self.addCleanup(self.relay.shutdown)
        self.kept: dict[str, list[str]] = {}
        self.recipe: dict = {}

    def given(self, rows: list[dict], metric: str = "ExactMatch", models: tuple[str, ...] = ("right",), **more: object) -> None:
        """One task on these rows."""
        path = self.root / "in" / "tables" / "0" / "00000-a.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows), path, compression="zstd")
        task = {"key": "0", "metric": metric, "parts": ["in/tables/0/00000-a.parquet"], "columns": {"prompt": "question", "answer": "answer"}}
        subjects = [{"key": str(n), "model": model} for n, model in enumerate(models)]
        self.recipe = {"kind": "Evaluation", "subjects": subjects, "tasks": [task], "seed": 7, "maxTokens": 64, **more}

    def _written(self) -> None:
        done = [{"path": path, "units": units} for path, units in self.kept.items()]
        (self.root / "in").mkdir(exist_ok=True)
        (self.root / "in" / "recipe.json").write_text(json.dumps({**self.recipe, "done": done}))

    def run_here(self) -> Ran:
        """In this process."""
        self._written()
        with tempfile.TemporaryFile() as journal:
            code = main(str(self.root), self.relay.address, 0.001, journal.fileno())
            journal.seek(0)
            return Ran([json.loads(line) for line in journal], code)

    def run_apart(self, requests: int, then: Callable[[subprocess.Popen], None]) -> Ran:
        """In a process of its own, to which something happens when so many requests have come. Parts are kept as soon as they are told."""
        self._written()
        command = [sys.executable, "-m", "gantry_trainer", "evaluate", f"--root={self.root}", f"--ask={self.relay.address}", "--back-off=0.01"]
        shell = ["/bin/sh", "-c", 'exec "$@" 3>&1 >&2', "sh", *command]
        child = subprocess.Popen(shell, stdout=subprocess.PIPE, cwd=_ROOM, env={**os.environ, "PYTHONPATH": _PATHS})
        self.relay.alarm = (len(self.relay.asked) + requests, lambda: then(child))
        lines = []
        try:
            for line in child.stdout:
                if line.endswith(b"\n"):
                    lines.append(json.loads(line))
                    self._keep(lines[-1])
            return Ran(lines, child.wait())
        finally:
            self.relay.alarm = None
            child.stdout.close()

    def keep(self, ran: Ran) -> None:
        """As the gateway would, of a run in this process."""
        for line in ran.lines:
            self._keep(line)

    def _keep(self, line: dict) -> None:
        if line["type"] != "part":
            return
        made = self.root / line["path"]
        told = made.read_bytes()
        assert hashlib.sha256(told).hexdigest() == line["sha256"] and len(told) == line["bytes"] <= 4 * 1024 * 1024
        path = f"in/parts/{line['sha256'][:32]}.parquet"
        (self.root / path).parent.mkdir(exist_ok=True)
        (self.root / path).write_bytes(told)
        made.unlink()
        self.kept[path] = [unit["unit"] for unit in line["units"]]

    def rows(self, ran: Ran, kind: str = "output") -> list[dict]:
        """Of a file that the journal names, checked against what it says of it."""
        (line,) = ran.of(kind)
        told = (self.root / line["path"]).read_bytes()
        self.assertEqual((hashlib.sha256(told).hexdigest(), len(told)), (line["sha256"], line["bytes"]))
        rows = pq.read_table(self.root / line["path"]).to_pylist()
        self.assertEqual(line["rows"], len(rows))
        return rows

    def done(self, ran: Ran) -> dict:
        self.assertEqual((ran.last["type"], ran.code), ("done", 0), ran.last)
        return ran.last

    def failed(self, ran: Ran, code: str, exit_code: int) -> dict:
        self.assertEqual((ran.last["type"], ran.last.get("code"), ran.code), ("failed", code, exit_code), ran.last)
        return ran.last
