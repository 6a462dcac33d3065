"""A task as its Pod runs it: a folder with a recipe, a model on loopback that answers as it is told to, and a gateway that keeps parts."""

import hashlib
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import unittest
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import duckdb

from gantry_worker.task.run import main

# As `contract/src/kinds/data-task.ts` has them.
EXITS = {"BadField": 65, "NoSuchColumn": 65, "TableBroken": 65, "TooManyUnits": 65}
EXITS |= {"NothingMade": 66, "TokenBudgetSpent": 66, "TooManyRejected": 67, "ModelRefused": 69}
_ROOM = Path(__file__).resolve().parent.parent
TEXT = "The river Aare flows through Bern. It ends in the Rhine.\n\nThe Rhine flows into the North Sea."


def rows_of(count: int) -> list[dict]:
    return [{"text": f"Row {n} tells of Place{n}."} for n in range(count)]


class Model(http.server.ThreadingHTTPServer):
    """`answer` of (path, body) gives a status and an object, or bytes. Without one, what a model that works says."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Call)
        self.answer = answered
        self.asked: list[tuple[str, dict]] = []
        self.keys: Counter[str] = Counter()
        self.turn = threading.Lock()
        # Called when so many requests have come.
        self.alarm: tuple[int, Callable[[], None]] | None = None
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address) -> None:
        """A worker that was killed hears nothing."""


class _Call(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.turn:
            self.server.asked.append((self.path, body))
            self.server.keys[self.headers["gantry-unit"]] += 1
            if self.server.alarm and self.server.alarm[0] == len(self.server.asked):
                self.server.alarm[1]()
        status, told = self.server.answer(self.path, body)
        data = told if isinstance(told, bytes) else json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def said(answer: object, finish: str = "stop", usage: dict | None = None) -> tuple[int, dict]:
    """What a chat model answers."""
    content = answer if isinstance(answer, str) else json.dumps(answer)
    told = {"choices": [{"message": {"content": content}, "finish_reason": finish}]}
    return 200, {**told, "usage": usage or {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}}


def paragraphs(body: dict) -> list[str]:
    return [one["text"] for one in json.loads(body["messages"][1]["content"])["paragraphs"]]


def vector(text: str, dimensions: int = 8) -> list[float]:
    """The same of the same text."""
    digest = hashlib.sha256(text.encode()).digest()
    return [(value - 127.5) / 100 for value in digest[:dimensions]]


def vectors(found: list[list[float]]) -> tuple[int, dict]:
    rows = [{"index": n, "embedding": one} for n, one in enumerate(found)]
    # Answers may come in any order.
    return 200, {"data": rows[::-1], "usage": {"prompt_tokens": 10 * len(rows), "total_tokens": 10 * len(rows)}}


def answered(path: str, body: dict) -> tuple[int, dict]:
    """A pair for each paragraph; an entity for each name in capitals, and relations between neighbours."""
    if path == "/v1/embeddings":
        return vectors([vector(text) for text in body["input"]])
    told = paragraphs(body)
    if "pairs" in body["response_format"]["json_schema"]["schema"]["properties"]:
        return said({"pairs": [{"question": f"What of {text[:40]}?", "answer": text[:80], "paragraph": n} for n, text in enumerate(told, 1)]})
    names = re.findall(r"\b[A-Z][A-Za-z]+\b", " ".join(told))
    entities = [{"name": name, "type": "thing", "description": f"{name} is named."} for name in dict.fromkeys(names)]
    relations = [{"source": one, "target": two, "type": "beside", "description": ""} for one, two in zip(names, names[1:], strict=False)]
    return said({"entities": entities, "relations": relations})


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


class WithTask(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "in" / "tables").mkdir(parents=True)
        self.model = Model()
        self.addCleanup(self.model.server_close)
        self.addCleanup(self.model.shutdown)
        self.kept: dict[str, list[str]] = {}

    def documents(self, *pages: tuple[str, str, int, str]) -> None:
        """(file, kind, page, text) each."""
        self._table([dict(zip(("file", "kind", "page", "text"), page, strict=True)) for page in pages], "documents")

    def table(self, rows: list[dict]) -> None:
        self._table(rows, "table")

    def sql(self, query: str, kind: str = "table") -> None:
        path = self.root / "in" / "tables" / "data.parquet"
        duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)")
        self._input = {"name": "a data set", "kind": kind, "parts": [{"path": "in/tables/data.parquet"}]}

    def _table(self, rows: list[dict], kind: str) -> None:
        lines = self.root / "rows.jsonl"
        lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
        self.sql(f"FROM read_json('{lines}', format = 'newline_delimited', maximum_object_size = 33554432)", kind)

    def recipe(self, kind: str, more: dict | None = None, **parameters: object) -> None:
        told = {"type": kind, "parameters": parameters, "model": "m", "embedding": "e", "input": self._input, **(more or {})}
        (self.root / "in" / "recipe.json").write_text(json.dumps(told))

    def run_here(self) -> Ran:
        """In this process: the whole task, without what an interpreter costs."""
        (self.root / "in" / "done.json").write_text(json.dumps([{"path": path, "units": units} for path, units in self.kept.items()]))
        with tempfile.TemporaryFile() as journal:
            code = main(str(self.root), self.model.address, 1_024, 0.001, journal.fileno())
            journal.seek(0)
            return Ran([json.loads(line) for line in journal], code)

    def run_and_kill(self, requests: int | None, seconds: float = 0) -> Ran:
        """In a process of its own, killed so long after so many requests. Parts are kept as the gateway keeps them: as soon as they are told."""
        (self.root / "in" / "done.json").write_text(json.dumps([{"path": path, "units": units} for path, units in self.kept.items()]))
        task = [sys.executable, "-m", "gantry_worker", "task", f"--root={self.root}", f"--ask={self.model.address}", "--back-off=0.01"]
        shell = ["/bin/sh", "-c", 'exec "$@" 3>&1 >&2', "sh", *task]
        child = subprocess.Popen(shell, stdout=subprocess.PIPE, cwd=_ROOM)
        clock = threading.Timer(seconds, child.kill)
        if requests is not None:
            # At once is before the request is answered, however slow the machine is.
            self.model.alarm = (len(self.model.asked) + requests, clock.start if seconds > 0 else child.kill)
        lines = []
        try:
            for line in child.stdout:
                if line.endswith(b"\n"):
                    lines.append(json.loads(line))
                    self._keep(lines[-1])
            return Ran(lines, child.wait())
        finally:
            clock.cancel()
            self.model.alarm = None
            child.stdout.close()

    def keep(self, ran: Ran) -> None:
        """As the gateway would, of a run in this process."""
        for line in ran.lines:
            self._keep(line)

    def _keep(self, line: dict) -> None:
        if line["type"] != "part":
            return
        made = self.root / line["path"]
        # A killed run may have told of a part that the next one has swept away.
        data = made.read_bytes()
        assert hashlib.sha256(data).hexdigest() == line["sha256"] and len(data) == line["bytes"]
        path = f"in/kept/{line['sha256'][:32]}"
        (self.root / path).parent.mkdir(exist_ok=True)
        (self.root / path).write_bytes(data)
        made.unlink()
        self.kept[path] = [unit["unit"] for unit in line["units"]]

    def rows(self, ran: Ran, name: str, columns: str = "*", kind: str = "output") -> list[tuple]:
        """Of an output that the journal names, checked against what it says of it."""
        found = [line for line in ran.of(kind) if Path(line["path"]).name.startswith(name)]
        self.assertTrue(found, f"no {name} in {ran.lines}")
        for line in found:
            data = (self.root / line["path"]).read_bytes()
            self.assertEqual((hashlib.sha256(data).hexdigest(), len(data)), (line["sha256"], line["bytes"]))
        rows = duckdb.sql(f"SELECT {columns} FROM read_parquet({[str(self.root / line['path']) for line in found]})").fetchall()
        self.assertEqual(sum(line["rows"] for line in found), len(rows))
        return rows

    def done(self, ran: Ran) -> dict:
        self.assertEqual((ran.last["type"], ran.code), ("done", 0), ran.last)
        # Whoever watches sees it come to its end, unless it ended early.
        if ran.last.get("ended") is None:
            last = ran.of("progress")[-1]
            self.assertEqual(last["done"], last["of"])
        return ran.last

    def failed(self, ran: Ran, code: str) -> dict:
        self.assertEqual((ran.last["type"], ran.last.get("code"), ran.code), ("failed", code, EXITS.get(code, 1)), ran.last)
        return ran.last
