"""The slow way through a table of text: line by line. Sound rows go on as they are, and each other one is kept with its line and a reason."""

import csv
import io
import json
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from .limits import COLUMNS, MIB, REJECT_TEXT_CHARS, REJECTS_KEPT, ROW_BYTES
from .problem import Problem

# By code: the reason, for people.
REASONS = {
    "RowTooLong": f"is longer than {ROW_BYTES} bytes",
    "NotUtf8": "is not UTF-8",
    "NotJson": "is not JSON",
    "NotObject": "is not an object",
    "KeyTwice": "has a key twice",
    "TooDeep": "is nested too deeply to be read",
    "WrongWidth": "has another number of values than the first line",
    "QuoteOpen": "opens a quote that nothing closes",
    "NotCsv": "is not CSV",
}


class Rejects:
    """What was refused: all are counted, the first ones kept."""

    def __init__(self, path: Path) -> None:
        self.count = 0
        self.kept = 0
        self.first = ""
        self._out = path.open("w", encoding="ascii")

    def add(self, file: str, line: int, code: str, text: bytes) -> None:
        self.count += 1
        self.first = self.first or f"line {line} {REASONS[code]}"
        if self.kept == REJECTS_KEPT:
            return
        self.kept += 1
        told = text[: 4 * REJECT_TEXT_CHARS].decode("utf-8", "replace")[:REJECT_TEXT_CHARS]
        row = {"file": clean(file), "line": line, "code": code, "reason": REASONS[code], "text": told}
        self._out.write(json.dumps(row) + "\n")

    def close(self) -> None:
        self._out.close()


def clean(text: str) -> str:
    """Half a character is none: a surrogate without the other becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def lines_of(path: Path) -> Iterator[tuple[int, bytes | None, bytes]]:
    """Number, line, and its beginning; the line is None where it is longer than a row may be."""
    with path.open("rb", buffering=MIB) as file:
        number = 0
        while line := file.readline(ROW_BYTES + 1):
            number += 1
            head = line
            if len(line) > ROW_BYTES and not line.endswith(b"\n"):
                while (line := file.readline(MIB)) and not line.endswith(b"\n"):
                    pass
                yield number, None, head
            else:
                yield number, line, head


def has_long_line(path: Path) -> bool:
    """Looks for line ends alone, at the speed of the disk."""
    with path.open("rb") as file:
        since = 0
        while piece := file.read(ROW_BYTES // 2):
            first = piece.find(b"\n")
            since += len(piece) if first < 0 else first
            if since > ROW_BYTES:
                return True
            if first >= 0:
                since = len(piece) - piece.rfind(b"\n") - 1
        return False


class Sieve:
    """Writes the sound rows of each file into another one. `tell` hears of the bytes that were read."""

    def __init__(self, rejects: Rejects, tell) -> None:
        self._rejects = rejects
        self._tell = tell
        self._read = 0
        self._told = 0
        self._keys: set[str] = set()

    def json_lines(self, path: Path, name: str, to: Path) -> None:
        self._json(lines_of(path), name, to)

    def json_values(self, path: Path, name: str, to: Path) -> None:
        """The elements of a list, or objects one after another; each has the line where it begins."""
        self._json(values_of(path), name, to)

    def _json(self, values: Iterator[tuple[int, bytes | None, bytes]], name: str, to: Path) -> None:
        with to.open("wb", buffering=MIB) as out:
            for number, value, head in values:
                self._count(len(head))
                line = None if value is None else value.replace(b"\n", b" ").replace(b"\r", b" ").strip()
                code = "RowTooLong" if line is None else self._fault(line)
                if code is None:
                    out.write(line + b"\n")
                elif code:
                    self._rejects.add(name, number, code, head)

    def records(self, path: Path, name: str, delimiter: str, to: Path) -> None:
        """Records of CSV, as wide as the first one."""
        width = None
        with to.open("wb", buffering=MIB) as out:
            for number, record, code in records_of(path):
                self._count(len(record))
                cells, code = ([], code) if code else _cells(record, delimiter)
                if code is None and not cells:
                    continue
                if code is None and width is None:
                    width = len(cells)
                if code is None and len(cells) != width:
                    code = "WrongWidth"
                if code is None:
                    out.write(record.rstrip(b"\r\n") + b"\n")
                else:
                    self._rejects.add(name, number, code, record)

    def _fault(self, line: bytes) -> str | None:
        """'' for an empty line, which is no row and no fault."""
        if not line:
            return ""
        try:
            value = json.loads(line.decode(), object_pairs_hook=_object)
        except UnicodeDecodeError:
            return "NotUtf8"
        except _KeyTwice:
            return "KeyTwice"
        except RecursionError:
            return "TooDeep"
        except ValueError:
            return "NotJson"
        if not isinstance(value, dict):
            return "NotObject"
        # DuckDB goes no deeper, and knows no half characters.
        if _levels(line) > 100:
            return "TooDeep"
        if _HALF.search(line) and _has_half(value):
            return "NotUtf8"
        self._see(value)
        return None

    def _see(self, value: dict) -> None:
        self._keys.update(value)
        if len(self._keys) > COLUMNS:
            raise too_wide(len(self._keys))

    def _count(self, size: int) -> None:
        self._read += size
        if self._read - self._told > 16 * MIB:
            self._told = self._read
            self._tell(self._read)


def too_wide(columns: int) -> Problem:
    return Problem(
        "TooManyColumns", f"The table has {columns} columns or more: at most {COLUMNS} are read.", most=COLUMNS
    )


class _KeyTwice(ValueError):
    pass


def _object(pairs: list) -> dict:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _KeyTwice
    return found


_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


def _has_half(value: dict) -> bool:
    """Half a character, without the other half."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
        return False
    except UnicodeEncodeError:
        return True


