"""The data server: HTTP for one caller, the gateway, which has the token. Data is read by children alone, never in this process."""

import hmac
import json
import os
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from .children import Children
from .disk import Disk, paths_in
from .limits import BODY_BYTES, CONNECTIONS, IDLE_SECONDS, KEPT_PATHS, MIB, PIECE_BYTES, STRANGER_SECONDS, SWEEP_SECONDS
from .places import Places
from .problem import NO_ROOM, Problem, bad_field, disk_full

# A caller hears something at least so often, and we notice that it is gone.
_BEAT_SECONDS = 5
_BUSY = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Server(ThreadingHTTPServer):
    """`disk_mb` bounds what may arrive: 507 says that what is there is in use."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], root: str, token: str, memory_mb: int, disk_mb: int) -> None:
        self.places = Places(root)
        # What a killed server was at.
        for left in (self.places.root / "tmp").iterdir():
            self.places.remove(left)
        self.token = token
        self.children = Children(self.places, memory_mb)
        self.disk = Disk(self.places, disk_mb * MIB)
        self.busy = Busy()
        self._connections = threading.BoundedSemaphore(CONNECTIONS)
        super().__init__(address, Call)
        self._is_over = threading.Event()
        threading.Thread(target=self._sweep, daemon=True).start()

    def server_close(self) -> None:
        self._is_over.set()
        self.children.sweep(0)
        super().server_close()

    def process_request(self, request: socket.socket, client_address) -> None:
        if self._connections.acquire(blocking=False):
            super().process_request(request, client_address)
            return
        request.settimeout(1)
        try:
            request.sendall(_BUSY)
        except OSError:
            pass
        self.shutdown_request(request)

    def process_request_thread(self, request: socket.socket, client_address) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._connections.release()

    def _sweep(self) -> None:
        """Beside the calls: to look at many files takes long, and what a disk refuses ends nothing."""
        while not self._is_over.wait(SWEEP_SECONDS):
            try:
                self.disk.sweep()
                self.children.sweep()
            except Exception as error:
                print(f"the sweep: {error!r}", flush=True)

    def handle_error(self, request, client_address) -> None:
        """A caller that is gone is no news."""


class Busy:
    """Paths that somebody writes."""

    def __init__(self) -> None:
        self._paths: set[str] = set()
        self._turn = threading.Lock()

    def take(self, path: str) -> "Busy":
        with self._turn:
            if path in self._paths:
                raise Problem("InUse", f"{path} is being written.", 409, path=path)
            self._paths.add(path)
        return self

    def give(self, path: str) -> None:
        with self._turn:
            self._paths.discard(path)


class Call(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    server: Server

    def setup(self) -> None:
        super().setup()
        # Strangers that say little at a time would keep the places of others.
        self._stranger = threading.Timer(STRANGER_SECONDS, self._end)
        self._stranger.daemon = True
        self._stranger.start()

    def finish(self) -> None:
        self._stranger.cancel()
        super().finish()

    def _end(self) -> None:
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            # It is closed already.
            pass

    def log_message(self, format: str, *args: object) -> None:
        """The gateway has a log."""

    def do_GET(self) -> None:
        self._answer()

    do_HEAD = do_POST = do_PUT = do_DELETE = do_GET

    def _answer(self) -> None:
        url = urlsplit(self.path)
        self._query = parse_qs(url.query)
        self._has_begun = False
        # Of a body that nobody read, the next request would be the rest.
        self._unread = self._length()
        try:
            if url.path == "/healthz":
                self.close_connection = True
                return self._json({"ok": True})
            self._must_know_token()
            call = _CALLS.get((self.command, url.path))
            if call is None:
                raise Problem("NoSuchCall", "There is no such call.", 404)
            call(self)
        except Problem as problem:
            self._refuse(problem)
        except (ConnectionError, TimeoutError):
            self.close_connection = True
        except Exception as error:
            if isinstance(error, OSError) and error.errno in NO_ROOM:
                return self._refuse(disk_full())
            print(f"{self.command} {url.path}: {error!r}", flush=True)
            self._refuse(Problem("Internal", "The data server made a mistake.", 500))

    def _must_know_token(self) -> None:
        given = self.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {self.server.token}".encode()):
            self.close_connection = True
            raise Problem("NoToken", "The token is missing or wrong.", 401)
        self._stranger.cancel()

    def _length(self) -> int:
        text = self.headers.get("content-length", "0")
        if self.headers.get("transfer-encoding") or not (text.isascii() and text.isdigit() and len(text) < 16):
            self.close_connection = True
            return 0
        return int(text)

    # Answers.

    def _json(self, answer: dict, status: int = 200) -> None:
        body = json.dumps(answer).encode()
        self._head(status, "application/json", len(body))
        if self.command != "HEAD":
            self.wfile.write(body)

    def _head(self, status: int, kind: str, length: int | None) -> None:
        self._has_begun = True
        if self._unread:
            self.close_connection = True
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is None:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(length))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def _refuse(self, problem: Problem) -> None:
        if self._has_begun:
            self.close_connection = True
            return
        # What a stranger sends is not waited for: the answer closes the connection.
        if problem.status != 401:
            self._drain()
        self._json({"problem": problem.as_json()}, problem.status)

    def _drain(self) -> None:
        """Who is still sending hears no answer."""
        if self._unread <= PIECE_BYTES:
            while self._unread and (piece := self.rfile.read(min(MIB, self._unread))):
                self._unread -= len(piece)

    # Requests.

    def _body(self) -> dict:
        if self._unread > BODY_BYTES:
            raise Problem("TooLarge", f"A request has at most {BODY_BYTES} bytes.", 413, most=BODY_BYTES)
        text, self._unread = self.rfile.read(self._unread), 0
        try:
            request = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise bad_field("body", "must be JSON") from error
        if not isinstance(request, dict):
            raise bad_field("body", "must be an object")
        return request

    def _text(self, name: str) -> str:
        return self._query.get(name, [""])[0]

    def _offset(self) -> int:
        text = self._text("offset") or "0"
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            raise bad_field("offset", "must be a number of bytes")
        return int(text)

    # Calls.

    def _status(self) -> None:
        self._json({"bytesUsed": self.server.disk.used(), "bytesMost": self.server.disk.most})

    def _keep(self) -> None:
        """What is named counts as used now, and what is still to come under these names as soon as it is there."""
        paths = self._body().get("paths")
        if not (isinstance(paths, list) and len(paths) <= KEPT_PATHS):
            raise bad_field("paths", f"must be a list of at most {KEPT_PATHS} paths")
        for path in paths:
            self.server.places.path(path, ("in", "out"), "paths")
        with self.server.disk.using(paths):
            self._status()

    def _files(self) -> None:
        folder = self._text("under") or "in"
        if folder not in ("in", "out"):
            raise bad_field("under", "must be in or out")
        found = [{"path": path, "bytes": size} for path, size in self.server.places.files()]
        self._json({"files": [one for one in found if one["path"].startswith(f"{folder}/")]})

    def _get_file(self) -> None:
        """From an offset to the end."""
        places = self.server.places
        path = places.path(self._text("path"), ("out",))
        with self.server.disk.using([self._text("path")]), os.fdopen(places.open(path, os.O_RDONLY), "rb") as opened:
            file = opened.fileno()
            size, offset = os.fstat(file).st_size, self._offset()
            if offset > size:
                raise Problem("BeyondEnd", f"It has {size} bytes.", 416, bytes=size)
            self._head(200, "application/octet-stream", size - offset)
            if self.command != "HEAD":
                opened.seek(offset)
                self.connection.sendfile(opened, offset)

    def _put_file(self) -> None:
        """The next piece of a file, whose offset is what is there already; 409 says how much that is."""
        text = self._text("path")
        path = self.server.places.path(text, ("in",))
        if self._unread > PIECE_BYTES:
            raise Problem("TooLarge", f"A piece has at most {PIECE_BYTES} bytes.", 413, most=PIECE_BYTES)
        self.server.busy.take(text)
        try:
            with self.server.disk.using([text]):
                there = self._put(path)
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
            raise Problem("NotAFile", f"{text} is a folder, or below a file.", 409, path=text) from error
        finally:
            self.server.busy.give(text)
        self._json({"bytes": there})

    def _put(self, path: Path) -> int:
        """How much is there afterwards."""
        path.parent.mkdir(parents=True, exist_ok=True)
        file = self.server.places.open(path, os.O_WRONLY | os.O_CREAT)
        with os.fdopen(file, "r+b", buffering=0) as opened:
            there = os.fstat(file).st_size
            if self._offset() != there:
                raise Problem("WrongOffset", f"There are {there} bytes of it.", 409, bytes=there)
            with self.server.disk.reserved(self._unread):
                opened.seek(there)
                self._take(opened)
            return os.fstat(file).st_size

    def _take(self, opened) -> None:
        while self._unread:
            piece = self.rfile.read(min(MIB, self._unread))
            if not piece:
                raise ConnectionError("the caller broke off")
            self._unread -= len(piece)
            # A disk that is nearly full takes less than it is given.
            rest = memoryview(piece)
            while rest:
                rest = rest[opened.write(rest) :]

    def _delete_file(self) -> None:
        """A file, or a folder with all that is in it."""
        path = self.server.places.path(self._text("path"), ("in", "out"))
        self.server.busy.take(self._text("path"))
        try:
            self.server.places.remove(path)
        finally:
            self.server.busy.give(self._text("path"))
        self._json({})

    def _task(self) -> None:
        self._json(self._run(self.path.strip("/"), self._body()))

    def _run(self, name: str, request: dict, tell=lambda progress: None) -> dict:
        with self.server.disk.using(paths_in(request)):
            try:
                return self.server.children.run(name, request, tell, self.connection)
            except Problem as problem:
                if problem.code == "DiskFull":
                    self.server.disk.free()
                raise

    def _profile(self) -> None:
        """Lines of JSON as they come. The last one is {"done": …} or {"problem": …}: without it, the answer is broken off."""
        request = self._body()
        out = str(request.get("out"))
        self.server.busy.take(out)
        try:
            beat = _Beat(self._line)
            try:
                last = {"done": self._run("profile", request, lambda said: beat.say({"progress": said}))}
            except Problem as problem:
                if not self._has_begun:
                    raise
                last = {"problem": problem.as_json()}
            finally:
                beat.stop()
            self._line(last)
            self.wfile.write(b"0\r\n\r\n")
        finally:
            self.server.busy.give(out)

    def _line(self, line: dict) -> None:
        if not self._has_begun:
            self._head(200, "application/x-ndjson", None)
        data = json.dumps(line).encode() + b"\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))


class _Beat:
    """Repeats the last progress where there is no news. A caller that is gone ends the task with the next progress."""

    def __init__(self, write) -> None:
        self._write = write
        self._last: dict | None = None
        self._turn = threading.Lock()
        self._is_over = threading.Event()
        self._is_gone = False
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()

    def say(self, line: dict) -> None:
        with self._turn:
            if self._is_gone:
                raise ConnectionError("the caller is gone")
            self._last = line
            self._write(line)

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._is_over.wait(_BEAT_SECONDS):
            with self._turn:
                try:
                    if self._last:
                        self._write(self._last)
                except OSError:
                    self._is_gone = True


_CALLS = {
    ("GET", "/status"): Call._status,
    ("POST", "/keep"): Call._keep,
    ("GET", "/files"): Call._files,
    ("GET", "/file"): Call._get_file,
    ("HEAD", "/file"): Call._get_file,
    ("PUT", "/file"): Call._put_file,
    ("DELETE", "/file"): Call._delete_file,
    ("POST", "/profile"): Call._profile,
    ("POST", "/query"): Call._task,
    ("POST", "/find"): Call._task,
    ("POST", "/search"): Call._task,
    ("POST", "/diff"): Call._task,
    ("POST", "/retrieve"): Call._task,
    ("POST", "/preview"): Call._task,
    ("POST", "/tune"): Call._task,
}
