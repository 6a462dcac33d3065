"""A data server of its own for each class of tests, spoken to over HTTP as the gateway does."""

import http.client
import importlib
import json
import tempfile
import threading
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

from gantry_worker.server import Server
from gantry_worker.tasks import TASKS, Job

TOKEN = "t" * 40
PATIENCE = 600
MIB = 1024 * 1024


class Answer:
    def __init__(self, status: int, body: bytes, headers) -> None:
        self.status, self.body, self.headers = status, body, headers

    @property
    def json(self) -> dict:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        return self.json["problem"]["code"]


class WithServer(unittest.TestCase):
    # Tasks that run in this process: where the test asks for no limits of the kernel, a child costs half a second for nothing.
    here: tuple[str, ...] = ()
    # How long a task may take is what is tested.
    is_timed = False
    memory_mb = 2_048
    disk_mb = 4_096

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.server = Server(("127.0.0.1", 0), cls.folder.name, TOKEN, cls.memory_mb, cls.disk_mb)
        # Other tests run on this machine: whoever waits for a turn is not late, nor what starts or answers slowly.
        cls.server.children._wait_seconds = PATIENCE
        patient = {name: replace(task, limits=replace(task.limits, seconds=PATIENCE)) for name, task in TASKS.items()}
        if not cls.is_timed:
            cls.enterClassContext(mock.patch.dict(TASKS, patient))
            for name in ("query.QUERY_SECONDS", "find.SEARCH_SECONDS", "search.SEARCH_SECONDS", "documents.DOCUMENT_SECONDS"):
                cls.enterClassContext(mock.patch(f"gantry_worker.{name}", PATIENCE))
        cls.server.children.run = cls._run_or_start(cls.server.children.run)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)

    @classmethod
    def _run_or_start(cls, start):
        def run(name: str, request: dict, tell=lambda _: None, caller=None) -> dict:
            if name not in cls.here:
                return start(name, request, tell, caller)
            task, places = TASKS[name], cls.server.places
            with tempfile.TemporaryDirectory(dir=places.root / "tmp") as scratch:
                module = importlib.import_module(f"gantry_worker.{task.module}")
                return module.run(Job(places, request, task.limits, Path(scratch), tell))

        return run

    def call(self, method: str, path: str, body: object = None, token: str = TOKEN) -> Answer:
        connection = http.client.HTTPConnection(*self.server.server_address, timeout=300)
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        try:
            connection.request(method, path, data, {"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            return Answer(answer.status, answer.read(), answer.headers)
        finally:
            connection.close()

    def put(self, path: str, content: bytes | str) -> None:
        data = content.encode() if isinstance(content, str) else content
        self.call("DELETE", f"/file?path={path}")
        for at in range(0, len(data) or 1, 32 * MIB):
            answer = self.call("PUT", f"/file?path={path}&offset={at}", data[at : at + 32 * MIB])
            self.assertEqual(answer.status, 200, answer.body)

    def profile(self, *contents: bytes | str, names: tuple[str, ...] = ("data",), **more: object) -> dict:
        """The last line of the answer: {"done": …} or {"problem": …}."""
        name = self.id().rpartition(".")[2]
        inputs = []
        for number, (content, label) in enumerate(zip(contents, names, strict=True)):
            self.put(f"in/{name}/{number}", content)
            inputs.append({"path": f"in/{name}/{number}", "name": label})
        self.call("DELETE", f"/file?path=out/{name}")
        answer = self.call("POST", "/profile", {"out": f"out/{name}", "inputs": inputs, **more})
        self.assertEqual(answer.status, 200, answer.body)
        lines = [json.loads(line) for line in answer.body.splitlines()]
        self.assertTrue(all("progress" in line for line in lines[:-1]))
        return lines[-1]

    def facts(self, *contents: bytes | str, **more: object) -> dict:
        last = self.profile(*contents, **more)
        self.assertIn("done", last, last)
        return last["done"]

    def problem(self, *contents: bytes | str, **more: object) -> str:
        """Its code; there is a sentence, and no word of where files are."""
        last = self.profile(*contents, **more)
        self.assertIn("problem", last)
        self.assertRegex(last["problem"]["sentence"], r"\w.*\w")
        self.assertNotIn(self.folder.name, last["problem"]["sentence"])
        return last["problem"]["code"]

    def query(self, sql: str, facts: dict) -> Answer:
        return self.call("POST", "/query", {"sql": sql, "tables": {"data": parts(facts)}})

    def all_refused(self, codes: dict[str, str], facts: dict) -> None:
        """Each SQL with its code, or one of several, and a sentence."""
        for sql, code in codes.items():
            with self.subTest(sql):
                answer = self.query(sql, facts)
                self.assertIn(answer.status, (400, 422))
                self.assertIn(answer.code, code.split(), answer.body)
                self.assertNotIn(self.folder.name, answer.json["problem"]["sentence"])
        self.is_sound()

    def rows(self, facts: dict, kind: str = "data", columns: str = "*") -> list:
        answer = self.call("POST", "/query", {"sql": f"SELECT {columns} FROM t", "tables": {"t": parts(facts, kind)}})
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json["rows"]

    def rejects(self, facts: dict) -> list:
        """Line and code of each."""
        return self.rows(facts, "rejected", "line, code") if facts["rejected"] else []

    def is_sound(self) -> None:
        """Whatever was sent to it, the server goes on."""
        self.assertEqual(self.call("GET", "/status").status, 200)
        self.assertEqual(list(Path(self.folder.name, "tmp").iterdir()), [])


def parts(facts: dict, kind: str = "data") -> list[str]:
    return [part["path"] for part in facts["parts"] if part["kind"] == kind]