def _levels(line: bytes) -> int:
    """At most: brackets in text count too, which does no harm below a hundred."""
    if line.count(b"[") + line.count(b"{") <= 100:
        return 0
    depth = deepest = 0
    for sign in _BRACKETS.findall(_TEXTS.sub(b"", line)):
        depth += 1 if sign in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*"')
_BRACKETS = re.compile(rb"[\[\]{}]")
_SIGNS = re.compile(rb'[\[\]{}",\\\n]')


def values_of(path: Path) -> Iterator[tuple[int, bytes | None, bytes]]:
    """Line, value, and its beginning, of each element of a list or of each value of a sequence. Finds where values end; judges none."""
    scan = _Scan()
    with path.open("rb") as file:
        while piece := file.read(MIB):
            yield from scan.feed(piece)
    yield from scan.end()


class _Scan:
    def __init__(self) -> None:
        self._base: int | None = None
        self._depth = 0
        self._is_text = self._is_escaped = False
        self._line = self._started = 1
        self._held: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[tuple[int, bytes | None, bytes]]:
        if self._base is None:
            # What stands before the first bracket is a byte order mark or blank.
            self._base = 1 if piece.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[" else 0
            piece = piece.removeprefix(b"\xef\xbb\xbf")
        start = 0
        for found in _SIGNS.finditer(piece):
            at, sign = found.start(), found.group()
            if self._is_escaped:
                self._is_escaped = False
                if self._escaped_at == at:
                    continue
            if sign == b"\n":
                self._line += 1
            elif self._is_text:
                if sign == b"\\":
                    self._is_escaped, self._escaped_at = True, at + 1
                elif sign == b'"':
                    self._is_text = False
            elif sign == b'"':
                self._is_text = True
            elif sign in b"[{":
                self._depth += 1
                if self._depth == self._base:
                    self._started, start = self._line, at + 1
            elif sign in b"]}":
                if self._depth == self._base == 1:
                    # The list ends.
                    self._hold(piece[start:at])
                    yield from self._flush()
                    start = at + 1
                self._depth = max(0, self._depth - 1)
                if self._depth == self._base == 0:
                    self._hold(piece[start : at + 1])
                    yield from self._flush()
                    start = at + 1
            elif sign == b"," and self._depth == self._base:
                self._hold(piece[start:at])
                yield from self._flush()
                start = at + 1
        self._hold(piece[start:])
        if self._is_escaped:
            self._escaped_at -= len(piece)

    def end(self) -> Iterator[tuple[int, bytes | None, bytes]]:
        yield from self._flush()

    def _hold(self, piece: bytes) -> None:
        self._size += len(piece)
        # Of a longer one, the beginning is enough.
        if sum(map(len, self._held)) <= ROW_BYTES:
            self._held.append(piece)

    def _flush(self) -> Iterator[tuple[int, bytes | None, bytes]]:
        value = b"".join(self._held)
        size, started = self._size, self._started
        self._held, self._size, self._started = [], 0, self._line
        if text := value.lstrip():
            yield started + value.count(b"\n", 0, len(value) - len(text)), (value if size <= ROW_BYTES else None), value[:ROW_BYTES]


def records_of(path: Path) -> Iterator[tuple[int, bytes, str | None]]:
    """Line, record, and what is wrong with it. A quote that nothing closes within a row's length costs its line alone."""
    waiting: deque[tuple[int, bytes | None, bytes]] = deque()
    source = lines_of(path)
    while (first := waiting.popleft() if waiting else next(source, None)) is not None:
        number, line, head = first
        if line is None:
            yield number, head, "RowTooLong"
            continue
        record, taken = [line], []
        size, quotes = len(line), line.count(b'"')
        while quotes % 2 == 1 and size <= ROW_BYTES:
            following = waiting.popleft() if waiting else next(source, None)
            if following is None:
                break
            taken.append(following)
            if following[1] is None:
                break
            record.append(following[1])
            size += len(following[1])
            quotes += following[1].count(b'"')
        if quotes % 2 == 1 or size > ROW_BYTES:
            yield number, line, "QuoteOpen"
            waiting.extendleft(reversed(taken))
        else:
            yield number, b"".join(record), None


def _cells(record: bytes, delimiter: str) -> tuple[list[str], str | None]:
    try:
        text = record.decode()
    except UnicodeDecodeError:
        return [], "NotUtf8"
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        return [], "NotCsv"
    return (rows[0], None) if len(rows) == 1 else ([], None if not rows else "NotCsv")


csv.field_size_limit(2 * ROW_BYTES)
