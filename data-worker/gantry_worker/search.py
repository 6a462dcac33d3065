"""Rows in which a text stands, whatever its case: the first ones, with their numbers in the whole table. Whoever wants more goes on from `next`."""

import re
import time
from pathlib import Path

from .cells import answered
from .engine import ROW_NUMBER, Engine, literal, parquet, parts_of, quoted
from .limits import ROWS_ANSWERED, SEARCH_SECONDS
from .problem import Problem, bad_field
from .tasks import Job

_TEXT_CHARS = 500
# A row that shows how far the search has come.
_MARK_EVERY = 20_000


def run(job: Job) -> dict:
    """{table: [path], text, columns?, limit?, from?} → {columns, rows, cut, numbers, next}. `next` is null once all is searched."""
    request = job.request
    files = parts_of(job.places, request.get("table"), "table")
    text, limit, start = request.get("text"), request.get("limit", ROWS_ANSWERED), request.get("from", 0)
    if not (isinstance(text, str) and 1 <= len(text) <= _TEXT_CHARS):
        raise bad_field("text", f"must be text of 1 to {_TEXT_CHARS} characters")
    if not (isinstance(limit, int) and 1 <= limit <= ROWS_ANSWERED):
        raise bad_field("limit", f"must be a whole number from 1 to {ROWS_ANSWERED}")
    if not (isinstance(start, int) and start >= 0):
        raise bad_field("from", "must be the number of a row")
    engine = Engine(job.limits, job.places)
    with engine.problems(SEARCH_SECONDS):
        columns = engine.columns(f"SELECT * FROM {parquet(files)}")
        looked = _looked([name for name, _ in columns], request.get("columns"))
        sizes = [_rows(engine, file) for file in files]
        engine.lock(files)
    search = _Search(engine, looked, text, limit)
    search.all(list(zip(files, sizes, strict=True)), start)
    return {
        **answered(columns, [row for _, row in search.found]),
        "numbers": [number for number, _ in search.found],
        "next": search.next,
    }


def _looked(names: list[str], wanted: object) -> list[str]:
    if wanted is None:
        return names
    if not (isinstance(wanted, list) and wanted and set(map(str, wanted)) <= set(names)):
        raise bad_field("columns", "must be a list of columns of the table")
    return wanted


def _rows(engine: Engine, file: Path) -> int:
    return engine.row(f"SELECT num_rows FROM parquet_file_metadata({literal(str(file))})")[0]


class _Search:
    def __init__(self, engine: Engine, looked: list[str], text: str, limit: int) -> None:
        self._engine = engine
        pattern = literal(re.escape(text))
        # Numbers and nested values are searched as the text that people see.
        tests = [f"regexp_matches({quoted(name)}::VARCHAR, {pattern}, 'i')" for name in looked]
        self._matches = f"coalesce({' OR '.join(f'coalesce({test}, false)' for test in tests)}, false)"
        self._limit = limit
        self._until = time.monotonic() + SEARCH_SECONDS
        self.found: list[tuple[int, tuple]] = []
        self.next: int | None = None

    def all(self, files: list[tuple[Path, int]], start: int) -> None:
        first = 0
        for file, rows in files:
            if first + rows > start:
                self._one(file, first, start)
            if self.next is not None:
                return
            first += rows

    def _one(self, file: Path, first: int, start: int) -> None:
        """In the order of the rows, as long as there is time."""
        at = max(first, start)
        sql = (
            f"SELECT {ROW_NUMBER}, {self._matches}, * FROM {parquet([file])} WHERE {ROW_NUMBER} >= {at - first} "
            f"AND ({self._matches} OR {ROW_NUMBER} % {_MARK_EVERY} = 0)"
        )
        try:
            for row, is_match, *cells in self._engine.stream(sql, self._until - time.monotonic()):
                if len(self.found) == self._limit:
                    self.next = at
                    return
                at = first + row
                if is_match:
                    self.found.append((at, tuple(cells)))
                    at += 1
        except Problem as problem:
            # Something was searched, at least: the next call goes on from there.
            if problem.code != "TooSlow" or at == start:
                raise
            self.next = at
