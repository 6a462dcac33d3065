"""The server itself: paths, pieces, the token, bounds, and children that die."""

import errno
import io
import os
import socket
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

from gantry_worker import tasks
from gantry_worker.children import Children
from gantry_worker.disk import Disk
from gantry_worker.limits import TaskLimits
from gantry_worker.places import Places
from gantry_worker.problem import Problem
from gantry_worker.server import Server

from .worker import TOKEN, WithServer

BAD_PATHS = (
    "in/../out/x",
    "../in/x",
    "/etc/passwd",
    "in",
    "in/",
    "in//x",
    "in/./x",
    "in/.hidden",
    "in/a%00b",
    "in/%E2%80%AEgnp",
    "in/e%CC%81",
    "in/a%5Cb",
    "tmp/x",
    "in/" + "a/" * 8 + "a",
    "in/" + "a" * 129,
    "",
)


class Files(WithServer):
    disk_mb = 64

    def test_paths_that_could_lead_elsewhere_are_refused(self) -> None:
        for path in BAD_PATHS:
            with self.subTest(path):
                for method in ("PUT", "DELETE"):
                    answer = self.call(method, f"/file?path={path}", b"x" if method == "PUT" else None)
                    self.assertEqual((answer.status, answer.code), (400, "BadField"))
                self.assertEqual(self.call("GET", f"/file?path={path.replace('in', 'out', 1)}").status, 400)

    def test_links_are_not_followed(self) -> None:
        out = Path(self.folder.name, "out")
        (out / "link").symlink_to("/etc/passwd")
        (out / "folder").symlink_to("/etc")
        os.mkfifo(out / "pipe")
        for path in ("out/link", "out/folder/passwd", "out/pipe", "out/nowhere", "out/link/x"):
            self.assertEqual(self.call("GET", f"/file?path={path}").status, 404, path)
        self.assertEqual(self.call("DELETE", "/file?path=out/folder").status, 200)
        self.assertTrue(Path("/etc/passwd").exists())
        for name in ("link", "pipe"):
            self.call("DELETE", f"/file?path=out/{name}")

    def test_pieces_follow_each_other(self) -> None:
        self.assertEqual(self.call("PUT", "/file?path=in/p", b"abc").json, {"bytes": 3})
        again = self.call("PUT", "/file?path=in/p&offset=0", b"abc")
        self.assertEqual((again.status, again.code, again.json["problem"]["values"]), (409, "WrongOffset", {"bytes": 3}))
        self.assertEqual(self.call("PUT", "/file?path=in/p&offset=9", b"abc").status, 409)
        self.assertEqual(self.call("PUT", "/file?path=in/p&offset=3", b"def").json, {"bytes": 6})
        self.assertEqual(Path(self.folder.name, "in/p").read_bytes(), b"abcdef")
        self.assertEqual(self.call("GET", "/files?under=in").json, {"files": [{"path": "in/p", "bytes": 6}]})
        self.call("DELETE", "/file?path=in/p")
        self.assertEqual(self.call("GET", "/files").json, {"files": []})

    def test_a_piece_that_breaks_off_leaves_what_came(self) -> None:
        with socket.create_connection(self.server.server_address) as caller:
            head = f"PUT /file?path=in/half HTTP/1.1\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 1000\r\n\r\n"
            caller.sendall(head.encode() + b"x" * 100)
            caller.shutdown(socket.SHUT_WR)
            self.assertEqual(caller.recv(100), b"")
        self.assertEqual(self.call("PUT", "/file?path=in/half&offset=100", b"y").json, {"bytes": 101})
        self.call("DELETE", "/file?path=in/half")

    def test_what_does_not_fit_is_refused(self) -> None:
        with socket.create_connection(self.server.server_address) as caller:
            head = f"PUT /file?path=in/large HTTP/1.1\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 67108865\r\n\r\n"
            caller.sendall(head.encode())
            self.assertTrue(caller.recv(100).startswith(b"HTTP/1.1 413"))
        self.put("in/a", b"x" * (40 * 1024 * 1024))
        self.assertEqual(self.call("PUT", "/file?path=in/b", b"x" * (30 * 1024 * 1024)).status, 507)
        self.call("DELETE", "/file?path=in/a")


    def test_pieces_that_come_at_once_do_not_fit_twice(self) -> None:
        disk = Disk(self.server.places, 1_000)
        disk._AGAIN_SECONDS = -1
        with disk.reserved(600), self.assertRaises(Problem), disk.reserved(600):
            pass
        with disk.reserved(600), disk.reserved(400):
            pass

    def lay(self, *paths: str) -> None:
        """300 bytes each."""
        for path in paths:
            file = Path(self.folder.name, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"x" * 300)

    def left(self) -> list[str]:
        return sorted(path for path, _ in self.server.places.files())

    def test_what_was_not_used_for_longest_makes_room(self) -> None:
        now = 0
        disk = Disk(self.server.places, 1_000, clock=lambda: now)
        self.lay("in/parts/a", "in/parts/b", "out/failed/data-00000.parquet")
        for at, path in enumerate(("out/failed/data-00000.parquet", "in/parts/b", "in/parts/a")):
            now = at
            with disk.using([path]):
                pass
        with self.assertRaises(Problem), disk.reserved(300):
            pass
        now = 100
        with disk.using(["in/parts/b"]), disk.reserved(400):
            self.assertEqual(self.left(), ["in/parts/a", "in/parts/b"])
        # The part that is in use stays, though another one was used later.
        with disk.using(["in/parts/b"]), disk.reserved(600):
            self.assertEqual(self.left(), ["in/parts/b"])
        self.call("DELETE", "/file?path=in/parts/b")

    def test_what_nobody_uses_for_an_hour_goes(self) -> None:
        now = 0
        disk = Disk(self.server.places, 10_000, clock=lambda: now)
        self.lay("in/deleted/1", "out/failed/part", "out/kept/part", "in/parts/c")
        now = 3_590
        with disk.using(["out/kept/part"]):
            now = 3_700
            disk.sweep()
        self.assertEqual(self.left(), ["out/kept/part"])
        self.call("DELETE", "/file?path=out/kept")

    def test_what_is_kept_makes_no_room(self) -> None:
        self.lay("in/parts/first", "in/parts/other")
        began = self.server.disk._clock()
        with mock.patch.object(self.server.disk, "_clock", lambda: began + 1_000):
            answer = self.call("POST", "/keep", {"paths": ["in/parts/first", "in/parts/to-come"]})
            self.assertEqual((answer.status, answer.json["bytesMost"]), (200, 64 * 1024 * 1024))
            # Its handler may end after its answer has come, and says only then when that was.
            while self.server.disk._pins:
                time.sleep(0.01)
            with self.assertRaises(Problem), self.server.disk.reserved(64 * 1024 * 1024):
                pass
        self.assertEqual(self.left(), ["in/parts/first"])
        # For a while, and no longer.
        with mock.patch.object(self.server.disk, "_clock", lambda: began + 1_100):
            self.server.disk.free()
        self.assertEqual(self.left(), [])

    def test_what_is_to_be_kept_is_named_by_paths(self) -> None:
        for paths in (None, "in/x", [5], ["tmp/x"], ["in/../x"], ["in/x"] * 2_001):
            answer = self.call("POST", "/keep", {"paths": paths})
            self.assertEqual((answer.status, answer.json["problem"]["values"]), (400, {"field": "paths"}), paths)

    def test_a_failed_table_makes_room_for_the_next(self) -> None:
        self.put("in/failed/0", b"x" * (40 * 1024 * 1024))
        clock = self.server.disk._clock
        with mock.patch.object(self.server.disk, "_clock", lambda: clock() + 100):
            self.assertEqual(self.call("PUT", "/file?path=in/next/0", b"x" * (30 * 1024 * 1024)).status, 200)
        self.assertEqual(self.left(), ["in/next/0"])
        self.call("DELETE", "/file?path=in/next")

    def test_a_folder_is_no_place_for_a_file(self) -> None:
        self.put("in/folder/file", "x")
        for path in ("in/folder", "in/folder/file/below"):
            answer = self.call("PUT", f"/file?path={path}", b"x")
            self.assertEqual((answer.status, answer.code), (409, "NotAFile"), path)
        self.call("DELETE", "/file?path=in/folder")

    def test_a_file_that_cannot_be_opened_is_there_all_the_same(self) -> None:
        really = os.open

        def broken(path, flags: int, *mode: int, dir_fd: int | None = None) -> int:
            if path == "x":
                raise OSError(code, os.strerror(code))
            return really(path, flags, *mode, dir_fd=dir_fd)

        for code, status in ((errno.EMFILE, 500), (errno.EACCES, 500), (errno.ENOSPC, 507)):
            with mock.patch("gantry_worker.places.os.open", broken):
                self.assertEqual(self.call("PUT", "/file?path=in/x", b"x").status, status)

    def test_a_disk_that_takes_little_at_a_time_loses_nothing(self) -> None:
        with narrow(1 << 20):
            self.assertEqual(self.call("PUT", "/file?path=in/narrow", b"abc" * 70_000).json, {"bytes": 210_000})
        self.assertEqual(Path(self.folder.name, "in/narrow").read_bytes(), b"abc" * 70_000)
        self.call("DELETE", "/file?path=in/narrow")

    def test_a_full_disk_is_said_to_be_full(self) -> None:
        with narrow(100_000):
            answer = self.call("PUT", "/file?path=in/full", b"abc" * 70_000)
        self.assertEqual((answer.status, answer.code), (507, "DiskFull"))
        there = Path(self.folder.name, "in/full").stat().st_size
        self.assertEqual(self.call("PUT", f"/file?path=in/full&offset={there}", b"x").json, {"bytes": there + 1})
        self.call("DELETE", "/file?path=in/full")


def narrow(room: int):
    """A disk with so many bytes left, which takes 10,000 at a time."""

    class Narrow(io.FileIO):
        def write(self, data) -> int:
            if self.tell() >= room:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(data[:10_000])

    return mock.patch("gantry_worker.server.os.fdopen", lambda file, mode, buffering: Narrow(file, mode))


class Calls(WithServer):
    def test_nothing_works_without_the_token(self) -> None:
        for method, path in (("GET", "/status"), ("PUT", "/file?path=in/x"), ("POST", "/query"), ("POST", "/profile")):
            for token in ("", "t" * 39, TOKEN + "t", "é"):
                answer = self.call(method, path, b"{}", token=token.encode().decode("latin-1"))
                self.assertEqual((answer.status, answer.code), (401, "NoToken"))
        self.assertEqual(self.call("GET", "/healthz", token="").status, 200)

    def test_who_has_no_token_keeps_no_connection(self) -> None:
        with socket.create_connection(self.server.server_address, timeout=30) as caller:
            caller.sendall(b"PUT /file?path=in/x HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 10)
            self.assertTrue(read_all(caller).startswith(b"HTTP/1.1 401"))
        with socket.create_connection(self.server.server_address, timeout=30) as caller:
            caller.sendall(b"GET /healthz HTTP/1.1\r\n\r\n")
            self.assertTrue(read_all(caller).startswith(b"HTTP/1.1 200"))

    def test_who_never_comes_to_the_token_is_cut_off(self) -> None:
        with mock.patch("gantry_worker.server.STRANGER_SECONDS", 0.1):
            with socket.create_connection(self.server.server_address, timeout=30) as caller:
                caller.sendall(b"GET /status HTTP/1.1\r\nX-Slow: ")
                self.assertEqual(read_all(caller), b"")

    def test_bad_bodies_are_refused(self) -> None:
        for body in (b"", b"{", b"[]", b"5", b"[" * 100_000, b"\xff"):
            answer = self.call("POST", "/query", body)
            self.assertEqual((answer.status, answer.json["problem"]["values"]), (400, {"field": "body"}))
        self.assertEqual(self.call("POST", "/query", b" " * (5 * 1024 * 1024)).status, 413)
        self.assertEqual(self.call("POST", "/nowhere", {}).status, 404)

    def test_bad_profiles_name_the_field(self) -> None:
        self.put("in/x", "a,b\n1,2\n")
        sound = {"out": "out/x", "inputs": [{"path": "in/x", "name": "x"}]}
        bad = {"out": "in/x", "inputs": [], "kind": "exe"}
        for field, value in bad.items():
            answer = self.call("POST", "/profile", {**sound, field: value})
            self.assertEqual((answer.status, answer.json["problem"]["values"]), (400, {"field": field}))
        answer = self.call("POST", "/profile", {**sound, "inputs": [{"path": "in/nowhere"}]})
        self.assertEqual((answer.status, answer.code), (404, "NoSuchFile"))

    def test_more_connections_than_there_are_places_are_turned_away(self) -> None:
        with mock.patch("gantry_worker.server.STRANGER_SECONDS", 1_000):
            waiting = [socket.create_connection(self.server.server_address) for _ in range(32)]
            try:
                with socket.create_connection(self.server.server_address) as late:
                    self.assertTrue(late.recv(100).startswith(b"HTTP/1.1 503"))
            finally:
                for caller in waiting:
                    caller.close()
        # Those of the next test come once these are gone.
        self.comes(lambda: self.server._connections._value == 32)

    def test_a_sweep_that_fails_ends_nothing(self) -> None:
        swept = threading.Semaphore(0)

        def fails() -> None:
            swept.release()
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        with mock.patch("gantry_worker.server.SWEEP_SECONDS", 0), mock.patch("gantry_worker.disk.Disk.sweep", lambda _: fails()):
            with tempfile.TemporaryDirectory() as folder, Server(("127.0.0.1", 0), folder, TOKEN, 2_048, 64) as server:
                threading.Thread(target=server.serve_forever, daemon=True).start()
                self.addCleanup(server.shutdown)
                for _ in range(3):
                    self.assertTrue(swept.acquire(timeout=60))
                with socket.create_connection(server.server_address, timeout=60) as caller:
                    caller.sendall(b"GET /healthz HTTP/1.1\r\n\r\n")
                    self.assertTrue(read_all(caller).startswith(b"HTTP/1.1 200"))

    def test_a_query_ends_when_its_caller_hangs_up(self) -> None:
        start = _START.format(kind="__import__('time').sleep(1000)")
        row = tasks.Task("query", TaskLimits(seconds=1_000, cpu_seconds=60, file_bytes=0))
        scratch = Path(self.folder.name, "tmp")
        with mock.patch("gantry_worker.children._START", start), mock.patch.dict(tasks.TASKS, {"query": row}):
            with socket.create_connection(self.server.server_address) as caller:
                head = f"POST /query HTTP/1.1\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 2\r\n\r\n{{}}"
                caller.sendall(head.encode())
                self.comes(lambda: list(scratch.iterdir()))
            self.comes(lambda: not list(scratch.iterdir()))

    def comes(self, is_so) -> None:
        end = time.monotonic() + 60
        while not is_so():
            self.assertLess(time.monotonic(), end, "it does not come")
            time.sleep(0.05)


def read_all(caller: socket.socket) -> bytes:
    """What comes until the other side closes, in order or not."""
    found = b""
    try:
        while piece := caller.recv(65_536):
            found += piece
    except ConnectionResetError:
        pass
    return found


class DeadChildren(unittest.TestCase):
    """Tasks that misbehave, each in a process of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.children = Children(Places(folder.name), 2_048)

    def fate(self, kind: str, **limits: int) -> str:
        row = tasks.Task("query", TaskLimits(**{"seconds": 1_000, "cpu_seconds": 60, "file_bytes": 0, **limits}))
        start = _START.format(kind=kind)
        with mock.patch.dict(tasks.TASKS, {"query": row}), mock.patch("gantry_worker.children._START", start):
            with self.assertRaises(Problem) as caught:
                self.children.run("query", {})
        self.assertEqual(list(Path(self.folder, "tmp").iterdir()), [])
        return caught.exception.code

    def test_a_crash_is_a_problem(self) -> None:
        self.assertEqual(self.fate("os.kill(os.getpid(), 11)"), "ReaderDied")

    def test_an_endless_loop_ends(self) -> None:
        self.assertEqual(self.fate("any(iter(int, 1))", cpu_seconds=1), "TooSlow")

    def test_a_task_that_sleeps_ends(self) -> None:
        self.assertEqual(self.fate("__import__('time').sleep(1000)", seconds=1), "TooSlow")

    def test_memory_ends(self) -> None:
        self.assertEqual(self.fate("bytearray(4 << 30)"), "TooMuchMemory")

    def test_nothing_is_written_where_nothing_may_be(self) -> None:
        self.assertEqual(self.fate("open(job.scratch / 'x', 'wb', 0).write(b'x' * 100)"), "ReaderDied")

    def test_what_a_library_prints_is_no_answer(self) -> None:
        self.assertEqual(self.fate("""[os.write(1, b'{"done": {}}\\n'), os._exit(1)]"""), "ReaderDied")

    def test_an_answer_that_is_too_long_is_said_to_be_so(self) -> None:
        self.assertEqual(self.fate("'x' * (9 << 20)"), "AnswerTooLong")

    def test_what_is_no_answer_ends_the_task(self) -> None:
        spoil = "setattr(__import__('json'), 'dumps', lambda line: '{')"
        self.assertEqual(self.fate(f"[{spoil}, job.tell({{}}), __import__('time').sleep(1000)]"), "ReaderDied")

    def test_a_full_disk_is_a_problem(self) -> None:
        self.assertEqual(self.fate("open('/dev/full', 'wb', 0).write(b'x')"), "DiskFull")

    def test_all_that_run_at_once_fit_into_the_container(self) -> None:
        largest = max(task.limits.data_mb for task in tasks.TASKS.values())
        for memory_mb, at_once in ((1_536, 1), (1_919, 1), (1_920, 2), (2_048, 2), (4_096, 4)):
            self.assertEqual(Children(Places(self.folder), memory_mb).at_once, at_once)
            self.assertLessEqual(at_once * largest + 128, memory_mb)

    def test_its_turn_comes_back(self) -> None:
        for _ in range(4):
            self.assertEqual(self.fate("os._exit(1)"), "ReaderDied")

    def test_a_task_that_the_kernel_killed_took_too_much_memory(self) -> None:
        self.assertEqual(self.fate("os.kill(os.getpid(), 9)"), "TooMuchMemory")

    def test_a_caller_that_hung_up_ends_the_task(self) -> None:
        caller, other = socket.socketpair()
        other.close()
        start = _START.format(kind="__import__('time').sleep(1000)")
        row = tasks.Task("query", TaskLimits(seconds=1_000, cpu_seconds=60, file_bytes=0))
        with caller, mock.patch("gantry_worker.children._START", start), mock.patch.dict(tasks.TASKS, {"query": row}):
            with self.assertRaises(ConnectionError):
                self.children.run("query", {}, caller=caller)
        self.assertEqual(list(Path(self.folder, "tmp").iterdir()), [])

    def test_a_caller_that_is_gone_ends_the_task(self) -> None:
        told = threading.Event()

        def gone(_: dict) -> None:
            told.set()
            raise ConnectionError

        start = _START.format(kind="[job.tell({'step': 'x'}), __import__('time').sleep(1000)]")
        row = tasks.Task("query", TaskLimits(seconds=1_000, cpu_seconds=60, file_bytes=0))
        with mock.patch("gantry_worker.children._START", start), mock.patch.dict(tasks.TASKS, {"query": row}):
            with self.assertRaises(ConnectionError):
                self.children.run("query", {}, gone)
        self.assertTrue(told.is_set())


# As the real one, with a module that does one thing.
_START = """
import os, sys, types
end = sys.argv.index("--")
sys.path[:] = sys.argv[1:end]
module = types.ModuleType("gantry_worker.query")
module.run = lambda job: {kind}
import gantry_worker.child
sys.modules["gantry_worker.query"] = module
gantry_worker.child.main(*sys.argv[end + 1:])
"""
